"""Time window of plots: the stretch that is shown, shared by plots that move together."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from telemetry.recording.recording import Recording
from widgets.plot.window import Span, follow_cursor
from widgets.plot.zoom_history import ZoomHistory

LIVE_WINDOW_S = 60.0
_SHORTEST_S, _LONGEST_S = 0.05, 86_400.0
_UNSET = -1.0
_FOCUS_SHARE = 0.85  # the rest stands around it


@dataclass(frozen=True, slots=True)
class Moment:
    """The cursor: `is_live` while it sticks to the end, `can_live` while a link fills the end.

    `markers` are what the user has marked, times with words; `focus` is what is worth looking at
    first.
    """

    t: float
    flight: Span
    is_live: bool = False
    can_live: bool = False
    markers: tuple[tuple[float, str], ...] = ()
    focus: Span | None = None


class TimeView:
    """A window of time that follows the cursor or rests, and a stretch that is measured."""

    def __init__(self) -> None:
        self.is_following = True
        self.span: Span | None = None
        self.measured: Span | None = None
        self._window_s: float | None = _UNSET
        self._recording: Recording | None = None
        self._can_live = False
        self._is_live = False
        self._focus_s: float | None = None
        self.history = ZoomHistory()
        self._margins: WeakKeyDictionary[object, tuple[int, int]] = WeakKeyDictionary()
        self._beside: WeakKeyDictionary[object, tuple[int, int]] = WeakKeyDictionary()

    def share_margins(
        self, plot: object, wanted: tuple[int, int], width_px: int = 0, beside_px: int = 0
    ) -> tuple[int, int]:
        """Pixels left and right of the curves that all plots agree on, so that an instant stands
        in one line; `wanted` is what one of them needs. A legend that takes `beside_px` of its
        width at the right is kept free in those that are as wide."""
        self._margins[plot] = wanted
        self._beside[plot] = width_px, beside_px
        margins = list(self._margins.values())
        beside = max(px for width, px in self._beside.values() if width == width_px)
        right = max(right for _, right in margins) + beside - beside_px
        return max(left for left, _ in margins), right

    def leave_margins(self, plot: object) -> None:
        """One of them no longer shows."""
        self._margins.pop(plot, None)
        self._beside.pop(plot, None)

    def zoom_state(self) -> tuple[bool, Span | None, float | None]:
        """What is shown, to come back to it."""
        return self.is_following, self.span, self._window_s

    def restore_zoom(self, state: tuple[bool, Span | None, float | None]) -> None:
        """Show what `zoom_state` returned."""
        self.is_following, self.span, self._window_s = state

    @property
    def window_s(self) -> float | None:
        """How much time is shown while following; None for all. Unless the user chose, a minute
        of a live flight, and of a recorded one what is worth it, or all."""
        if self._window_s == _UNSET:
            return LIVE_WINDOW_S if self._can_live else self._focus_s
        return self._window_s

    @property
    def has_focus(self) -> bool:
        """Whether there is a stretch worth looking at first."""
        return self._focus_s is not None

    def show_focus(self) -> None:
        """Show as much as is worth looking at, as when the flight was opened."""
        self._window_s = _UNSET
        self.is_following = True
        self.span = None

    @property
    def is_window_chosen(self) -> bool:
        """Whether the user chose the window."""
        return self._window_s != _UNSET

    def attach(self, recording: Recording | None) -> None:
        """Look at another recording."""
        if recording is not self._recording:
            self._recording = recording
            self.span, self.measured = None, None
            self.is_following = True

    def follow(self, moment: Moment) -> Span:
        """The time to show now. Asked again at the same moment, it is the same."""
        self._can_live, self._is_live = moment.can_live, moment.is_live
        self._focus_s = _fitting(moment.focus, moment.flight)
        if self.is_following or self.span is None:
            self.span = follow_cursor(
                self.span, self.window_s, moment.t, moment.flight, is_live=moment.is_live
            )
        return self.span

    def set_window(self, window_s: float | None) -> None:
        """Show so much time, following the cursor."""
        self._window_s = window_s
        self.is_following = True
        self.span = None

    def pan(self, by_s: float) -> None:
        """Move the window and let it rest there."""
        if self.span is not None:
            self.span = self.span.moved(by_s)
            self.is_following = False

    def zoom(self, factor: float, at: float) -> None:
        """Show `factor` times as much time, `at` staying in place.

        At the end of a live flight the window goes on following, and its length changes.
        """
        if self.span is None:
            return
        factor = min(max(factor, _SHORTEST_S / self.span.length), _LONGEST_S / self.span.length)
        if self.is_following and self._is_live:
            self._window_s = self.span.length * factor
        else:
            self.span = self.span.zoomed(factor, at)
            self.is_following = False

    def show(self, span: Span) -> None:
        """Show this stretch and let it rest there."""
        middle = (span.start + span.stop) / 2
        half = min(max(span.length, _SHORTEST_S), _LONGEST_S) / 2
        self.span = Span(middle - half, middle + half)
        self.is_following = False

    def fit(self) -> None:
        """Show all of a recorded flight, or follow a live one again."""
        self.is_following = True
        if not self._can_live:
            self.set_window(None)

    def measure(self, start: float, stop: float) -> None:
        """Measure between two instants, given in any order."""
        self.measured = Span(min(start, stop), max(start, stop))

    def stop_measuring(self) -> None:
        """Show values at the cursor again."""
        self.measured = None


def _fitting(focus: Span | None, flight: Span) -> float | None:
    """How much time shows a stretch from its beginning on; None where that is all there is."""
    if focus is None:
        return None
    window_s = focus.length / _FOCUS_SHARE
    return window_s if window_s < flight.length else None
