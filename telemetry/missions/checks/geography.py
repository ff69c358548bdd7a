"""Geography check: does the plan lead too far, too high, too low, or across fences?"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from telemetry.base.earth.tangent_plane import FARTHEST_M
from telemetry.base.finding import Level
from telemetry.missions.checks.situation import MissionFinding, MissionSituation, found
from telemetry.missions.geofences import FenceKind, FlatFence
from telemetry.missions.legs import MissionLeg, NorthEastUp, path_points, points_along
from telemetry.missions.local_coordinates import (
    MissionHome,
    to_latitude_longitude,
    to_north_east,
)

_FENCE_STEP_M = 2.0
"""A mast's circle must not lie between two points."""
_FENCE_ROUGH_M = 20.0
_OTHER_HOME_M = 20.0
_STAYING = ("DisarmAlarm", "FixedAttitude", "SetAccessory")
_ON_GROUND = ("Land", "AutoTakeoff", *_STAYING)


def check_geography(situation: MissionSituation) -> Iterator[MissionFinding]:
    """Every leg against the limits, the ground and the fences."""
    if not situation.mission.waypoints:
        return
    if situation.home is None:
        yield found(
            Level.WARNING,
            "mission-no-home",
            "Home is not known, so distances and heights were not checked.",
            "Connect the aircraft, or give the mission a home.",
        )
        return
    yield from _check_home(situation, situation.home)
    yield from _check_distance(situation)
    yield from _check_heights(situation)
    yield from _check_ground(situation, situation.home)
    yield from _check_fences(situation)


def _check_home(situation: MissionSituation, home: MissionHome) -> Iterator[MissionFinding]:
    """Places on Earth stay where they are; heights above home move with it."""
    made_for = situation.mission.home
    if made_for is None or made_for == home:
        return
    apart = math.hypot(*to_north_east(home, made_for.latitude_deg, made_for.longitude_deg))
    if apart > _OTHER_HOME_M:
        yield found(
            Level.WARNING,
            "mission-other-home",
            f"The mission was made for a home {apart:.0f} m from that of the aircraft, from which "
            "heights above home now count.",
            "Check the heights, and that home is where it should be.",
        )


def _check_distance(situation: MissionSituation) -> Iterator[MissionFinding]:
    limits, aircraft = situation.limits, situation.aircraft
    away = {leg.index: max(math.hypot(*p[:2]) for p in leg.points) for leg in situation.legs}
    off_earth = [i for i, distance in away.items() if distance > FARTHEST_M]
    if off_earth:
        yield found(
            Level.ERROR,
            "mission-elsewhere",
            f"{{}}: more than {FARTHEST_M / 1000:.0f} km from home.",
            "Check home and the coordinates; latitude and longitude may be exchanged.",
            off_earth,
        )
    for radius, level, name in (
        (aircraft.error_radius_m, Level.ERROR, "where the board's own fence ends the flight"),
        (aircraft.warning_radius_m, Level.WARNING, "where the board's own fence warns"),
        (limits.farthest_m, Level.WARNING, "the farthest that is allowed"),
    ):
        far = [i for i, d in away.items() if radius is not None and radius < d <= FARTHEST_M]
        if far:
            farthest = max(away[i] for i in far)
            yield found(
                level,
                "mission-too-far",
                f"{{}}: up to {farthest:.0f} m from home; {radius:.0f} m is {name}.",
                "Move it nearer, or raise the limit.",
                far,
            )
            return


def _check_heights(situation: MissionSituation) -> Iterator[MissionFinding]:
    highest = situation.limits.highest_m
    high = [leg.index for leg in situation.legs if leg.end[2] > highest]
    if high:
        most = max(leg.end[2] for leg in situation.legs)
        yield found(
            Level.WARNING,
            "mission-too-high",
            f"{{}}: up to {most:.0f} m above home; above it {highest:.0f} m are allowed.",
            "Lower it, or raise the limit where that is legal.",
            high,
        )


