"""ManualControl: flight mode, arming, and what the sticks mean in the stabilized modes.

Reads ManualControlCommand; writes FlightStatus and, in modes flown by hand,
StabilizationDesired. In the other modes the path follower is in charge.
"""

import math

from simulation.autopilot.arming import HAND_FLOWN, Arming
from simulation.autopilot.battery_failsafe import BatteryFailsafe
from simulation.autopilot.board import SimulatedBoard

_AXES = ("Roll", "Pitch", "Yaw")
_RATE_MODES = frozenset({"Rate", "RateTrainer", "AxisLock", "WeakLeveling", "Acro+"})
_FULL_EXPO = 4.0
"""At an expo of 100 the stick counts with this power, at -100 with its reciprocal."""


class ManualControl:
    """The pilot's will, from normalised sticks to FlightStatus and StabilizationDesired."""

    def __init__(self, board: SimulatedBoard, arming: Arming) -> None:
        self._arming = arming
        self._command = board["ManualControlCommand"]
        self._status = board["FlightStatus"]
        self._settings = board["FlightModeSettings"]
        self._bank = board["StabilizationBank"]
        self._desired = board["StabilizationDesired"]
        self._battery = BatteryFailsafe(board)
        self.mode = "Manual"
        self._shown: tuple[str, str] | None = None
        self._is_new = True
        self._written_for = ""
        self._command.subscribe(self._stick_moved)
        for entry in (self._settings, self._bank):
            entry.subscribe(self._take_settings)
        self._take_settings()

    @property
    def is_hand_flown(self) -> bool:
        """Whether sticks set attitude or rates, rather than the path follower."""
        return self.mode in HAND_FLOWN

    def update(self, now_us: int, is_standing: bool) -> None:
        """Run once per loop of the autopilot. `is_standing`: on the ground, by the sensors."""
        position = int(self._command.fields["FlightModeSwitchPosition"])
        if self._arming.is_armed:
            position = self._battery.position(now_us, position)
        else:
            self._battery.reset()
        position = min(position, len(self._positions) - 1)
        self.mode = self._positions[position]
        self._arming.update(now_us, self.mode, is_standing)
        status = (self._arming.state, self.mode)
        if status != self._shown:
            self._shown = status
            self._status.set(
                Armed=self._armed_numbers[self._arming.state],
                FlightMode=self._mode_numbers[self.mode],
                ControlChain=(1, 0 if self.is_hand_flown else 1, 0),
            )
        if self.is_hand_flown:
            self._write_desired()
        else:
            self._written_for = ""

    def _stick_moved(self) -> None:
        self._is_new = True

    def _take_settings(self) -> None:
        self._is_new = True
        positions = self._settings.definition.field_named("FlightModePosition")
        self._positions = [
            self._settings.option("FlightModePosition", i) for i in range(positions.elements)
        ]
        field = self._status.definition.field_named("FlightMode")
        self._mode_numbers = {name: field.option_number(name) for name in field.options}
        armed = self._status.definition.field_named("Armed")
        self._armed_numbers = {name: armed.option_number(name) for name in armed.options}
        self._axis_modes = {name: self._modes_of(name) for name in HAND_FLOWN}
        bank = self._bank.row
        self._powers = [_FULL_EXPO ** (int(e) / 100.0) for e in bank["StickExpo"]]
        self._rates = [float(r) for r in bank["ManualRate"]]
        self._angles = [float(bank[f"{axis}Max"]) for axis in _AXES]

    def _modes_of(self, mode: str) -> tuple[list[str], list[int]]:
        """The modes of roll, pitch, yaw and thrust in a flight mode, as texts and numbers."""
        if mode == "Manual":
            texts = ["Manual"] * 4
        else:
            field = f"Stabilization{mode[-1]}Settings"
            texts = [self._settings.option(field, i) for i in range(4)]
        definition = self._desired.definition.field_named("StabilizationMode")
        return texts, [definition.option_number(text) for text in texts]

    def _write_desired(self) -> None:
        if not self._is_new and self._written_for == self.mode:
            return
        self._written_for = self.mode
        self._is_new = False
        command = self._command.row
        texts, numbers = self._axis_modes[self.mode]
        row = self._desired.row
        for i, axis in enumerate(_AXES):
            row[axis] = self._setpoint(i, texts[i], float(command[axis]))
        row["Thrust"] = command["Thrust"]
        row["StabilizationMode"] = numbers
        self._desired.announce()

    def _setpoint(self, axis: int, mode: str, stick: float) -> float:
        """What a stick asks for: deg, deg/s or, in manual and virtual bar axes, its position."""
        if mode == "Manual":
            return stick
        curved = math.copysign(abs(stick) ** self._powers[axis], stick)
        if mode in _RATE_MODES:
            return curved * self._rates[axis]
        return curved if mode == "VirtualBar" else curved * self._angles[axis]
