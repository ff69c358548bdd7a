"""The right to an aircraft's controls: one of the uses that `Exclusive` keeps apart.

Whoever flies has it, by the controls or from a script, as set-ups, calibrations and motor tests
have it while they are under way.
"""

from typing import Final

from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.vehicle import Vehicle

FLYING: Final = "Flying from the pilot's seat"
BY_A_SCRIPT: Final = "Flying by a script"


class ControlRight:
    """The right of one who flies an aircraft."""

    def __init__(self, vehicle: Vehicle, title: str) -> None:
        self._exclusive = exclusive_of(vehicle)
        self._title = title

    def why_not(self) -> str:
        """Why the aircraft is somebody else's now, "" if it is not."""
        return self._exclusive.why_not(self)

    def take(self) -> None:
        """Have it until it is freed, if nobody else has it."""
        if not self.why_not():
            self._exclusive.take(self, self._title)

    def interrupt(self) -> None:
        """Have somebody else who has it end it, where that can be: motors off are asked for."""
        self._exclusive.interrupt(self)

    def free(self) -> None:
        """Give it up. Freeing what one does not have is fine."""
        self._exclusive.free(self)
