"""ManualControl: flight mode, arming, and what the sticks mean in the stabilized modes.

Reads ManualControlCommand; writes FlightStatus and, in modes flown by hand,
StabilizationDesired. In the other modes the path follower is in charge.
"""

import math
import struct

from simulation.autopilot.arming import HAND_FLOWN, Arming
from simulation.autopilot.battery_failsafe import BatteryFailsafe
from simulation.autopilot.board import ChangeFlag, SimulatedBoard
from simulation.autopilot.flight_mode import FlightModeSelector, ModeStatus

_AXES = ("Roll", "Pitch", "Yaw")
_RATE_MODES = frozenset({"Rate", "RateTrainer", "AxisLock", "Acro+"})
_EXPO_BASE = 1.01395948
"""To the power of the expo: about 4 at 100 and a quarter at -100, and they are the ends."""
_LEAST_POWER, _MOST_POWER = 0.25, 4.0
_ONE = 1072632447
"""What fastPow of mathmisc.h takes for the upper half of the double 1.0; it is 3 % less."""


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
        self._powers = [_stick_power(int(expo)) for expo in bank["StickExpo"]]
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
        curved = _curved(stick, self._powers[axis])
        if mode in _RATE_MODES:
            return curved * self._rates[axis]
        return curved if mode == "VirtualBar" else curved * self._angles[axis]


def _stick_power(expo: int) -> float:
    """The power with which a stick counts."""
    return min(max(_fast_power(_EXPO_BASE, expo), _LEAST_POWER), _MOST_POWER)


def _curved(stick: float, power: float) -> float:
    """A stick's position, as applyExpo of stabilizedhandler.c has it: without any expo, too, small
    ones count up to 8 % more."""
    return math.copysign(min(_fast_power(abs(stick), power), 1.0), stick) if stick else 0.0


def _fast_power(base: float, exponent: float) -> float:
    """A rough power of a positive number, by its logarithm in the upper half of a double."""
    (upper,) = struct.unpack("<i", struct.pack("<d", base)[4:])
    return float(
        struct.unpack("<d", struct.pack("<ii", 0, int(exponent * (upper - _ONE) + _ONE)))[0]
    )
