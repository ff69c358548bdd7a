"""Arming procedure: arming, and taking off by AutoTakeoff, step by step and by sticks alone.

No I/O and no clock: what the aircraft has told and the time go in, where the sticks have to be
comes out. The manoeuvres of buttons and scripts and the scripted pilot of scenarios fly by it.

The order is firmware's (armhandler.c, manualcontrol.c and vtolautotakeoffcontroller.cpp of
LibrePilot): a change to AutoTakeoff is ignored while armed, so that it is selected first; arming
is an edge, so that a switch that was on while an alarm forbade arming has to be lowered; only when
it is armed the throttle is raised above the limit of 0.3 that starts the take-off. The height to
climb to is set when AutoTakeoff is selected (plan_setup_AutoTakeoff of plans.c), so that it is
selected anew when the estimate of the position has had time to change since, or when something
forbade arming since: an estimator that starts in between puts the ground elsewhere.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Final

from telemetry.base.finding import Finding, Level
from telemetry.configuration.arming.by_sticks import (
    AUTO_TAKEOFF,
    NOT_KNOWN,
    check_arming_by_sticks,
    check_take_off,
    gesture_on_board,
    gesture_sticks,
    no_position,
    position_by_hand,
    position_of,
    values_of,
)
from telemetry.configuration.arming.checklist import (
    Checklist,
    Read,
    RememberedChecklist,
    arming_checklist,
)
from telemetry.configuration.arming.settled_position import Past, check_position_for_take_off
from telemetry.configuration.flight_modes.arming_gestures import Gesture
from telemetry.configuration.flight_modes.setup import (
    FlightModeSetup,
    Position,
    keeper_of,
    read_setup,
)
from telemetry.recording.mode_words import mode_words
from telemetry.recording.sample import ReadValues
from telemetry.vehicle.sticks import Sticks

TAKE_OFF_THROTTLE: Final = 0.6
SELECTED_WITHIN_S: Final = 3.0
"""So long the board may take to hear the sticks and to say that the mode is selected."""
ARMING_WITHIN_S: Final = 1.0
"""Without Arming so long after the edge it has refused; without Armed so long after the gesture
was held for ArmingSequenceTime, too."""
RELEASED_S: Final = 1.0
"""So long the arming control is released between two edges."""
SELECTED_ANEW_S: Final = 2.0
"""AutoTakeoff that was selected earlier than so long before the edge is selected anew."""
AIRBORNE_M: Final = 0.5
_SEEN_RELEASED_S = 0.2
_LOOK_EVERY_S = 0.1
_CLIMBING = ("Takeoff", "Hold")
_JUDGED_AT_THE_EDGE = "alarm SystemConfiguration"
"""Firmware checks the configuration when some of its settings change, and when it is to arm
(okToArm of armhandler.c): what was mended by others shows only then."""


class ArmingStage(Enum):
    """How far it has come, as the words a person reads."""

    SELECTING = "selecting the flight mode"
    WAITING = "waiting until nothing forbids arming"
    LEAVING = "selecting the flight mode anew"
    ASKING = "arming"
    ARMING = "arming, held"
    RELEASING = "refused by the board, and trying again"
    ARMED = "armed"
    STARTING = "taking off"
    CLIMBING = "climbing"
    REFUSED = "refused"


class ArmingProcedure:
    """Arms once, in the mode given, for as long as `update` is called.

    `sticks` is where the sticks have to be, `stage` how far it is, `obstacle` what stands or stood
    in the way, in the checklist's words; `has_armed` stays once it was armed. REFUSED is the end of
    it with the throttle cut, ARMED and CLIMBING are its good ends: from CLIMBING on it asks for
    nothing any more.
    """

    def __init__(self, mode: str = "", takes_off: bool = False, past: Past | None = None) -> None:
        """Without a `mode` it arms for flying by hand; `takes_off` is for AutoTakeoff only, which
        waits for a position that stands still where `past` shows how it was."""
        self.stage = ArmingStage.SELECTING
        self.sticks = Sticks()
        self.obstacle: Finding | None = None
        self.has_armed = False
        self._mode = AUTO_TAKEOFF if takes_off else mode
        self._takes_off = takes_off
        self._past = past
        self._since: float | None = None
        self._gesture: Gesture | None = None
        self._held_s = 0.0
        self._look_at = 0.0
        self._checklist = RememberedChecklist()
        self._ground_m = math.nan
        self._not_selected_at = self._forbidden_at = -math.inf
        self._index = self._elsewhere = 0
        self._told_before = b""
        self._steps: dict[ArmingStage, Callable[[float, Read], None]] = {
            ArmingStage.SELECTING: self._wait_for_mode,
            ArmingStage.WAITING: self._wait_for_permission,
            ArmingStage.LEAVING: self._wait_for_another_mode,
            ArmingStage.ASKING: self._wait_for_arming,
            ArmingStage.ARMING: self._wait_for_armed,
            ArmingStage.RELEASING: self._wait_released,
            ArmingStage.STARTING: self._wait_for_climb,
        }

    @property
    def reason(self) -> str:
        """What stands in the way, as a sentence; empty if nothing does."""
        found = self.obstacle
        if found is None:
            return ""
        return f"{found.title}: {found.text}" if found.title else found.text

    @property
    def is_under_way(self) -> bool:
        """Whether it still has something to do."""
        return self.stage in self._steps

    @property
    def is_armed(self) -> bool:
        """Whether it has armed the aircraft."""
        return self.stage in (ArmingStage.ARMED, ArmingStage.STARTING, ArmingStage.CLIMBING)

    def update(self, now: float, read: Read) -> None:
        """Go on, by what the aircraft has told up to `now` (seconds)."""
        if self._since is None:
            self._begin(now, read)
        elif (step := self._steps.get(self.stage)) is not None:
            step(now, read)

    def take_off(self, now: float, read: Read) -> None:
        """Raise the throttle, once it is ARMED in AutoTakeoff."""
        if _said(read, "FlightStatus", "FlightMode") != AUTO_TAKEOFF:
            self._refuse(_mode_changed(read))
            return
        self._ground_m = _down_m(read)
        self._told_before = _take_off_status(read)
        self._enter(ArmingStage.STARTING, now)
        self.sticks = replace(self.sticks, throttle=TAKE_OFF_THROTTLE)

    def _no_position(self, values: ReadValues) -> Finding:
        wanted = mode_words(self._mode) or "a mode to fly by hand that can be armed in"
        return no_position("no-position", wanted, values)

    # The stages

    def _begin(self, now: float, read: Read) -> None:
        found = (check_take_off if self._takes_off else check_arming_by_sticks)(read)
        if found is not None and found.code == NOT_KNOWN:
            self.obstacle = found
            return
        values = values_of(read)
        setup = read_setup(values)
        position = None if found is not None else self._position(setup)
        self._gesture = gesture_on_board(values)
        if position is None or self._gesture is None:
            self._refuse(found or self._no_position(values))
            return
        self.obstacle = None
        self._mode = position.mode
        held_ms = values(keeper_of("Arming", values)).get("ArmingSequenceTime", 0)
        self._held_s = float(held_ms) / 1000.0
        self._index, self._elsewhere = position.index, _another_position(position, setup)
        self._select(now, read)

    def _select(self, now: float, read: Read) -> None:
        self._is_selected(now, read)
        self._enter(ArmingStage.SELECTING, now)
        self.sticks = Sticks(flight_mode_position=self._index)

    def _wait_for_mode(self, now: float, read: Read) -> None:
        if self._is_selected(now, read):
            self._enter(ArmingStage.WAITING, now)
        elif self._waited(now) > SELECTED_WITHIN_S:
            self._refuse(_not_selected(self._mode, read))

    def _wait_for_permission(self, now: float, read: Read) -> None:
        """Firmware judges at the instant of the edge, which therefore waits."""
        if not self._is_selected(now, read):
            self._enter(ArmingStage.SELECTING, now)
            return
        if self._waited(now) < _SEEN_RELEASED_S or now < self._look_at or self._gesture is None:
            return
        self._look_at = now + _LOOK_EVERY_S
        checklist = self._checklist.judged(read)
        if checklist.is_armed:
            self._armed(now, read)
        elif any(found.code != _JUDGED_AT_THE_EDGE for found in checklist.blocking):
            self.obstacle = _first_cause(checklist) or self.obstacle
            self._forbidden_at = now
        elif (unsettled := self._check_position()) is not None:
            self.obstacle = unsettled
        elif self._is_selected_too_early(now):
            self._enter(ArmingStage.LEAVING, now)
            self.sticks = self._away()
        else:
            self.obstacle = _first_cause(checklist)
            self._enter(ArmingStage.ASKING, now)
            self.sticks = gesture_sticks(self._gesture, self.sticks, arms=True)

    def _check_position(self) -> Finding | None:
        if self._mode != AUTO_TAKEOFF or self._past is None:
            return None
        return check_position_for_take_off(self._past)

    def _is_selected(self, now: float, read: Read) -> bool:
        """Whether the board says that the mode is selected, noting when it was not."""
        is_selected = _said(read, "FlightStatus", "FlightMode") == self._mode
        if not is_selected:
            self._not_selected_at = now
        return is_selected

    def _is_selected_too_early(self, now: float) -> bool:
        """Whether the height that AutoTakeoff climbs to is from an estimate that may be old: that
        of an estimator that had not started may say that it has arrived on the ground."""
        if self._mode != AUTO_TAKEOFF or self._elsewhere == self._index:
            return False
        if self._forbidden_at > self._not_selected_at:  # its estimator may have started since
            return True
        return now - self._not_selected_at > SELECTED_ANEW_S

    def _wait_for_another_mode(self, now: float, read: Read) -> None:
        if not self._is_selected(now, read):
            self._select(now, read)
        elif self._waited(now) > SELECTED_WITHIN_S:
            self._refuse(_not_left(self._mode))

    def _wait_for_arming(self, now: float, read: Read) -> None:
        armed = _said(read, "FlightStatus", "Armed")
        if armed == "Armed":
            self._armed(now, read)
        elif armed == "Arming":
            self.stage = ArmingStage.ARMING
        elif self._waited(now) > ARMING_WITHIN_S:
            self._release(now, read)

    def _wait_for_armed(self, now: float, read: Read) -> None:
        armed = _said(read, "FlightStatus", "Armed")
        if armed == "Armed":
            self._armed(now, read)
        elif armed != "Arming" or self._waited(now) > self._held_s + ARMING_WITHIN_S:
            self._release(now, read)

    def _wait_released(self, now: float, read: Read) -> None:
        if self._waited(now) > RELEASED_S:
            self._select(now, read)

    def _wait_for_climb(self, now: float, read: Read) -> None:
        """Until it surely flies, a mode that is not AutoTakeoff has the throttle cut: a stabilized
        one would run the motors up on the ground. Then never: it would fall."""
        if self._climbs(read):
            self._enter(ArmingStage.CLIMBING, now)
        elif _said(read, "FlightStatus", "FlightMode") != AUTO_TAKEOFF:
            self._refuse(_mode_changed(read))
        elif _said(read, "FlightStatus", "Armed") == "Disarmed":
            self._refuse(_failed("disarmed", "It has disarmed before it climbed.", ""))

    # Inside

    def _armed(self, now: float, read: Read) -> None:
        """Let a stick gesture go; a switch stays on."""
        self.obstacle, self.has_armed = None, True
        self.sticks = Sticks(flight_mode_position=self.sticks.flight_mode_position, arm=True)
        self._enter(ArmingStage.ARMED, now)
        if self._takes_off:
            self.take_off(now, read)

    def _release(self, now: float, read: Read) -> None:
        self.obstacle = _first_cause(arming_checklist(read)) or _NOT_SAID
        self.sticks = self._away() if self._mode == AUTO_TAKEOFF else self._at_rest()
        self._enter(ArmingStage.RELEASING, now)

    def _refuse(self, found: Finding) -> None:
        self.obstacle = found
        self.sticks = self._at_rest()
        self.stage = ArmingStage.REFUSED

    def _at_rest(self) -> Sticks:
        return Sticks(flight_mode_position=self.sticks.flight_mode_position)

    def _away(self) -> Sticks:
        """At rest in another mode."""
        return Sticks(flight_mode_position=self._elsewhere)

    def _enter(self, stage: ArmingStage, now: float) -> None:
        self.stage, self._since = stage, now

    def _waited(self, now: float) -> float:
        return 0.0 if self._since is None else now - self._since

    def _position(self, setup: FlightModeSetup) -> Position | None:
        return position_of(self._mode, setup) if self._mode else position_by_hand(setup)

    def _climbs(self, read: Read) -> bool:
        """By height, or by a status that has changed since: firmware leaves that of the flight
        before standing until it starts (VtolAutoTakeoffFSM::Inactive)."""
        if self._ground_m - _down_m(read) > AIRBORNE_M:
            return True
        is_new = _take_off_status(read) != self._told_before
        state = _said(read, "StatusVtolAutoTakeoff", "State")
        aborted = _said(read, "StatusVtolAutoTakeoff", "ControlState") == "Abort"
        return is_new and state in _CLIMBING and not aborted


def _another_position(position: Position, setup: FlightModeSetup) -> int:
    """One that selects another mode, by hand if there is one; its own if there is none."""
    others = [other for other in setup.used if other.mode != position.mode]
    other = position_by_hand(setup) or next(iter(others), position)
    return other.index


def _first_cause(checklist: Checklist) -> Finding | None:
    """What stands in the way besides the arming control, which is moved here."""
    return next((found for found in checklist.blocking if found.code != "switch"), None)


def _said(read: Read, name: str, field: str) -> str:
    """A field as text; empty where it is not known."""
    sample = read(name)
    known = sample is not None and sample.definition.has_field(field)
    return str(sample[field]) if sample is not None and known else ""


def _is_heard(read: Read) -> bool:
    return _said(read, "ManualControlCommand", "Connected") != "False"


def _down_m(read: Read) -> float:
    """NaN while it is not known, which is higher than nothing."""
    sample = read("PositionState")
    return float(sample["Down"]) if sample is not None else math.nan


def _take_off_status(read: Read) -> bytes:
    sample = read("StatusVtolAutoTakeoff")
    return sample.row.tobytes() if sample is not None else b""


def _failed(code: str, text: str, remedy: str) -> Finding:
    return Finding(Level.ERROR, code, text, remedy)


_NOT_SAID = _failed(
    "not-said",
    "The board did not arm, and nothing that it tells says why.",
    "Look at its alarms and at the checklist on the Flight modes page.",
)


def _not_selected(mode: str, read: Read) -> Finding:
    if not _is_heard(read):
        blocking = arming_checklist(read).blocking
        return next((found for found in blocking if found.code == "receiver"), _NOT_SAID)
    present = mode_words(_said(read, "FlightStatus", "FlightMode")) or "unknown"
    return _failed(
        "mode-not-selected",
        f"The switch selects {mode_words(mode)}, but the flight mode stays {present}.",
        "Disarm it; check the channel of the flight mode switch on the Receiver page.",
    )


def _not_left(mode: str) -> Finding:
    return _failed(
        "mode-not-left",
        f"The switch selects another mode, but the flight mode stays {mode_words(mode)}.",
        "Check the channel of the flight mode switch on the Receiver page.",
    )


def _mode_changed(read: Read) -> Finding:
    present = mode_words(_said(read, "FlightStatus", "FlightMode")) or "unknown"
    return _failed(
        "mode-changed",
        f"The flight mode became {present} before it climbed, so the throttle was cut.",
        "Find out what moved the flight mode switch: a failsafe, or another transmitter.",
    )
