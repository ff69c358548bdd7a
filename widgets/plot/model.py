"""What a plot shows and how it moves, apart from any painting.

The model turns a recording and a cursor into a `PlotFrame`: stretch of time, range of values, and
the points of each curve. It builds the points only when something they depend on has moved.
"""

from dataclasses import dataclass

import numpy as np

from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from widgets.plot.curve import Curve
from widgets.plot.peaks import Floats
from widgets.plot.silence import common_silences
from widgets.plot.time_view import Moment, TimeView
from widgets.plot.window import LEAST_SPANS, Span, fit_values

# Kinds of events that are marked, with the field whose curve would tell the same.
_EVENT_FIELDS = {
    "arming": "FlightStatus.Armed",
    "mode": "FlightStatus.FlightMode",
    "reboot": "",
    "failsafe": "",
    "sticks": "",
    "link": "",
    "marker": "",
}
_LANE = (0.14, 0.62)
_MOST_EVENTS = 300


@dataclass(frozen=True, slots=True)
class Scale:
    """How a curve's values become heights on the value axis."""

    gain: float = 1.0
    offset: float = 0.0

    def height(self, value: float) -> float:
        """Where on the axis `value` is drawn."""
        return value * self.gain + self.offset


@dataclass(frozen=True, slots=True, eq=False)
class PlotFrame:
    """One picture of the plot. `points` belong to `curves`, and are None if nothing moved.

    `scales` says where on the value axis each curve's values are drawn; `silences` where none
    of the curves has any.
    """

    time: Span
    values: Span
    curves: tuple[Curve, ...]
    scales: tuple[Scale, ...]
    points: tuple[tuple[Floats, Floats], ...] | None
    events: tuple[Event, ...]
    silences: tuple[Span, ...]


