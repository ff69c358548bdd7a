"""Release rules: what goes out when those who fly are not there, and when it goes on.

Whoever flies is asked for signs of life: the window, while on-screen sticks or the keyboard fly by
hand, and the device that flies. Without one for 0.15 s the table of lost sticks says what goes out.
What is back within a second goes on by itself, as a radio does after a fade. What is longer, and
whatever ends the stream for good, goes on only when the pilot asks for it again: by then the
aircraft is on its failsafe, and a stick that lies anywhere must not take it back from there.

A guided mode needs nobody's sign of life. But where the board may have been without sticks for so
long that its failsafe has acted, because the station stood still or the link was lost, only the
board knows whether that mode still stands: it is asked, and nothing is sent before its answer.
"""

import math
from dataclasses import dataclass, field
from typing import Final, Literal

from telemetry.flying.transmitter.board_word import BoardWord
from telemetry.flying.transmitter.lost_sticks import TURNS, LostSticksRow
from telemetry.recording.mode_words import mode_words
from telemetry.vehicle.vehicle import LATE_S

HOLD_AFTER_S: Final = 0.15
"""A sign of life is good for so long; the window gives one every 0.025 s, a device every 0.02 s."""
FADE_S: Final = 1.0
PATIENCE_S: Final = 0.45
"""So long without sticks no board is on its failsafe: at the soonest it is after one turn of 256 ms
(pios_gcsrcvr.c) and ten cycles of 20 ms (receiver.c)."""
LINK_LOST_S: Final = LATE_S + 0.1
"""A board whose telemetry is thinned out to its statistics is heard once a second, a little late at
times."""
_SETTLING_SHARE: Final = 0.25
_LONGEST_SETTLING_S: Final = 1.0
"""What a board said while the station stood still is read after that: it is not taken for new for
so long, by how long that was. After less than `FADE_S` a wait would itself bring the failsafe, and
what was read too early is put right by what the board says next."""

_ASK_EVERY_S: Final = 0.25
_ASK_SILENT_S: Final = 2.0
"""What is asked into silence is tried for 0.75 s each; the answer that counts waits behind it."""

DevicePresence = Literal["there", "gone", "none"]
_AGAIN = "Press Fly by hand to take over again."
DEVICE = "The input device, or the behaviour in its place,"
# What has ended a stream is told as what was: it may be over while the words still stand.
GONE = f"{DEVICE} was lost. Plug it in, or choose another, and take over again."
SILENT_DEVICE = f"{DEVICE} fell silent."
SILENT_WINDOW = "The window did not answer."
STOOD_STILL = f"The station stood still or the computer slept. {_AGAIN}"
LINK_LOST = f"Nothing was heard of the aircraft for {LINK_LOST_S:.0f} s. {_AGAIN}"
ON_FAILSAFE = f"The aircraft heard no sticks for too long. {_AGAIN}"
UNSURE = "It is not known whether the aircraft still flies {mode}."
NOT_RESUMED = "{mode} has ended on board. Choose it again to go on."
UNHEARD = "The aircraft heard no sticks for too long. Choose {mode} again to go on."
TAKEN = f"Something else took the aircraft. {_AGAIN}"
LOST_FOCUS = f"Another window took the keys and the mouse. {_AGAIN}"
RELEASED = f"You have let go. {_AGAIN}"
OUT_OF_SIGHT = f"The controls went out of sight. {_AGAIN}"
FAILED = f"The transmitter has failed; details are in the log. {_AGAIN}"


@dataclass(frozen=True, slots=True)
class Signs:
    """What is known at one step of those who fly.

    A device is "gone" that was there when the pilot took it, and "none" where there never was one.
    `since_step_s` is how long ago the step before was, `window_s` and `device_s` how old the signs
    of life are. `no_right` is why the aircraft is somebody else's now, "" if it is not; `let_go`
    why the pilot has let go. `mode` is the flight mode that is asked for, `row` what the table
    says of what is flown.
    """

    since_step_s: float = 0.0
    window_s: float = 0.0
    device: DevicePresence = "there"
    device_s: float = 0.0
    no_right: str = ""
    let_go: str = ""
    board: BoardWord = field(default_factory=BoardWord)
    mode: str = ""
    row: LostSticksRow = TURNS


@dataclass(frozen=True, slots=True)
class StreamVerdict:
    """What goes out: the pilot's sticks, where there is no `why` against them; else what the `row`
    says, or nothing at all. `asks_board`: the board is to be asked now."""

    why: str = ""
    row: LostSticksRow | None = None
    asks_board: bool = False


@dataclass(frozen=True, slots=True)
class _Absence:
    """Who flies is not there: why, since when its sticks are held, and whether for good."""

    why: str
    since_s: float
    is_lasting: bool


