"""Place menu: what can be done with the plan at a place of the map, for its right click."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from plugins.plan.edit_tool import delete_selected, put_waypoint
from plugins.plan.shared_plan import SharedPlan
from telemetry.missions.geofences import Fence, FenceKind, flat_fence
from telemetry.missions.local_coordinates import MissionHome
from widgets.map.projection import GeoPoint, distance_m

Entries = list[tuple[str, Callable[[], None]]]
_NEAR_M = 1.0


def entries_at(plan: SharedPlan, place: GeoPoint) -> Entries:
    """Titles and what they do: a waypoint or home here, and the fences that hold the place."""
    draft = plan.draft
    entries: Entries = [
        ("Add a waypoint here", lambda: put_waypoint(plan, plan.draft.next_index, place, "Add"))
    ]
    if plan.home is None:
        entries.append(("Plan from a home here", lambda: _set_home(plan, place)))
    if draft.selected:
        entries.append(("Delete the chosen waypoints", lambda: delete_selected(plan)))
    for number, fence in enumerate(draft.mission.fences):
        if _holds(fence, place):
            name = fence.name or f"stay {fence.kind.value}"
            entries.append((f'Edit the fence "{name}"', partial(choose_fence, plan, number)))
            entries.append((f'Delete the fence "{name}"', partial(delete_fence, plan, number)))
    return entries


def choose_fence(plan: SharedPlan, number: int) -> None:
    """Show one fence in full, to change it."""
    plan.fence = number


def delete_fence(plan: SharedPlan, number: int) -> None:
    """Delete one fence."""
    mission = plan.draft.mission
    plan.fence = None
    fences = tuple(fence for i, fence in enumerate(mission.fences) if i != number)
    plan.draft.edit("Delete fence", replace(mission, fences=fences))


def _set_home(plan: SharedPlan, place: GeoPoint) -> None:
    home = MissionHome(place.latitude_deg, place.longitude_deg)
    plan.draft.edit("Home", replace(plan.draft.mission, home=home))


def _holds(fence: Fence, place: GeoPoint) -> bool:
    """Whether a place is in an area, whatever its heights, or on a corner of it."""
    here = MissionHome(place.latitude_deg, place.longitude_deg)
    area = replace(
        fence, kind=FenceKind.STAY_INSIDE, lowest_m=-float("inf"), highest_m=float("inf")
    )
    is_inside = flat_fence(area, here).margin_m(0.0, 0.0, 0.0) > 0.0
    return is_inside or any(
        distance_m(GeoPoint(*corner), place) < _NEAR_M for corner in fence.corners
    )
