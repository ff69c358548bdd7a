"""The plot panel: ties a plot to the vehicle's recording and timeline."""

from typing import Any

from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext
from telemetry.flights.marker import titled
from widgets.parts import make_column
from widgets.plot.time_view import Moment, TimeView
from widgets.plot.view import PlotView
from widgets.plot.window import Span

_SHARED_TIME = "plots.time"
_NOTHING = Moment(0.0, Span(0.0, 60.0))


class PlotPanel(QWidget):
    """One plot with its own fields, window and options."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._before_seek: tuple[bool, float] | None = None
        self.view = PlotView(context.theme, context.jobs)
        self.view.seek_wanted.connect(self._seek)
        self.view.seek_undone.connect(self._undo_seek)
        self.view.message.connect(context.show_message)
        self._pinned = ""
        self._share_time()
        self.setLayout(make_column(self.view))
        self.setFocusProxy(self.view)
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Show the flight as it was at `t`."""
        if self._pinned != self._context.settings.get("vehicle", ""):
            self._share_time()
        self.view.detail = self._context.detail()
        timeline, recording = self._context.timeline, self._context.recording
        if timeline is None or recording is None:
            self.view.show_moment(None, _NOTHING)
            return
        flight = Span(recording.first_s, max(recording.last_s, recording.first_s + 1e-3))
        is_live = timeline.mode == "live"
        focus = Span(*timeline.focus) if timeline.focus else None
        marked = self._context.flight.markers if self._context.flight else ()
        markers = tuple((marker.t, words) for marker, words in titled(marked))
        moment = Moment(t, flight, is_live, timeline.can_live, markers, focus)
        self.view.show_moment(recording, moment)

    def save_state(self) -> Json:
        """Fields, window and options."""
        model = self.view.model
        state: Json = {
            "fields": [
                {"path": curve.path, "color": curve.series, "shown": curve.is_shown}
                for curve in model.curves
            ],
            "autoscale": model.is_autoscaled,
            "normalise": model.is_normalised,
            "events": model.shows_events,
            "statistics": self.view.shows_statistics,
            "linked": self.view.is_linked,
        }
        if model.time.is_window_chosen:
            state["window_s"] = model.time.window_s
        if not model.is_autoscaled and model.values is not None:
            state["values"] = [model.values.start, model.values.stop]
        return state

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned. A field may also be given as its bare path."""
        model = self.view.model
        model.clear()
        for entry in _list(state.get("fields")):
            self._restore_curve(entry)
        self.view.link_time(bool(state.get("linked", True)))
        if "window_s" in state:
            window_s = state["window_s"]
            model.time.set_window(float(window_s) if isinstance(window_s, int | float) else None)
        model.set_normalised(bool(state.get("normalise", False)))
        model.set_autoscaled(bool(state.get("autoscale", True)))
        values = _list(state.get("values"))
        if len(values) == 2 and not model.is_autoscaled:
            model.values = Span(float(values[0]), float(values[1]))
        model.shows_events = bool(state.get("events", True))
        self.view.toggle_statistics(bool(state.get("statistics", False)))
        self.view.touch()

    def _restore_curve(self, entry: Any) -> None:
        fields = entry if isinstance(entry, dict) else {"path": entry}
        path = fields.get("path")
        if not isinstance(path, str) or not self.view.model.add(path):
            return
        curve = self.view.model.curves[-1]
        color = fields.get("color")
        curve.series = color if isinstance(color, int) else curve.series
        curve.is_shown = bool(fields.get("shown", True))

    def _share_time(self) -> None:
        """Move together with the workspace's other plots of the same aircraft."""
        self._pinned = str(self._context.settings.get("vehicle", ""))
        times = self._context.shared.setdefault(_SHARED_TIME, {})
        self.view.share_time(times.setdefault(self._pinned, TimeView()))

    def _seek(self, t: float) -> None:
        timeline = self._context.timeline
        if timeline is not None:
            self._before_seek = (timeline.mode == "live", timeline.t)
            timeline.seek(t)

    def _undo_seek(self) -> None:
        """The click before was half of a double click: go back to where the cursor was."""
        timeline, before = self._context.timeline, self._before_seek
        self._before_seek = None
        if timeline is None or before is None:
            return
        if before[0]:
            timeline.go_live()
        else:
            timeline.seek(before[1])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