class Release:
    """Rules over one flight from asking to asking. `ended` says why nothing goes out any more."""

    def __init__(self) -> None:
        self.ended = ""
        self._absence: _Absence | None = None
        self._begun_s: float | None = None
        self._was_received = False
        """Whether the board has said since it was asked for that it takes the station's sticks."""
        self._doubted_s: float | None = None
        """When the board's word of before ceased to count."""
        self._board_asked_s = -math.inf

    def end(self, why: str) -> None:
        """End the stream."""
        self.ended = why

    def judge(self, now_s: float, signs: Signs, *, by_hand: bool, by_device: bool) -> StreamVerdict:
        """What goes out at this step.

        `by_hand`: sticks set attitude or rates; `by_device`: the sticks come from a device.
        """
        if self._begun_s is None:
            self._begun_s = now_s
        if signs.no_right:
            self.ended = self.ended or TAKEN
            return StreamVerdict(signs.no_right)
        if not self.ended:
            self.ended = self._why_over(now_s, signs, by_hand=by_hand)
        if self.ended:
            return StreamVerdict(self.ended)
        if not by_hand and (verdict := self._ask(now_s, signs)):
            return verdict
        return self._hold(now_s, signs, by_hand=by_hand, by_device=by_device)

    def _why_over(self, now_s: float, signs: Signs, *, by_hand: bool) -> str:
        if signs.let_go and not by_hand:
            return signs.let_go
        if by_hand and signs.since_step_s > FADE_S:
            return STOOD_STILL
        if by_hand and signs.board.silent_s > LINK_LOST_S:
            return LINK_LOST
        if self._says_failsafe(now_s, signs.board):
            return ON_FAILSAFE if by_hand else _why_not_resumed(signs)
        return ""

    def _says_failsafe(self, now_s: float, board: BoardWord) -> bool:
        """Whether the board took the sticks, and says by now that its failsafe acts. What it said
        before it could have heard any is about something else."""
        is_about_these = now_s - board.receiver_age_s > (self._begun_s or now_s)
        if is_about_these and not board.is_on_failsafe:
            self._was_received = True
        return is_about_these and self._was_received and board.is_on_failsafe

    def _ask(self, now_s: float, signs: Signs) -> StreamVerdict | None:
        """Nothing before the board's answer, where its failsafe may have acted."""
        board, stall_s = signs.board, signs.since_step_s
        if stall_s > PATIENCE_S:
            settling_s = min(stall_s * _SETTLING_SHARE, _LONGEST_SETTLING_S)
            self._doubted_s = now_s + (settling_s if stall_s > FADE_S else 0.0)
        if board.silent_s > LINK_LOST_S:
            self._doubted_s = now_s
        if self._doubted_s is None:
            return None
        if now_s - max(board.status_age_s, board.receiver_age_s) <= self._doubted_s:
            every_s = _ASK_EVERY_S if board.silent_s <= LINK_LOST_S else _ASK_SILENT_S
            is_due = now_s - self._board_asked_s > every_s
            if is_due:
                self._board_asked_s = now_s
            return StreamVerdict(UNSURE.format(mode=mode_words(signs.mode)), asks_board=is_due)
        self._doubted_s = None
        if (board.mode, board.armed) == (signs.mode, "Armed") and not board.is_on_failsafe:
            return None
        self.ended = _why_not_resumed(signs)
        return StreamVerdict(self.ended)

    def _hold(self, now_s: float, signs: Signs, *, by_hand: bool, by_device: bool) -> StreamVerdict:
        if self._absence is None or not self._absence.is_lasting:
            self._absence = _absence(now_s, signs, by_hand=by_hand, by_device=by_device)
        absence = self._absence
        if absence is None:
            return StreamVerdict()
        if now_s - absence.since_s <= signs.row.for_s:
            return StreamVerdict(absence.why, signs.row)
        if absence.is_lasting:
            self.ended = absence.why
        return StreamVerdict(absence.why)


def _why_not_resumed(signs: Signs) -> str:
    """A failsafe may leave the mode as it is (FailsafeFlightModeSwitchPosition -1)."""
    board = signs.board
    stands = (board.mode, board.armed) == (signs.mode, "Armed")
    return (UNHEARD if stands else NOT_RESUMED).format(mode=mode_words(signs.mode))


def _absence(now_s: float, signs: Signs, *, by_hand: bool, by_device: bool) -> _Absence | None:
    if signs.let_go:
        return _Absence(signs.let_go, now_s, True)
    if by_device and signs.device == "gone":
        return _Absence(GONE, now_s, True)
    if by_device and signs.device == "none":  # there is no stick whose place is held
        return _Absence(GONE, -math.inf, True) if by_hand else None
    if by_device:
        why, silent_s = SILENT_DEVICE, signs.device_s
    elif by_hand:
        why, silent_s = SILENT_WINDOW, signs.window_s
    else:
        return None
    if silent_s <= HOLD_AFTER_S:
        return None
    is_lasting, since_s = silent_s > FADE_S, now_s - silent_s + HOLD_AFTER_S
    return _Absence(f"{why} {_AGAIN}" if is_lasting else why, since_s, is_lasting)
