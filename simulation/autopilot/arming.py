"""Arming: the state machine between the pilot's arming control and spinning motors.

The rules are those of LibrePilot's armhandler.c; settings are those of FlightModeSettings (Arming,
the sequence times, ArmedTimeout). Nothing changes while the throttle is not low, but that what is
under way is abandoned. Arming takes an edge of its control, at an instant when nothing forbids it.
"""

from collections.abc import Callable
from enum import Enum, auto

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.frame_class import FrameClass, treated_class

_SWITCH_THRESHOLD, _STICK_THRESHOLD = 0.2, 0.8
_GROUND_LOW_THROTTLE = 0.01
# Alarms that say something about the link or the fix, not about being able to fly by hand.
_TOLERATED_ALARMS = frozenset({"GPS", "Telemetry"})
_DISARMING_ALARMS = ("Guidance", "Receiver")
HAND_FLOWN = frozenset({"Manual", *(f"Stabilized{i}" for i in range(1, 7))})
_ARMABLE_BY_THEMSELVES = frozenset({"AutoTakeoff", "PathPlanner"})
_CLIMBING_THRUST = frozenset({"AltitudeHold", "AltitudeVario"})
_THRUST, _PATH_FOLLOWER = 3, 1
"""Their elements in StabilizationDesired.StabilizationMode and FlightStatus.ControlChain."""


class ArmingPhase(Enum):
    """What the state machine is about; `Arming.state` is what it says of itself."""

    DISARMED = auto()
    ARMING = auto()
    ARMED = auto()
    IDLE = auto()
    DISARMING = auto()


_ABANDONED = {
    ArmingPhase.ARMING: ArmingPhase.DISARMED,
    ArmingPhase.IDLE: ArmingPhase.ARMED,
    ArmingPhase.DISARMING: ArmingPhase.ARMED,
}
"""Where a throttle that is not low leads."""


def _nothing() -> None:
    """No check of the configuration."""


