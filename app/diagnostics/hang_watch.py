"""Hang watch: notices when the window does not answer for a while, and what it was busy with.

The window gives a sign of life with every tick while an aircraft is live. A thread looks where
the window's thread stands when that stays away, because afterwards nobody could tell.
"""

import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from telemetry.base.installation import ROOT

HANG_S = 0.3
"""A window that does not answer for so much longer than it meant to wait hangs."""
LOOK_EVERY_S = 0.1
ROOMS = ("app", "plugins", "widgets", "telemetry", "simulation")
_NOBODY = "outside Lapwing: the computer was busy or asleep"


@dataclass(frozen=True, slots=True)
class Hang:
    """The window did not answer from `started_s` on for `length_s`, on the watch's clock. `cause`
    is what it was busy with, in a word; `details` the stack.
    """

    started_s: float
    length_s: float
    cause: str
    details: str = ""


class HangWatch:
    """Call `beat` with every tick of the window, from its thread. `on_hang` is called by `beat`,
    once the window answers again.
    """

    def __init__(self, clock: Callable[[], float], on_hang: Callable[[Hang], None]) -> None:
        self._clock = clock
        self._on_hang = on_hang
        self._window_thread = threading.get_ident()
        self._beat_s: float | None = None
        self._caught: tuple[str, str] = (_NOBODY, "")
        self._is_caught = False
        self._ending, self._looking = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="lapwing-hang-watch", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more, and tell no more. Stopping twice is fine."""
        self._ending.set()
        self._looking.set()
        if self._thread.is_alive():
            self._thread.join()

    def beat(self, waited_s: float) -> None:
        """A sign of life from the window, which meant to wait so long since the last one."""
        self._looking.set()
        now, before = self._clock(), self._beat_s
        self._beat_s = now
        is_late = before is not None and now - before - waited_s > HANG_S
        if before is not None and is_late and not self._ending.is_set():
            self._on_hang(Hang(before, now - before, *self._caught))
        if self._is_caught:
            self._caught, self._is_caught = (_NOBODY, ""), False

    def rest(self) -> None:
        """Nobody minds a hang now: look no more before the next sign of life."""
        self._looking.clear()
        self._beat_s = None

    def look(self) -> None:
        """See where the window's thread stands, if it is late; the first look tells the cause."""
        beat_s = self._beat_s
        if beat_s is None or self._is_caught or self._clock() - beat_s < HANG_S:
            return
        frame = sys._current_frames().get(self._window_thread)
        if frame is not None:
            self._caught = (where(frame), "".join(traceback.format_stack(frame)))
            self._is_caught = True

    def _run(self) -> None:
        while self._looking.wait() and not self._ending.wait(LOOK_EVERY_S):
            self.look()


def where(frame: FrameType | None) -> str:
    """The innermost function of ours in a stack, as "widgets/theme.py: apply_theme"."""
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS:
            name = frame.f_code.co_name
            is_event_loop = path.name == "tick.py" and path.parent.name == "app"
            if not is_event_loop:
                return f"{path.relative_to(ROOT).as_posix()}: {name}"
        frame = frame.f_back
    return _NOBODY
