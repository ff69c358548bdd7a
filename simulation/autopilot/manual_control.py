"""ManualControl: flight mode, arming, and what the sticks mean in the stabilized modes.

Reads ManualControlCommand; writes FlightStatus and, in modes flown by hand,
StabilizationDesired. In the other modes the path follower is in charge.
"""

import math

from simulation.autopilot.arming import HAND_FLOWN, Arming
from simulation.autopilot.battery_failsafe import BatteryFailsafe
from simulation.autopilot.board import ChangeFlag, SimulatedBoard
from simulation.autopilot.flight_mode import FlightModeSelector, ModeStatus

_AXES = ("Roll", "Pitch", "Yaw")
_RATE_MODES = frozenset({"Rate", "RateTrainer", "AxisLock", "Acro+"})
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
        self._selector = FlightModeSelector(board)
        self._shown: tuple[str, ModeStatus] | None = None
        self._moved = ChangeFlag(self._command)
        self._written_for = ""
        self.is_hand_flown = self._selector.status.is_hand_flown
        """Whether sticks set attitude or rates, rather than the path follower."""
        for entry in (self._settings, self._bank):
            entry.subscribe(self._take_settings)
        self._take_settings()

    @property
    def mode(self) -> str:
        """The flight mode, as FlightStatus calls it."""
        return self._selector.status.mode

    def update(self, now_us: int) -> None:
        """Run once per loop of the autopilot. Arming comes first: it sees the mode before."""
        self._arming.update(now_us)
        position = int(self._command.fields["FlightModeSwitchPosition"])
        if self._arming.is_armed:
            position = self._battery.position(now_us, position)
        else:
            self._battery.reset(now_us)
        mode = self._selector.update(position, self._arming.state == "Disarmed")
        if (self._arming.state, mode) != self._shown:
            self._shown = (self._arming.state, mode)
            self.is_hand_flown = mode.is_hand_flown
            self._show(mode)
        if self.is_hand_flown:
            self._write_desired()
        else:
            self._written_for = ""

    def _show(self, mode: ModeStatus) -> None:
        status = self._status
        status.set(
            Armed=status.number("Armed", self._arming.state),
            FlightMode=status.number("FlightMode", mode.mode),
            FlightModeAssist=status.number("FlightModeAssist", mode.assist),
            AlwaysStabilizeWhenArmed=int(mode.is_always_stabilized),
            ControlChain=mode.control_chain,
        )

    def _take_settings(self) -> None:
        self._moved.raise_it()
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
        if not self._moved.take_down() and self._written_for == self.mode:
            return
        self._written_for = self.mode
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
