"""Shared plot time: what plots of one workspace and aircraft show together."""

from plugins.api import PanelContext
from widgets.plot.time_view import Moment, TimeView
from widgets.plot.window import Span

_SHARED_TIME = "plots.time"
NOTHING = Moment(0.0, Span(0.0, 60.0))
"""What shows where there is no flight."""


def pinned_vehicle(context: PanelContext) -> str:
    """The vehicle that the panel stays with; "" for the active one."""
    return str(context.settings.get("vehicle", ""))


def shared_time(context: PanelContext) -> TimeView:
    """What the workspace's plots of the same aircraft share."""
    times = context.shared.setdefault(_SHARED_TIME, {})
    view: TimeView = times.setdefault(pinned_vehicle(context), TimeView())
    return view
