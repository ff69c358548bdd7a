"""Mission edits: changes of a mission, each a function from one to another.

Jumps and error destinations follow the waypoints they name, wherever these move to. What pointed
at a waypoint that is deleted points at the one that takes its place.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from telemetry.missions.local_coordinates import moved
from telemetry.missions.mission import (
    LegAction,
    Mission,
    MissionWaypoint,
)

_NumberOf = Callable[[int], int]


def inserted(mission: Mission, index: int, waypoints: Sequence[MissionWaypoint]) -> Mission:
    """With `waypoints` before the one that is `index` now; len(mission.waypoints) appends.

    Destinations of the new ones count within the mission as it is then.
    """
    count = len(waypoints)
    old = _renumbered(mission.waypoints, lambda i: i + count if i >= index else i)
    return mission.with_waypoints((*old[:index], *waypoints, *old[index:]))


def deleted(mission: Mission, indices: Collection[int]) -> Mission:
    """Without some waypoints."""
    gone = set(indices)
    kept = [i for i in range(len(mission.waypoints)) if i not in gone]
    last = max(len(kept) - 1, 0)

    def number_of(i: int) -> int:
        return min(sum(k < i for k in kept), last)

    changed = _renumbered(mission.waypoints, number_of)
    return mission.with_waypoints(tuple(changed[i] for i in kept))


def reordered(mission: Mission, order: Sequence[int]) -> Mission:
    """With the waypoints in another order: `order` lists their present numbers, each once.

    Raises ValueError if it does not.
    """
    count = len(mission.waypoints)
    if sorted(order) != list(range(count)):
        raise ValueError(f"an order of {count} waypoints names each of them once")
    places = {old: new for new, old in enumerate(order)}
    changed = _renumbered(mission.waypoints, lambda i: places.get(i, i))
    return mission.with_waypoints(tuple(changed[i] for i in order))


def shifted(mission: Mission, index: int, to: int) -> Mission:
    """With one waypoint at another number."""
    order = [i for i in range(len(mission.waypoints)) if i != index]
    order.insert(to, index)
    return reordered(mission, order)


def reversed_order(mission: Mission) -> Mission:
    """Flown the other way round. Circles then turn the other way."""
    turned = reordered(mission, range(len(mission.waypoints) - 1, -1, -1))
    turns = {"CircleLeft": "CircleRight", "CircleRight": "CircleLeft"}
    return mission.with_waypoints(
        tuple(
            replace(w, action=replace(w.action, mode=turns.get(w.action.mode, w.action.mode)))
            for w in turned.waypoints
        )
    )


def offset(
    mission: Mission,
    north_m: float,
    east_m: float,
    up_m: float = 0.0,
    indices: Collection[int] | None = None,
) -> Mission:
    """With all waypoints moved, or some; locked ones stay."""
    chosen = range(len(mission.waypoints)) if indices is None else indices

    def place(i: int, waypoint: MissionWaypoint) -> MissionWaypoint:
        if i not in chosen or waypoint.is_locked:
            return waypoint
        latitude, longitude = moved(waypoint.latitude_deg, waypoint.longitude_deg, north_m, east_m)
        return replace(
            waypoint,
            latitude_deg=latitude,
            longitude_deg=longitude,
            height_m=waypoint.height_m + up_m,
        )

    return mission.with_waypoints(tuple(place(i, w) for i, w in enumerate(mission.waypoints)))


def _renumbered(
    waypoints: tuple[MissionWaypoint, ...], number_of: _NumberOf
) -> tuple[MissionWaypoint, ...]:
    """The same with destinations that follow: `number_of` says what a number becomes."""
    return tuple(
        replace(w, action=_redirected(w.action, i, len(waypoints), number_of))
        for i, w in enumerate(waypoints)
    )


def _redirected(action: LegAction, index: int, count: int, number_of: _NumberOf) -> LegAction:
    jump, error = action.jump_destination, action.error_destination
    if 0 <= jump < count:
        jump = number_of(jump)
    elif jump < -1 and index - jump < count:  # relative; -1 stays "the next"
        ahead = number_of(index - jump) - number_of(index)
        jump = -ahead if ahead > 0 else number_of(index - jump)
    if 0 <= error < count:
        error = number_of(error)
    return replace(action, jump_destination=jump, error_destination=error)
