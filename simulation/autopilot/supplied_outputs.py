"""Motor test: a station that supplies ActuatorCommand moves motors and servos itself.

As in firmware the outputs then do exactly what the object says, armed or not, whatever the mixer
makes; the last command stays until another one comes or the metadata give control back. Nobody on
board stops a motor because the station has gone: keeping people safe is the station's duty.
"""

import numpy as np

from simulation.autopilot.board import SimulatedBoard


class SuppliedOutputs:
    """Hands ActuatorCommand to the compiled loop while a station supplies it."""

    def __init__(self, board: SimulatedBoard, command: np.void) -> None:
        self._entry = board["ActuatorCommand"]
        self._command = command
        self._was_supplied = False
        self._entry.subscribe(self._written)

    def update(self) -> None:
        """Run once per loop: take the outputs over, and give them back, as the metadata say."""
        is_supplied = self._entry.is_supplied
        if is_supplied == self._was_supplied:
            return
        if is_supplied and self._entry.refresh is not None:
            self._entry.refresh()  # the board's own last command stands until the first write
        self._take(is_supplied)

    def _written(self) -> None:
        if self._entry.is_supplied:
            self._take(is_supplied=True)

    def _take(self, is_supplied: bool) -> None:
        self._was_supplied = is_supplied
        self._command["outputs"] = self._entry.row["Channel"]
        self._command["outputs_supplied"] = int(is_supplied)
