"""Altitude loop: thrust by height, as the throttle stick asks in AltitudeHold and AltitudeVario.

The rules are those of stabilizationAltitudeHold in LibrePilot's flight/modules/Stabilization/
altitudeloop.cpp: in AltitudeVario a stick outside of 0.4 to 0.6 asks for a velocity, at most
ThrustRate; inside, and in AltitudeHold wherever the stick is, the height is held at which it came
there. CutThrustWhenZero stops the motors at the lower end of the stick.
"""

from typing import Final

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from simulation.records import interface as kernel
from simulation.records.members import written_members_of

HEIGHT_MODES: Final = frozenset({"AltitudeHold", "AltitudeVario"})
_LOW, _HIGH = 0.4, 0.6
_OFF: Final = -1.0


class AltitudeLoop:
    """Writes the vertical part of COMMAND; call `leave` whenever thrust comes from elsewhere."""

    def __init__(self, board: SimulatedBoard, command: np.void) -> None:
        self._command = written_members_of(command)
        self._settings = board["AltitudeHoldSettings"]
        self._position = board["PositionState"]
        self._held_down_m: float | None = None
        self._mode = ""

    def leave(self) -> None:
        """It begins anew when it is flown again."""
        self._mode = ""

    def fly(self, mode: str, stick: float) -> None:
        """`mode` is one of HEIGHT_MODES, `stick` StabilizationDesired.Thrust, 0 to 1."""
        command = self._command
        command["start_thrust"][...] = stick
        if mode != self._mode:
            self._mode = mode
            self._held_down_m = None
            command["vertical_starts"][...] += 1
        if stick <= 0.0 and bool(self._settings.fields["CutThrustWhenZero"]):
            self._held_down_m = None
            command["vertical_mode"][...] = kernel.VERTICAL_MANUAL
            command["thrust"][...] = _OFF
            command["cruise"][...] = 0
            return
        sink_mps = self._sink_mps(stick) if mode == "AltitudeVario" else 0.0
        if sink_mps != 0.0:
            self._held_down_m = None
            command["vertical_mode"][...] = kernel.VERTICAL_VARIO
            command["velocity_down"][...] = sink_mps
            return
        if self._held_down_m is None:
            self._held_down_m = self._position.vector()[2]
        command["vertical_mode"][...] = kernel.VERTICAL_HOLD
        command["down_m"][...] = self._held_down_m

    def _sink_mps(self, stick: float) -> float:
        if _LOW <= stick <= _HIGH:
            return 0.0
        above = stick > _HIGH
        share = (stick - _HIGH) / _LOW if above else (_LOW - max(stick, 0.0)) / _LOW
        expo = int(self._settings.fields["ThrustExp"]) / 255.0
        rate = (expo * share**3 + (1.0 - expo) * share) * float(self._settings.fields["ThrustRate"])
        return -rate if above else rate
