"""Plot panel: ties a plot to the vehicle's recording and timeline."""

import os
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext
from plugins.plots.curves_beside import CurvesBeside
from plugins.plots.shared_time import NOTHING, pinned_vehicle, shared_time
from telemetry.base.folders import Folders
from telemetry.review.flights.marker import titled
from widgets.parts import make_column
from widgets.plot.model import OtherLog
from widgets.plot.plot_state import curves_state, restore_curves, restore_view, view_state
from widgets.plot.presets import PlotPresets
from widgets.plot.time_view import Moment
from widgets.plot.view import PlotView
from widgets.plot.window import Span


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
        self.view.log_shifted.connect(self._shift_log)
        folder = Folders.of_user(os.environ).plot_presets
        self.view.preset_actions.presets = PlotPresets(folder)
        self._pinned = ""
        self._beside = CurvesBeside(self.view)
        self._share_time()
        self.setLayout(make_column(self.view))
        self.setFocusProxy(self.view)
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Show the flight as it was at `t`."""
        if self._pinned != pinned_vehicle(self._context):
            self._share_time()
        self.view.detail = self._context.detail()
        timeline, recording = self._context.timeline, self._context.recording
        if timeline is None or recording is None:
            self.view.show_moment(None, NOTHING)
            return
        flight = Span(recording.first_s, max(recording.last_s, recording.first_s + 1e-3))
        is_live = timeline.mode == "live"
        focus = Span(*timeline.focus) if timeline.focus else None
        marked = self._context.flight.markers if self._context.flight else ()
        markers = tuple((marker.t, words) for marker, words in titled(marked))
        moment = Moment(t, flight, is_live, timeline.can_live, markers, focus)
        self._show_others()
        self.view.show_moment(recording, moment)

    def _show_others(self) -> None:
        """Have the flight's other logs at hand to compare with."""
        flight = self._context.flight
        logs = flight.logs if flight is not None else ()
        self.view.show_others(
            tuple(
                OtherLog(log.name, log.recording, log.sync)
                for log in logs
                if log.recording is not None
            )
        )
        self._beside.follow(flight.compared if flight is not None else "")

    def _shift_log(self, name: str, by_s: float) -> None:
        """Another log was dragged: what it holds comes `by_s` later in the flight."""
        flight = self._context.flight
        log = next((log for log in flight.logs if log.name == name), None) if flight else None
        if flight is None or log is None:
            return
        sync = log.sync.shifted(-by_s * log.sync.rate)
        flight.replace_log(name, replace(log, sync=sync))
        self._context.show_message(f"{name}: offset {sync.offset_s:+.3f} s")

    def save_state(self) -> Json:
        """Fields, window and options."""
        model = self.view.model
        return {
            "fields": curves_state(model),
            **view_state(model),
            "statistics": self.view.shows_statistics,
            "linked": self.view.is_linked,
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned. A field may also be given as its bare path."""
        model = self.view.model
        restore_curves(model, state.get("fields"))
        self.view.link_time(bool(state.get("linked", True)))
        restore_view(model, state)
        self.view.toggle_statistics(bool(state.get("statistics", False)))
        self.view.touch()

    def _share_time(self) -> None:
        """Move together with the workspace's other plots of the same aircraft."""
        self._pinned = pinned_vehicle(self._context)
        self.view.share_time(shared_time(self._context))

    def _seek(self, t: float) -> None:
        timeline = self._context.timeline
        if timeline is not None:
            self._before_seek = (timeline.mode == "live", timeline.t)
            timeline.seek(t)
            self._context.wake()

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
