"""Tick: the one timer of the station, which asks each visible view to show what has come in.

It runs at up to 60 Hz while anything moves, at 4 Hz when nothing does, and at 1 Hz as long as no
live aircraft is there either and nobody touches a window. A tick that has used up its time leaves
the rest of the views for the next one, the longest overdue first, so that input is always
answered. Where ticks come late all the same, each view has to do with its least rate, and then
with less detail (see load.py).
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import Qt, QTimer

from app.refreshing.load_meter import Load, LoadMeter
from app.refreshing.wake_on_input import WakeOnInput

FRAME_MS = 16
IDLE_MS = 250
REST_MS = 1000
BUDGET_S = 0.012
_LESS_DETAIL = 0.5
LINGER_S = 0.5
"""How long the full rate is kept after the last movement."""
RESTS_AFTER_S = 5.0
"""A station without an aircraft rests when nothing has moved for so long."""

Undo = Callable[[], None]


_SHOWN_TICKS = 2
"""So many ticks that came to all views: in the first one, those of another page do not show yet."""
_LONGEST_WAIT_S = 3.0


class StationActivity(Enum):
    """What goes on in the station."""

    MOVING = "something moves"
    STILL = "nothing moves, but an aircraft is there"
    NONE = "nothing moves and no aircraft is there"


@dataclass(eq=False)
class _Waiting:
    then: Callable[[], None]
    latest_s: float
    ticks: int = 0


@dataclass(eq=False)
class _View:
    refresh: Callable[[], None]
    interval_s: float
    least_interval_s: float
    is_showing: Callable[[], bool]
    due_s: float = 0.0


class Tick:
    """Calls `begin` once a tick (with the time), then the views that are due.

    `begin` returns what goes on. `durations_s` holds the latest ticks' time in the
    views, for the benchmark.
    """

    def __init__(self, now: Callable[[], float], begin: Callable[[float], StationActivity]) -> None:
        self._now = now
        self._begin = begin
        self._views: list[_View] = []
        self._waiting: list[_Waiting] = []
        self._moved_s = now()
        self._meter = LoadMeter(FRAME_MS / 1000.0)
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.run)
        self._soon = QTimer()
        self._soon.setSingleShot(True)
        self._soon.setTimerType(Qt.TimerType.PreciseTimer)
        self._soon.timeout.connect(self._run_woken)
        self._woken_s = -math.inf
        self._rest_end = WakeOnInput(self.wake)
        self.durations_s: deque[float] = deque(maxlen=4096)

    @property
    def load(self) -> Load:
        """Whether the window keeps up."""
        return self._meter.load

    @property
    def detail(self) -> float:
        """The share of the detail in plots that there is time for."""
        return _LESS_DETAIL if self.load >= Load.TOO_HIGH else 1.0

    def add(
        self,
        refresh: Callable[[], None],
        rate_hz: float,
        is_showing: Callable[[], bool],
        least_hz: float | None = None,
    ) -> Undo:
        """Have `refresh` called up to `rate_hz` times a second while it shows; return the undo.

        Under load it is called `least_hz` times a second, where that is given and less.
        """
        least_hz = min(rate_hz, least_hz or rate_hz)
        view = _View(refresh, 1.0 / rate_hz, 1.0 / least_hz, is_showing)
        self._views.append(view)

        def undo() -> None:
            if view in self._views:
                self._views.remove(view)

        return undo

    def start(self) -> None:
        """Begin ticking."""
        self._timer.start(FRAME_MS)

    def stop(self) -> None:
        """Stop ticking. Stopping twice is fine."""
        self._timer.stop()
        self._soon.stop()
        self._rest_end.watch(False)

    def wake(self) -> None:
        """Something was touched: show everything anew at the next tick, which comes at once, or
        a frame's time after the one before that came so."""
        self._moved_s = self._now()
        for view in self._views:
            view.due_s = 0.0
        if not self._timer.isActive():
            return
        self._go_at(FRAME_MS)
        if not self._soon.isActive():
            since_ms = 1000.0 * (self._moved_s - self._woken_s)
            self._soon.start(round(max(0.0, FRAME_MS - since_ms)))

    def _run_woken(self) -> None:
        self._woken_s = self._now()
        self._timer.start()  # the next one a whole frame later
        self.run()

    def when_shown(self, then: Callable[[], None]) -> None:
        """Call `then` as soon as all views show what has just changed, and have painted it; where
        they do not get that far under load, after three seconds."""
        self._waiting.append(_Waiting(then, self._now() + _LONGEST_WAIT_S))

    @property
    def interval_ms(self) -> int:
        """Time between two ticks at present."""
        return self._timer.interval()

    def run(self) -> None:
        """One tick."""
        started = self._now()
        if self._timer.interval() in (IDLE_MS, REST_MS):
            self._meter.rest()
        else:
            self._meter.take(started)
        activity = self._begin(started)
        if activity is StationActivity.MOVING:
            self._moved_s = started
        self._call_waiting(started)
        due = [view for view in self._views if view.due_s <= started and view.is_showing()]
        due.sort(key=lambda view: view.due_s)
        for view in due:
            is_loaded = self.load >= Load.HIGH
            interval_s = view.least_interval_s if is_loaded else view.interval_s
            view.due_s = max(view.due_s + interval_s, started + interval_s / 2)
            view.refresh()
            if self._now() - started > BUDGET_S:
                break
        else:
            for one in self._waiting:
                one.ticks += 1
        self.durations_s.append(self._now() - started)
        self._pace(started, activity)

    def refresh_all(self) -> None:
        """Refresh every visible view now, whatever it costs: before a picture is taken."""
        self._meter.rest()  # with all detail
        self._begin(self._now())
        for view in list(self._views):
            if view.is_showing():
                view.refresh()

    def _call_waiting(self, now: float) -> None:
        ready = [w for w in self._waiting if w.ticks >= _SHOWN_TICKS or now >= w.latest_s]
        self._waiting = [one for one in self._waiting if one not in ready]
        for one in ready:
            one.then()

    def _pace(self, now: float, activity: StationActivity) -> None:
        if not self._timer.isActive():
            return
        still_s = now - self._moved_s
        if still_s <= LINGER_S or self._waiting:
            self._go_at(FRAME_MS)
        elif activity is StationActivity.NONE and still_s > RESTS_AFTER_S:
            self._go_at(REST_MS)
        else:
            self._go_at(IDLE_MS)

    def _go_at(self, interval_ms: int) -> None:
        if self._timer.interval() != interval_ms:
            self._timer.start(interval_ms)
            self._rest_end.watch(interval_ms == REST_MS)
