"""Plot model: what a plot shows and how it moves, apart from any painting.

The model turns a recording and a cursor into a `PlotFrame`: stretch of time, range of values, and
the points of each curve. It builds the points only when something they depend on has moved.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.review.flights.sync import Sync
from widgets.change_detector import ChangeDetector
from widgets.display_units import METRIC
from widgets.plot.curve import NO_DATA, Curve, CurveStyle
from widgets.plot.peaks import Floats
from widgets.plot.readers import difference_path, path_in_log
from widgets.plot.silence import common_silences
from widgets.plot.time_view import Moment, TimeView
from widgets.plot.value_axes import Scale, ValueAxis, arrange_axes, moved, own_scale, scale_onto
from widgets.plot.window import Span

# Kinds of events that are marked, with the field whose curve would tell the same.
_EVENT_FIELDS = {
    "arming": "FlightStatus.Armed",
    "mode": "FlightStatus.FlightMode",
    "reboot": "",
    "failsafe": "",
    "sticks": "",
    "sensor": "",
    "link": "",
    "device": "",
    "marker": "",
    "warning": "",
}
_LANE = (0.14, 0.62)
_MOST_EVENTS = 300


@dataclass(frozen=True, slots=True)
class OtherLog:
    """A log to compare with: `sync` maps the flight's time to its own."""

    name: str
    recording: Recording
    sync: Sync