class Arming:
    """Decides FlightStatus.Armed: `state` is one of its options.

    `check_configuration` brings the alarm SystemConfiguration up to date before it is asked.
    """

    def __init__(
        self, board: SimulatedBoard, check_configuration: Callable[[], None] = _nothing
    ) -> None:
        self._board = board
        self._check_configuration = check_configuration
        self._settings = board["FlightModeSettings"]
        self._alarms = board["SystemAlarms"]
        self._command = board["ManualControlCommand"]
        self._accessory = board["AccessoryDesired"]
        self._status = board["FlightStatus"]
        self._desired = board["StabilizationDesired"]
        self._critical = self._alarms.number("Alarm", "Critical")
        self._alarm_names = self._alarms.definition.field_named("Alarm").element_names
        self._forcing = [self._alarm_names.index(name) for name in _DISARMING_ALARMS]
        self.state = "Disarmed"
        self._phase = ArmingPhase.DISARMED
        self._since_us = 0
        self._last_level = 0.0
        self._method = ""
        for name in ("FlightModeSettings", "SystemSettings", "VtolPathFollowerSettings"):
            board[name].subscribe(self._take_settings)
        self._take_settings()
        self._alarms.subscribe(self._take_alarms)
        self._take_alarms()

    @property
    def is_armed(self) -> bool:
        """Whether motors may spin."""
        return self.state == "Armed"

    def disarm(self) -> None:
        """Disarm now, in the air too; arming then takes another edge."""
        self.state = "Disarmed"
        self._phase = ArmingPhase.DISARMED

    def update(self, now_us: int) -> None:
        """Advance the state machine to `now_us` for the sticks as they are on the board."""
        if self._is_forced:
            self.disarm()
        elif self._method == "Always Disarmed":
            self.state = "Disarmed"
        elif not self._is_low():
            self._phase = _ABANDONED.get(self._phase, self._phase)
        elif self._method == "Always Armed":
            self.state = "Armed"
        else:
            self._advance(now_us, *self._asks(self._level()))

    def _is_low(self) -> bool:
        """The throttle is, or a switch asks to disarm."""
        if self._is_throttle_low():
            return True
        return self._is_switch and self._level() >= _SWITCH_THRESHOLD

    def _take_settings(self) -> None:
        row = self._settings.row
        method = self._settings.option("Arming")
        if method != self._method:
            self._last_level = 0.0
        self._method = method
        self._axis, _, self._direction = method.partition(" ")
        self._is_switch = self._axis == "Accessory"
        self._threshold = _SWITCH_THRESHOLD if self._is_switch else _STICK_THRESHOLD
        self._is_ground = treated_class(self._board) is FrameClass.GROUND
        self._arming_us = int(row["ArmingSequenceTime"]) * 1000
        self._disarming_us = int(row["DisarmingSequenceTime"]) * 1000
        self._timeout_us = int(row["ArmedTimeout"]) * 1000

    def _is_throttle_low(self) -> bool:
        throttle = float(self._command.fields["Throttle"])
        return abs(throttle) < _GROUND_LOW_THROTTLE if self._is_ground else throttle < 0.0

    def _level(self) -> float:
        """The arming control: towards -1 it asks to arm, towards +1 to disarm."""
        if self._is_switch:
            index = int(self._direction)
            rows = self._accessory.rows
            return -float(rows.item(index)[0]) if index < len(rows) else 0.0
        if self._axis not in ("Roll", "Pitch", "Yaw"):
            return 0.0
        sign = 1.0 if self._direction in ("Left", "Forward") else -1.0
        return sign * float(self._command.fields[self._axis])

    def _asks(self, level: float) -> tuple[bool, bool]:
        """Whether the control asks to arm and to disarm: by going there from where it was, or,
        once that is under way, by being there."""
        if self._phase not in (ArmingPhase.DISARMED, ArmingPhase.ARMED):
            self._last_level = 0.0
        last, self._last_level = self._last_level, level
        least = self._threshold
        return level <= -least < last, level >= least > last

    def _advance(self, now_us: int, asks_to_arm: bool, asks_to_disarm: bool) -> None:
        """One step with the throttle low. What a phase comes to shows one step later."""
        elapsed_us = now_us - self._since_us
        if self._phase is ArmingPhase.DISARMED:
            self.state = "Disarmed"
            if asks_to_arm and self._may_arm():
                self._begin(ArmingPhase.ARMING, now_us)
        elif self._phase is ArmingPhase.ARMING:
            self.state = "Arming"
            if not asks_to_arm:
                self._phase = ArmingPhase.DISARMED
            elif elapsed_us > self._arming_us:
                self._phase = ArmingPhase.ARMED
        elif self._phase is ArmingPhase.ARMED:
            self.state = "Armed"
            self._begin(ArmingPhase.IDLE, now_us)
        elif self._phase is ArmingPhase.IDLE:
            self._idle(now_us, asks_to_disarm)
        elif not asks_to_disarm:
            self._phase = ArmingPhase.ARMED
        elif elapsed_us > self._disarming_us:
            self._phase = ArmingPhase.DISARMED

    def _idle(self, now_us: int, asks_to_disarm: bool) -> None:
        """Armed with the throttle low: it may be forgotten, or be asked to disarm. An aircraft
        that flies by itself is not forgotten."""
        if self._status.fields["ControlChain"][_PATH_FOLLOWER]:
            self._since_us = now_us
        if 0 < self._timeout_us < now_us - self._since_us:
            self._phase = ArmingPhase.DISARMED
        if asks_to_disarm:
            self._begin(ArmingPhase.DISARMING, now_us)

    def _begin(self, phase: ArmingPhase, now_us: int) -> None:
        self._phase = phase
        self._since_us = now_us

    def _take_alarms(self) -> None:
        alarms = self._alarms.fields["Alarm"].tolist()
        self._is_forced = any(alarms[index] == self._critical for index in self._forcing)

    def _may_arm(self) -> bool:
        self._check_configuration()
        return not self._has_forbidding_alarm() and self._is_mode_armable()

    def _has_forbidding_alarm(self) -> bool:
        severities = self._alarms.fields["Alarm"].tolist()
        return any(
            severity >= self._critical and name not in _TOLERATED_ALARMS
            for name, severity in zip(self._alarm_names, severities, strict=True)
        )

    def _is_mode_armable(self) -> bool:
        """Nothing that would start by itself once armed, but what is meant to."""
        if self._status.option("AlwaysStabilizeWhenArmed") == "True":
            return False
        mode = self._status.option("FlightMode")
        if mode not in HAND_FLOWN:
            return mode in _ARMABLE_BY_THEMSELVES
        thrust = self._desired.option("StabilizationMode", _THRUST)
        is_assisted = self._status.option("FlightModeAssist") == "GPSAssist"
        return thrust not in _CLIMBING_THRUST and not is_assisted
