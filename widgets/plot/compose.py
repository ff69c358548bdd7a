"""Plot picture from a frame of the model: colours and words come in here."""

from PySide6.QtGui import QColor

from widgets.event_clusters import merged
from widgets.level_mark import LEVEL_TOKENS
from widgets.plot.axis_columns import axis_color
from widgets.plot.curve import Curve, EnumStretch
from widgets.plot.model import PlotFrame, PlotModel, has_lanes
from widgets.plot.picture import AxisScale, EventMark, Picture, StateMark, Trace
from widgets.plot.time_view import Moment
from widgets.theme import Theme, mixed

_APART_SHARE = 0.02
"""Like events in so much of the time in sight are one mark."""
_PALE = 0.45
"""How much of the background is in the curves of another log."""


def color_of(curve: Curve, theme: Theme) -> QColor:
    """The colour of a curve, paler for one of another log."""
    color = theme.series(curve.series)
    if not curve.log or curve.is_difference:
        return color
    return mixed(theme.color("plot_background"), color, _PALE)


def compose_picture(frame: PlotFrame, model: PlotModel, moment: Moment, theme: Theme) -> Picture:
    """Everything that is painted but the curves."""
    has_scale = bool(frame.curves) and not has_lanes(frame.curves)
    states: list[StateMark] = []
    bands: list[tuple[StateMark, ...]] = []
    for curve, scale in zip(frame.curves, frame.scales, strict=False):
        stretches = curve.states(frame.time, moment.flight.stop)
        if model.is_band(curve):
            bands.append(tuple(_band_part(stretch, curve, theme) for stretch in stretches))
        else:
            color = color_of(curve, theme)
            states += [
                StateMark(s.start, s.stop, scale.height(s.level), s.text, color) for s in stretches
            ]
    return Picture(
        frame.time,
        frame.values,
        moment.t if model.curves else None,
        has_scale,
        has_scale and not model.is_normalised,
        _events(frame, model, moment),
        tuple(states),
        frame.silences,
        model.time.measured,
        _axes(frame, theme),
        tuple(bands),
    )


def compose_traces(frame: PlotFrame, theme: Theme) -> list[Trace] | None:
    """The curves; None if they have not moved."""
    if frame.points is None:
        return None
    return [
        Trace(x, y, color_of(curve, theme), curve.style.width_px)
        for curve, (x, y) in zip(frame.curves, frame.points, strict=True)
    ]


def _band_part(stretch: EnumStretch, curve: Curve, theme: Theme) -> StateMark:
    """Every option has a colour of its own, counted from the curve's."""
    color = theme.series(curve.series + int(stretch.level))
    return StateMark(stretch.start, stretch.stop, 0.0, stretch.text, color)


def _events(frame: PlotFrame, model: PlotModel, moment: Moment) -> tuple[EventMark, ...]:
    apart_s = frame.time.length * _APART_SHARE
    events = tuple(
        EventMark(
            event.t,
            f"{event.text} ×{count}" if count > 1 else event.text,
            LEVEL_TOKENS[event.level],
            event.kind != "mode",
        )
        for event, count in merged(frame.events, apart_s)
    )
    if not model.shows_events or not model.curves:
        return events
    return events + tuple(
        EventMark(t, words, "selected", True)
        for t, words in moment.markers
        if frame.time.start <= t <= frame.time.stop
    )


def _axes(frame: PlotFrame, theme: Theme) -> tuple[AxisScale, ...]:
    scales = []
    for axis in frame.axes:
        colors = [color_of(frame.curves[index], theme) for index in axis.curves]
        color = axis_color(colors, len(frame.axes))
        scales.append(AxisScale(axis.name, axis.unit, axis.span, color))
    return tuple(scales)
