"""Guidance: StabilizationDesired becomes the compiled loop's COMMAND.

This is where modules hand over to the inner loop: which quantity each axis controls and where
thrust comes from; in automatic modes `vtol_guidance` or `fixed_wing_guidance` says which path is
flown.
"""

import numpy as np

from simulation import interface as kernel
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.fixed_wing_guidance import FixedWingGuidance, is_fixed_wing
from simulation.autopilot.vtol_guidance import VtolGuidance

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
_THRUST_DEADBAND = 0.05
_HOLD_BELOW_MPS = 0.3


class Guidance:
    """Writes COMMAND once per loop."""

    def __init__(self, board: SimulatedBoard, command: np.void) -> None:
        self._command = command
        follower = FixedWingGuidance if is_fixed_wing(board) else VtolGuidance
        self._automatic: FixedWingGuidance | VtolGuidance = follower(board, command)
        self._desired = board["StabilizationDesired"]
        self._sticks = board["ManualControlCommand"]
        self._attitude = board["AttitudeState"]
        self._position = board["PositionState"]
        self._velocity = board["VelocityState"]
        self._altitude = board["AltitudeHoldSettings"]
        self._limits = board["StabilizationSettings"]
        modes = self._desired.definition.field_named("StabilizationMode")
        self._mode_names = dict(zip(modes.option_values, modes.options, strict=True))
        self._held_down_m: float | None = None

    def disarm(self) -> None:
        """Motors off."""
        self._automatic.leave()
        self._command["armed"] = 0
        self._held_down_m = None

    def follow_sticks(self) -> None:
        """Fly what StabilizationDesired says."""
        self._automatic.leave()
        command = self._command
        row = self._desired.row
        command["armed"] = 1
        command["throttle_stick"] = self._sticks.row["Throttle"]
        command["horizontal_mode"] = kernel.HORIZONTAL_NONE
        modes = row["StabilizationMode"].tolist()
        for i, axis in enumerate(_AXES):
            name = self._mode_names.get(modes[i], "Rate")
            command["axis_mode"][i] = _AXIS_MODES.get(name, kernel.AXIS_RATE)
            command["axis_setpoint"][i] = row[axis]
        self._set_thrust(self._mode_names.get(modes[3], "Manual"), float(row["Thrust"]))

    def follow_path(self, position_valid: bool) -> None:
        """Fly what PathDesired says; without a position, level and by height alone."""
        self._held_down_m = None
        self._command["throttle_stick"] = self._sticks.fields["Throttle"]
        self._automatic.follow(position_valid)

    def _set_thrust(self, name: str, thrust: float) -> None:
        command = self._command
        if name not in ("AltitudeHold", "AltitudeVario"):
            self._held_down_m = None
            command["vertical_mode"] = kernel.VERTICAL_MANUAL
            command["thrust"] = thrust
            command["cruise"] = name == "CruiseControl" or self._cruises_always()
            return
        cuts = bool(self._altitude.fields["CutThrustWhenZero"])
        if cuts and thrust <= 0.0:
            self._held_down_m = None
            command["vertical_mode"] = kernel.VERTICAL_MANUAL
            command["thrust"] = -1.0
            return
        velocity = self._vertical_velocity(thrust)
        if name == "AltitudeHold" and velocity == 0.0:
            self._hold_height()
        else:
            self._held_down_m = None
            command["vertical_mode"] = kernel.VERTICAL_VARIO
            command["velocity_down"] = velocity

    def _hold_height(self) -> None:
        """Brake first, then hold the height reached."""
        command = self._command
        down = float(self._position.fields["Down"])
        speed = float(self._velocity.fields["Down"])
        if self._held_down_m is None and abs(speed) < _HOLD_BELOW_MPS:
            self._held_down_m = down
        if self._held_down_m is None:
            command["vertical_mode"] = kernel.VERTICAL_VARIO
            command["velocity_down"] = 0.0
        else:
            command["vertical_mode"] = kernel.VERTICAL_HOLD
            command["down_m"] = self._held_down_m

    def _vertical_velocity(self, stick: float) -> float:
        """Sink rate in m/s for a throttle stick 0..1; the middle means neither up nor down."""
        offset = stick - 0.5
        size = abs(offset) - _THRUST_DEADBAND
        if size <= 0.0:
            return 0.0
        share = min(size / (0.5 - _THRUST_DEADBAND), 1.0)
        expo = int(self._altitude.fields["ThrustExp"]) / 255.0
        rate = (expo * share**3 + (1.0 - expo) * share) * float(self._altitude.fields["ThrustRate"])
        return -rate if offset > 0.0 else rate

    def _cruises_always(self) -> bool:
        """CruiseControlFlightModeSwitchPosEnable, for the present position of the switch."""
        enabled = self._limits.row["CruiseControlFlightModeSwitchPosEnable"]
        position = int(self._sticks.fields["FlightModeSwitchPosition"])
        return bool(enabled[min(position, len(enabled) - 1)])
