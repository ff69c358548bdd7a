"""XY plot panel: ties an XY plot to the vehicle's recording and timeline."""

from PySide6.QtWidgets import QWidget

from plugins.api import Json, PanelContext
from plugins.plots.shared_time import NOTHING, pinned_vehicle, shared_time
from widgets.parts import make_column
from widgets.plot.time_view import Moment
from widgets.plot.window import Span
from widgets.plot.xy_view import ROLES, XyView


class XyPanel(QWidget):
    """One XY plot with its own fields; the time is that of the plots beside it."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self.view = XyView(context.theme)
        self.view.message.connect(context.show_message)
        self._pinned = pinned_vehicle(context)
        self.view.time = shared_time(context)
        self.setLayout(make_column(self.view))
        self.setFocusProxy(self.view)
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Show the stretch of time that the plots show, and the cursor at `t`."""
        if self._pinned != pinned_vehicle(self._context):
            self._pinned = pinned_vehicle(self._context)
            self.view.time = shared_time(self._context)
        timeline, recording = self._context.timeline, self._context.recording
        if timeline is None or recording is None:
            self.view.show_moment(None, NOTHING)
            return
        flight = Span(recording.first_s, max(recording.last_s, recording.first_s + 1e-3))
        focus = Span(*timeline.focus) if timeline.focus else None
        is_live = timeline.mode == "live"
        moment = Moment(t, flight, is_live, timeline.can_live, focus=focus)
        self.view.show_moment(recording, moment)

    def save_state(self) -> Json:
        """What is shown over what."""
        return dict(self.view.paths)

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        for role in ROLES:
            path = state.get(role)
            self.view.set_path(role, path if isinstance(path, str) else "")