@dataclass(frozen=True, slots=True, eq=False)
class PlotFrame:
    """One picture of the plot. `points` belong to `curves`, and are None if nothing moved.

    `scales` says where on the first value axis, which shows `values`, each curve's values are
    drawn; `axes` are all of them, none where heights mean no values; `silences` is where none of
    the curves has any.
    """

    time: Span
    values: Span
    axes: tuple[ValueAxis, ...]
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
        self.has_bands = False
        """Whether options beside numbers are bands below them, and no steps on their scale."""
        self.others: tuple[OtherLog, ...] = ()
        self.units = METRIC
        self._values: Span | None = None
        self.axes: tuple[ValueAxis, ...] = ()
        """All value axes, the first one first."""
        self._recording: Recording | None = None
        self._built: tuple[object, ...] = ()
        self.scales: tuple[Scale, ...] = ()
        """Where each of `shown` was drawn last."""
        self._marked = ChangeDetector()
        self._events: tuple[Event, ...] = ()
        self._silences: tuple[Span, ...] = ()

    @property
    def values(self) -> Span | None:
        """What the first value axis shows; None before the first frame."""
        return self._values

    @values.setter
    def values(self, values: Span | None) -> None:
        """Show these, and as much more or less of the other axes."""
        old, self._values = self._values, values
        if values is None:
            self.axes = ()
        elif old is not None:
            start, length = (values.start - old.start) / old.length, values.length / old.length
            self.axes = tuple(moved(axis, start, length) for axis in self.axes)

    @property
    def shown(self) -> tuple[Curve, ...]:
        """The curves that are not hidden."""
        return tuple(curve for curve in self.curves if curve.is_shown)

    def is_band(self, curve: Curve) -> bool:
        """Whether a curve is shown as a band of options."""
        return self.has_bands and curve.is_enum and not has_lanes(self.shown)

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

    def replace(self, path: str, new: str) -> None:
        """Plot another field or expression in the colours of one."""
        curve = self.curve(path)
        if curve is None or new in self.paths:
            return
        changed = Curve(new, curve.series)
        changed.style, changed.is_shown = curve.style, curve.is_shown
        self.curves = [changed if one is curve else one for one in self.curves]
        self._refit()

    def set_style(self, path: str, series: int, style: CurveStyle) -> None:
        """Draw a curve otherwise."""
        curve = self.curve(path)
        if curve is not None:
            curve.series, curve.style = series, style
            self.build_anew()
            self._refit()

    def compare(self, log: str) -> None:
        """Plot the curves of the flight from another log as well, each in its own colour; if they
        are plotted, plot them no longer."""
        for original, added in self._plot_beside(path_in_log, log, is_difference=False):
            added.series, added.style = original.series, original.style

    def add_beside(self, path: str, log: str) -> None:
        """Plot a field of the flight from another log as well, in its colour and next to it; again
        is no error."""
        original = self.curve(path)
        if original is not None and self.add(path_in_log(path, log)):
            added = self.curves.pop()
            added.series, added.style = original.series, original.style
            self.curves.insert(self.curves.index(original) + 1, added)

    def subtract(self, log: str) -> None:
        """Plot how far another log is from the flight, a curve for each of the flight's; if they
        are plotted, plot them no longer."""
        self._plot_beside(difference_path, log, is_difference=True)

    def _plot_beside(
        self, path_beside: Callable[[str, str], str], log: str, *, is_difference: bool
    ) -> list[tuple[Curve, Curve]]:
        """Add a curve beside each of the flight's, or remove those; returns pairs of both."""
        beside = [c for c in self.curves if c.log == log and c.is_difference == is_difference]
        self.curves = [curve for curve in self.curves if curve not in beside]
        own = [] if beside else [curve for curve in self.curves if not curve.log]
        can_differ = [curve for curve in own if not (is_difference and curve.is_enum)]
        pairs = [(c, self.curves[-1]) for c in can_differ if self.add(path_beside(c.path, log))]
        self._refit()
        return pairs

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

    def zoom_axis(self, name: str, factor: float, share: float) -> None:
        """Show `factor` times as much of one axis, the value at `share` of the height in place."""
        if not any(axis.name == name for axis in self.axes):
            return
        start = share * (1.0 - factor)
        self.axes = tuple(
            moved(axis, start, factor) if axis.name == name else axis for axis in self.axes
        )
        self._values = self.axes[0].span
        self.is_autoscaled = False
        self.build_anew()

    def zoom_box(self, time: Span | None, heights: Span | None) -> None:
        """Show a stretch of time, and a part of the height, in shares of what is shown now; None
        leaves one as it is."""
        if time is not None:
            self.time.show(time)
        if heights is not None and self.values is not None and not self.is_normalised:
            values = self.values
            start = values.start + heights.start * values.length
            self.values = Span(start, start + heights.length * values.length)
            self.is_autoscaled = False

    def zoom_state(self) -> object:
        """What is shown, to come back to it."""
        shown = self.time.zoom_state()
        return shown, self.is_autoscaled, self.is_normalised, self._values, self.axes

    def restore_zoom(self, state: Any) -> None:
        """Show what `zoom_state` returned."""
        shown, self.is_autoscaled, self.is_normalised, self._values, self.axes = state
        self.time.restore_zoom(shown)
        self.build_anew()

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
        self._attach_curves()
        shown = self.shown
        # A held value is drawn up to the newest sample of all, so that one counts too.
        held_until = moment.flight.stop
        counts = tuple((curve.path, curve.count, curve.style) for curve in shown)
        end_s = self._end_seen(shown, held_until)
        state = (span, counts, columns, self.is_normalised, end_s, self.others)
        points: tuple[tuple[Floats, Floats], ...] | None = None
        if state != self._built or self.values is None:
            self._built = state
            drawn = [
                NO_DATA if self.is_band(curve) else curve.points(span, columns, held_until)
                for curve in shown
            ]
            points = self._scaled(shown, drawn)
        values = self.values or Span(0.0, 1.0)
        self._mark(shown, span, max(held_until, moment.t))
        axes, scales = self.axes, self.scales
        return PlotFrame(span, values, axes, shown, scales, points, self._events, self._silences)

    def _mark(self, shown: tuple[Curve, ...], span: Span, until: float) -> None:
        """Find events and silences in sight, hundreds where a link was weak, again only where more
        was recorded or something else is shown."""
        recordings = [self._recording, *(other.recording for other in self.others)]
        recorded = [(one, one.version, one.events()) for one in recordings if one is not None]
        counts = [curve.count for curve in shown]
        looks = (shown, counts, span, until, self.paths, self.others, self.shows_events)
        if self._marked.has_changed(recorded, *looks):
            self._events = self._events_in(span)
            found = [curve.silences(span, until) for curve in shown]
            self._silences = common_silences([one for one in found if one is not None])

    def _attach_curves(self) -> None:
        others = {other.name: other for other in self.others}
        for curve in self.curves:
            curve.show_in(self.units)
            other = others.get(curve.log)
            if not curve.log:
                curve.attach(self._recording)
            elif other is None:
                curve.attach(None)
            elif curve.is_difference:
                curve.attach_difference(self._recording, other.recording, other.sync)
            else:
                curve.attach(other.recording, other.sync)

    @property
    def is_complete(self) -> bool:
        """Whether all curves show everything recorded; a long expression takes some time."""
        return all(curve.is_complete for curve in self.curves)

    @staticmethod
    def _end_seen(shown: tuple[Curve, ...], end_s: float) -> float | None:
        return end_s if any(curve.is_stepped for curve in shown) else None

    def _scaled(
        self, shown: tuple[Curve, ...], points: list[tuple[Floats, Floats]]
    ) -> tuple[tuple[Floats, Floats], ...]:
        """Choose the range of values and where each curve lies in it; return points as drawn."""
        extremes = [_extremes(y) for _, y in points]
        if self.is_normalised:
            self._values, self.axes = Span(-0.05, 1.05), ()
            self.scales = tuple(_stretched(low, high, 0.0, 1.0) for low, high in extremes)
        elif has_lanes(shown):
            self._values, self.axes = Span(0.0, float(len(shown))), ()
            self.scales = tuple(
                _stretched(low, high, lane + _LANE[0], lane + _LANE[1])
                for lane, (low, high) in zip(reversed(range(len(shown))), extremes, strict=True)
            )
        else:
            self._arrange_axes(shown, extremes)
        return tuple(
            (x, y) if scale == Scale() else (x, y * scale.gain + scale.offset)
            for (x, y), scale in zip(points, self.scales, strict=True)
        )

    def _arrange_axes(self, shown: tuple[Curve, ...], extremes: list[tuple[float, float]]) -> None:
        """Choose the axes, and where on the first of them each curve lies."""
        is_fitted = self.is_autoscaled or self._values is None
        axes = arrange_axes(shown, extremes, self.axes, is_fitted=is_fitted)
        if not axes:
            self._values, self.axes = self._values or Span(0.0, 1.0), ()
            self.scales = ()
            return
        if not is_fitted and not self.axes and self._values is not None:
            # What was saved is the first axis's alone.
            axes = (replace(axes[0], span=self._values), *axes[1:])
        self.axes, self._values = axes, axes[0].span
        scales = [Scale()] * len(shown)
        for axis in axes:
            onto = Scale() if axis is axes[0] else scale_onto(axis.span, axes[0].span)
            for index in axis.curves:
                scales[index] = own_scale(shown[index]).then(onto)
        self.scales = tuple(scales)

    def _events_in(self, span: Span) -> tuple[Event, ...]:
        """Events in sight, without those that a curve already shows."""
        if self._recording is None or not self.shows_events or not self.curves:
            return ()
        kinds = {kind for kind, path in _EVENT_FIELDS.items() if path not in self.paths}
        within = self._recording.events().between(span.start, span.stop)
        return tuple(islice((event for event in within if event.kind in kinds), _MOST_EVENTS))


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
