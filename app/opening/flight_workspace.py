"""Flight workspace: kept with a flight, and shown when it is opened."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.workspaces.workspace import Workspace
from app.workspaces.workspace_stack import WorkspaceStack
from telemetry.review.flights.flight import flight_of
from telemetry.vehicle.vehicle import Vehicle

_USUAL = "analyse"
_PLOT = "plots.plot"


def layout_of(stack: WorkspaceStack) -> Mapping[str, Any]:
    """The workspace that shows, {} where it is one that Lapwing brings, and as it brings it."""
    page = stack.current_page
    if page is None or not stack.is_own(page):
        return {}
    return page.describe().to_json()


def show_layout(stack: WorkspaceStack, vehicle: Vehicle) -> None:
    """Show a flight in its own workspace, which is not put among the user's, or in *Analyse*."""
    layout = flight_of(vehicle).layout
    if not layout:
        stack.show_workspace(_USUAL)
        return
    try:
        workspace = Workspace.from_json("flight", dict(layout))
    except (ValueError, TypeError, AttributeError):
        stack.show_workspace(_USUAL)
        return
    stack.lend(replace(workspace, title=f"{workspace.title}: {vehicle.name}"))


def show_plots(stack: WorkspaceStack) -> None:
    """Have plots in sight: go to *Analyse* unless some show."""
    page = stack.current_page
    hosts = page.hosts if page is not None else ()
    if not any(host.panel_id == _PLOT and host.is_showing() for host in hosts):
        stack.show_workspace(_USUAL)