def _check_ground(situation: MissionSituation, home: MissionHome) -> Iterator[MissionFinding]:
    low: dict[int, float] = {}
    ground = situation.ground.above(home)
    is_guessed = not situation.ground.maps
    for leg in situation.legs:
        if leg.mode in _ON_GROUND or leg.index == 0:
            points = [leg.end] if leg.mode not in _ON_GROUND else []
        elif situation.ground.maps:
            points = points_along(leg)
        else:
            points = [leg.start, leg.end]
        for point in points:
            height = None
            if situation.ground.maps:
                height = ground.known_m(*to_latitude_longitude(home, *_near(point)))
            is_guessed = is_guessed or height is None
            low[leg.index] = min(low.get(leg.index, math.inf), point[2] - (height or 0.0))
    bad = [i for i, clearance in low.items() if clearance < situation.limits.clearance_m]
    if bad:
        least = min(low[i] for i in bad)
        below = f"{abs(least):.0f} m {'below' if least < 0 else 'above'} the ground"
        yield found(
            Level.ERROR if least < 0.0 else Level.WARNING,
            "mission-too-low",
            f"{{}}: as low as {below}; {situation.limits.clearance_m:.0f} m above it are wanted.",
            "Raise the waypoints there, or set them to a height above ground.",
            bad,
        )
    if is_guessed:
        yield found(
            Level.INFO,
            "mission-flat-ground",
            "No terrain is known there; the ground is taken to be flat at home's height.",
            "Add a terrain file of the area.",
        )


def _check_fences(situation: MissionSituation) -> Iterator[MissionFinding]:
    if not situation.fences:
        return
    paths = _FencePaths(situation.legs)
    for number, fence in enumerate(situation.fences if paths.legs else (), 1):
        margins = _least_margins_m(fence, paths)
        name = fence.fence.name or f"fence {number}"
        inside = fence.fence.kind is FenceKind.STAY_INSIDE
        broken = [i for i, margin in margins.items() if margin < 0.0]
        near = [i for i, margin in margins.items() if 0.0 <= margin < fence.fence.warning_m]
        if broken:
            yield found(
                Level.ERROR,
                "mission-fence",
                f"The way to {{}} leaves {name}."
                if inside
                else f"The way to {{}} leads into {name}, where it must not be.",
                "Move the waypoints, or change the fence.",
                broken,
            )
        elif near:
            yield found(
                Level.WARNING,
                "mission-fence-near",
                f"The way to {{}} comes within {min(margins[i] for i in near):.0f} m of the "
                f"border of {name}.",
                "Keep away from it: wind and GPS take some metres.",
                near,
            )


def _least_margins_m(fence: FlatFence, paths: "_FencePaths") -> dict[int, float]:
    """How near each leg comes to the border; only roughly where it stays well away from it."""
    margins = fence.margins_m(np.concatenate(paths.rough))
    starts = np.cumsum([0, *(len(points) for points in paths.rough[:-1])])
    least = np.minimum.reduceat(margins, starts).tolist()
    # Between two points a margin changes by no more than the way to the nearer of them.
    near_m = fence.fence.warning_m + _FENCE_ROUGH_M / 2.0
    return {
        leg.index: rough_m if rough_m >= near_m else float(fence.margins_m(paths.fine(leg)).min())
        for leg, rough_m in zip(paths.legs, least, strict=True)
    }


class _FencePaths:
    """Points of the legs that a fence is asked about; fine ones made where they are needed."""

    def __init__(self, legs: Sequence[MissionLeg]) -> None:
        self.legs = [leg for leg in legs if leg.mode not in _STAYING]
        self.rough = [path_points(leg, _FENCE_ROUGH_M) for leg in self.legs]
        self._fine: dict[int, NDArray[np.float64]] = {}

    def fine(self, leg: MissionLeg) -> NDArray[np.float64]:
        """Points that are near enough to each other for any fence."""
        if leg.index not in self._fine:
            self._fine[leg.index] = path_points(leg, _FENCE_STEP_M)
        return self._fine[leg.index]


def _near(point: NorthEastUp) -> tuple[float, float]:
    """Where on Earth to ask for the ground; not beyond where a plane means anything."""
    scale = min(1.0, FARTHEST_M / max(math.hypot(point[0], point[1]), 1.0))
    return point[0] * scale, point[1] * scale
