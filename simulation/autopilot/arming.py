"""Arming: the state machine between the pilot's arming control and spinning motors.

Settings: FlightModeSettings (Arming, the sequence times, ArmedTimeout). The rules are the
firmware's: arming and disarming need low throttle and a held control, arming also the absence of
alarms that forbid it. A low throttle stick alone never ends a flight with automatic thrust.
"""

from enum import Enum
from typing import NamedTuple

from simulation.autopilot.board import SimulatedBoard

_THRESHOLD = 0.5
# Alarms that say something about the link or the fix, not about being able to fly by hand.
_TOLERATED_ALARMS = frozenset({"GPS", "Telemetry"})
HAND_FLOWN = frozenset({"Manual", *(f"Stabilized{i}" for i in range(1, 7))})


class Refusal(Enum):
    """Why the aircraft does not arm although its pilot asks for it."""

    THROTTLE = "The throttle is not at its lowest position."
    MODE = "This flight mode cannot be armed in; choose a stabilized mode or AutoTakeoff."
    ALARM = "An alarm forbids arming."


class ArmingInputs(NamedTuple):
    """What arming depends on besides time: sticks, flight mode and whether it stands."""

    throttle_low: bool
    level: float
    mode: str
    is_standing: bool
    connected: bool


class Arming:
    """Decides FlightStatus.Armed; `refusal` says why a request to arm is not followed."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._settings = board["FlightModeSettings"]
        self._alarms = board["SystemAlarms"]
        self._command = board["ManualControlCommand"]
        self._accessory = board["AccessoryDesired"]
        self.state = "Disarmed"
        self.refusal: Refusal | None = None
        self._since_us = 0
        self._idle_since_us: int | None = None
        self._asked_off_since_us: int | None = None
        self._must_release = False
        self._settings.subscribe(self._take_settings)
        self._take_settings()

    @property
    def is_armed(self) -> bool:
        """Whether motors may spin."""
        return self.state == "Armed"

    def disarm(self) -> None:
        """Disarm now: the aircraft has landed by itself. The control must be released first."""
        self.state = "Disarmed"
        self._must_release = True

    def update(self, now_us: int, mode: str, is_standing: bool) -> None:
        """Advance the state machine to `now_us` for the sticks as they are on the board."""
        sticks = self._command.fields
        situation = ArmingInputs(
            throttle_low=float(sticks["Throttle"]) < 0.0,
            level=self._level(),
            mode=mode,
            is_standing=is_standing,
            connected=bool(sticks["Connected"]),
        )
        if situation.connected and situation.level > -_THRESHOLD:
            self._must_release = False
        self.refusal = None
        if self.state == "Armed":
            self._update_armed(now_us, situation)
        else:
            self._update_disarmed(now_us, situation)

    def _take_settings(self) -> None:
        row = self._settings.row
        self._method = self._settings.option("Arming")
        self._axis, _, self._direction = self._method.partition(" ")
        self._arming_us = int(row["ArmingSequenceTime"]) * 1000
        self._disarming_us = int(row["DisarmingSequenceTime"]) * 1000
        self._timeout_us = int(row["ArmedTimeout"]) * 1000

    def _level(self) -> float:
        """The arming control: -1 asks to arm, +1 asks to disarm."""
        if self._axis == "Accessory":
            index = int(self._direction)
            rows = self._accessory.rows
            return -float(rows[index]["AccessoryVal"]) if index < len(rows) else 1.0
        if self._axis == "Always":
            return -1.0 if self._direction == "Armed" else 1.0
        sign = 1.0 if self._direction in ("Left", "Forward") else -1.0
        return sign * float(self._command.fields[self._axis])

    def _update_disarmed(self, now_us: int, situation: ArmingInputs) -> None:
        wants = situation.level <= -_THRESHOLD and situation.connected and not self._must_release
        self.refusal = self._refusal(situation) if wants else None
        if not wants or self.refusal is not None:
            self.state = "Disarmed"
        elif self.state == "Disarmed":
            self.state = "Arming"
            self._since_us = now_us
        elif now_us - self._since_us >= self._arming_us:
            self.state = "Armed"
            self._idle_since_us = self._asked_off_since_us = None
        if self.state == "Arming" and self._method == "Always Armed":
            self.state = "Armed"

    def _update_armed(self, now_us: int, situation: ArmingInputs) -> None:
        """Disarm when asked to with low throttle, in any mode; by itself only when it idles."""
        if not situation.throttle_low or self._method == "Always Armed":
            self._idle_since_us = self._asked_off_since_us = None
            return
        idles = situation.is_standing or situation.mode in HAND_FLOWN
        self._idle_since_us = _since(self._idle_since_us, now_us, idles)
        asks = situation.level >= _THRESHOLD
        self._asked_off_since_us = _since(self._asked_off_since_us, now_us, asks)
        timed_out = self._timeout_us > 0 and _lasted(self._idle_since_us, now_us, self._timeout_us)
        if timed_out or _lasted(self._asked_off_since_us, now_us, self._disarming_us):
            self.state = "Disarmed"
            self._must_release = True

    def _refusal(self, situation: ArmingInputs) -> Refusal | None:
        if not situation.throttle_low:
            return Refusal.THROTTLE
        if situation.mode not in HAND_FLOWN and situation.mode != "AutoTakeoff":
            return Refusal.MODE
        return Refusal.ALARM if self._has_forbidding_alarm() else None

    def _has_forbidding_alarm(self) -> bool:
        field = self._alarms.definition.field_named("Alarm")
        critical = field.option_number("Critical")
        severities = self._alarms.fields["Alarm"].tolist()
        return any(
            severity >= critical and name not in _TOLERATED_ALARMS
            for name, severity in zip(field.element_names, severities, strict=True)
        )


def _since(since_us: int | None, now_us: int, holds: bool) -> int | None:
    """When a condition began to hold, None while it does not."""
    if not holds:
        return None
    return now_us if since_us is None else since_us


def _lasted(since_us: int | None, now_us: int, span_us: int) -> bool:
    return since_us is not None and now_us - since_us >= span_us