class PlotModel:
    """Curves, the window of time, the range of values."""

    def __init__(self) -> None:
        self.time = TimeView()
        self.curves: list[Curve] = []
        self.is_autoscaled = True
        self.is_normalised = False
        self.shows_events = True
        self.values: Span | None = None
        self._recording: Recording | None = None
        self._built: tuple[object, ...] = ()
        self._scales: tuple[Scale, ...] = ()

    # Curves

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields plotted, in the order in which they were added."""
        return tuple(curve.path for curve in self.curves)

    def curve(self, path: str) -> Curve | None:
        """The curve of a field, if it is plotted."""
        return next((curve for curve in self.curves if curve.path == path), None)

    def add(self, path: str) -> bool:
        """Plot a field in the first free colour; False if it is plotted already."""
        if path in self.paths:
            return False
        used = {curve.series for curve in self.curves}
        series = next(number for number in range(len(self.curves) + 1) if number not in used)
        self.curves.append(Curve(path, series))
        self._refit()
        return True

    def remove(self, path: str) -> None:
        """Plot a field no longer. Unknown ones are no error."""
        self.curves = [curve for curve in self.curves if curve.path != path]
        self._refit()

    def clear(self) -> None:
        """Remove all curves."""
        self.curves = []
        self._refit()

    def toggle(self, path: str) -> None:
        """Hide or show a curve."""
        curve = self.curve(path)
        if curve is not None:
            curve.is_shown = not curve.is_shown
            self._refit()

    def _refit(self) -> None:
        if self.is_autoscaled:
            self.values = None

    # Window

    @property
    def span(self) -> Span | None:
        """The time shown; None before the first frame."""
        return self.time.span

    def pan(self, by_s: float, by_value: float) -> None:
        """Move the window and let it rest there; values move only where they are set by hand."""
        self.time.pan(by_s)
        if not self.is_autoscaled and self.values is not None:
            self.values = self.values.moved(by_value)

    def zoom_values(self, factor: float, at: float) -> None:
        """Show `factor` times as large a range of values, set by hand from now on."""
        if self.values is not None and not self.is_normalised:
            self.values = self.values.zoomed(factor, at)
            self.is_autoscaled = False

    def set_autoscaled(self, is_autoscaled: bool) -> None:
        """Fit values to the data, or leave them as they are."""
        self.is_autoscaled = is_autoscaled
        self._refit()

    def set_normalised(self, is_normalised: bool) -> None:
        """Stretch every curve over the whole height, to compare shapes in different units."""
        self.is_normalised = is_normalised
        self.is_autoscaled = True
        self.values = None

    def fit(self) -> None:
        """Show all of a recorded flight, or follow a live one again; fit the values."""
        self.time.fit()
        self.set_autoscaled(True)

    # Frames

    def attach(self, recording: Recording | None) -> None:
        """Read from another recording."""
        if recording is not self._recording:
            self._recording = recording
            self.values = None
            self._built = ()

    def build_anew(self) -> None:
        """Have the next frame bring its points, although nothing may have moved."""
        self._built = ()

    def frame(self, moment: Moment, columns: int) -> PlotFrame:
        """What to show now, with curves reduced to `columns` pixels."""
        self.time.attach(self._recording)
        span = self.time.follow(moment)
        for curve in self.curves:
            curve.attach(self._recording)
        shown = tuple(curve for curve in self.curves if curve.is_shown)
        # A held value is drawn up to the newest sample of all, so that one counts too.
        held_until = moment.flight.stop
        counts = tuple((curve.path, curve.count) for curve in shown)
        state = (span, counts, columns, self.is_normalised, self._end_seen(shown, held_until))
        points: tuple[tuple[Floats, Floats], ...] | None = None
        if state != self._built or self.values is None:
            self._built = state
            points = self._scaled(
                shown, [curve.points(span, columns, held_until) for curve in shown]
            )
        values = self.values or Span(0.0, 1.0)
        silences = self._silences(shown, span, max(held_until, moment.t))
        return PlotFrame(span, values, shown, self._scales, points, self._events(span), silences)

    @staticmethod
    def _end_seen(shown: tuple[Curve, ...], end_s: float) -> float | None:
        return end_s if any(curve.is_stepped for curve in shown) else None

    @staticmethod
    def _silences(shown: tuple[Curve, ...], span: Span, until: float) -> tuple[Span, ...]:
        found = [curve.silences(span, until) for curve in shown]
        return common_silences([silences for silences in found if silences is not None])

    def _scaled(
        self, shown: tuple[Curve, ...], points: list[tuple[Floats, Floats]]
    ) -> tuple[tuple[Floats, Floats], ...]:
        """Choose the range of values and where each curve lies in it; return points as drawn."""
        extremes = [_extremes(y) for _, y in points]
        if self.is_normalised:
            self.values = Span(-0.05, 1.05)
            self._scales = tuple(_stretched(low, high, 0.0, 1.0) for low, high in extremes)
        elif has_lanes(shown):
            self.values = Span(0.0, float(len(shown)))
            self._scales = tuple(
                _stretched(low, high, lane + _LANE[0], lane + _LANE[1])
                for lane, (low, high) in zip(reversed(range(len(shown))), extremes, strict=True)
            )
        else:
            self._scales = tuple(Scale() for _ in shown)
            least = max((LEAST_SPANS.get(curve.unit, 0.0) for curve in shown), default=0.0)
            self._fit_values(extremes, least)
            return tuple(points)
        return tuple(
            (x, y * scale.gain + scale.offset)
            for (x, y), scale in zip(points, self._scales, strict=True)
        )

    def _fit_values(self, extremes: list[tuple[float, float]], least: float) -> None:
        if self.is_autoscaled or self.values is None:
            lows = [low for low, _ in extremes if np.isfinite(low)]
            highs = [high for _, high in extremes if np.isfinite(high)]
            low, high = (min(lows), max(highs)) if lows else (np.nan, np.nan)
            self.values = fit_values(self.values, low, high, least)

    def _events(self, span: Span) -> tuple[Event, ...]:
        """Events in sight, without those that a curve already shows."""
        if self._recording is None or not self.shows_events or not self.curves:
            return ()
        kinds = {kind for kind, path in _EVENT_FIELDS.items() if path not in self.paths}
        found = [
            event
            for event in self._recording.events()
            if event.kind in kinds and span.start <= event.t <= span.stop
        ]
        return tuple(found[:_MOST_EVENTS])


def has_lanes(curves: tuple[Curve, ...]) -> bool:
    """Whether every curve gets a lane of its own: when all show options, which share no scale."""
    return bool(curves) and all(curve.is_enum for curve in curves)


def _extremes(values: Floats) -> tuple[float, float]:
    if not len(values):
        return np.nan, np.nan
    return float(np.fmin.reduce(values)), float(np.fmax.reduce(values))


def _stretched(low: float, high: float, bottom: float, top: float) -> Scale:
    """The scale that puts `low` at `bottom` and `high` at `top`; what never moves lies between."""
    if not high > low:
        return Scale(0.0, (bottom + top) / 2)
    gain = (top - bottom) / (high - low)
    return Scale(gain, bottom - low * gain)
