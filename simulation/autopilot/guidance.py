"""Guidance: StabilizationDesired becomes the compiled loop's COMMAND.

This is where modules hand over to the inner loop: which quantity each axis controls and where
thrust comes from; in automatic modes `vtol_guidance` or `fixed_wing_guidance` flies what
PathDesired says.
"""

import numpy as np

from simulation.autopilot.altitude_loop import HEIGHT_MODES, AltitudeLoop
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.fixed_wing_guidance import FixedWingGuidance, is_fixed_wing
from simulation.autopilot.vtol_guidance import VtolGuidance
from simulation.records import interface as kernel
from simulation.records.members import written_members_of

_AXES = ("Roll", "Pitch", "Yaw")
_AXIS_MODES = {
    "Manual": kernel.AXIS_MANUAL,
    "Rate": kernel.AXIS_RATE,
    "RateTrainer": kernel.AXIS_RATE_TRAINER,
    "Attitude": kernel.AXIS_ATTITUDE,
    "AxisLock": kernel.AXIS_LOCK,
    "WeakLeveling": kernel.AXIS_WEAK_LEVELING,
    "VirtualBar": kernel.AXIS_VIRTUAL_BAR,
    "Acro+": kernel.AXIS_ACRO,
    "Rattitude": kernel.AXIS_RATTITUDE,
    "SystemIdent": kernel.AXIS_ATTITUDE,  # excites nothing here
}


class Guidance:
    """Writes COMMAND once per loop."""

    def __init__(self, board: SimulatedBoard, command: np.void) -> None:
        self._command = written_members_of(command)
        self._altitude = AltitudeLoop(board, command)
        is_wing = is_fixed_wing(board)
        self.automatic: FixedWingGuidance | VtolGuidance = (
            FixedWingGuidance(board, command)
            if is_wing
            else VtolGuidance(board, command, self._altitude)
        )
        """Which flies by PathDesired."""
        self._desired = board["StabilizationDesired"]
        self._sticks = board["ManualControlCommand"]
        self._limits = board["StabilizationSettings"]
        modes = self._desired.definition.field_named("StabilizationMode")
        self._mode_names = dict(zip(modes.option_values, modes.options, strict=True))

    def follow_sticks(self, is_armed: bool) -> None:
        """Fly what StabilizationDesired says."""
        command = self._command
        desired = self._desired.fields
        command["armed"][...] = is_armed
        command["throttle_stick"][...] = self._sticks.fields["Throttle"]
        command["horizontal_mode"][...] = kernel.HORIZONTAL_NONE
        command["levels"][...] = command["thrust_bounded"][...] = 0
        modes = desired["StabilizationMode"].tolist()
        for i, axis in enumerate(_AXES):
            name = self._mode_names.get(modes[i], "Rate")
            command["axis_mode"][i] = _AXIS_MODES.get(name, kernel.AXIS_RATE)
            command["axis_setpoint"][i] = desired[axis]
        self._set_thrust(self._mode_names.get(modes[3], "Manual"), float(desired["Thrust"]))

    def follow_path(self, position_valid: bool, is_armed: bool) -> None:
        """Fly what PathDesired says; without a position, level and by height alone. Disarmed, it is
        followed all the same, with the motors off."""
        self._command["throttle_stick"][...] = self._sticks.fields["Throttle"]
        self.automatic.follow(position_valid)
        self._command["armed"][...] = is_armed

    def _set_thrust(self, name: str, thrust: float) -> None:
        if name in HEIGHT_MODES:
            self._altitude.fly(name, thrust)
            return
        command = self._command
        self._altitude.leave()
        command["vertical_mode"][...] = kernel.VERTICAL_MANUAL
        command["thrust"][...] = thrust
        command["cruise"][...] = name == "CruiseControl" or self._cruises_always()

    def _cruises_always(self) -> bool:
        """CruiseControlFlightModeSwitchPosEnable, for the present position of the switch."""
        enabled = self._limits.fields["CruiseControlFlightModeSwitchPosEnable"]
        position = int(self._sticks.fields["FlightModeSwitchPosition"])
        return bool(enabled[min(position, len(enabled) - 1)])
