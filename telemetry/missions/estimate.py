"""Mission estimate: how long it takes, how far it is, and what of the battery it uses.

Time is the way along the legs by the velocities that the path follower allows; accelerating and
turning are not in it. `basis` says what each figure stands on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.legs import CIRCLES, MissionLeg, flown_order
from telemetry.missions.mission import Mission
from telemetry.recording.recording import Recording

_SLOWEST_MPS: Final = 0.1
_PIECES: Final = 64
_STOP_M: Final = 1.0
_DEFAULT_LANDING_MPS: Final = 0.6
_LEAST_CURRENT_A: Final = 0.5


@dataclass(frozen=True, slots=True)
class BatteryUse:
    """What flying costs: `current_a` while flying, of a battery that has `left_mah` of
    `capacity_mah` left. `basis` says where that is from."""

    current_a: float
    capacity_mah: float
    left_mah: float
    basis: str


@dataclass(frozen=True, slots=True)
class MissionEstimate:
    """`legs_s`: of each leg, by its waypoint; None for one that does not end by itself.
    `is_endless`: whether the figures are those of one round, or up to where it stays.
    `battery_percent`: of the capacity that it uses; `left_percent` at its end. None if unknown."""

    time_s: float
    distance_m: float
    legs_s: dict[int, float | None]
    is_endless: bool
    battery_percent: float | None
    left_percent: float | None
    basis: tuple[str, ...]


def estimate(
    mission: Mission,
    legs: Sequence[MissionLeg],
    aircraft: MissionAircraft,
    battery: BatteryUse | None = None,
) -> MissionEstimate:
    """Estimate a mission by its legs, in the order in which they are flown."""
    by_index = {leg.index: leg for leg in legs}
    order = [i for i in flown_order(mission) if i in by_index]
    points = mission.waypoints
    times = {
        i: leg_time_s(by_index[i], aircraft, points[i - 1].velocity_mps if i else None)
        for i in order
    }
    known = [time for time in times.values() if time is not None]
    time_s = sum(known)
    distance_m = sum(_distance_m(by_index[i], times[i]) for i in order)
    is_endless = len(known) < len(order) or not _lands(mission, order)
    share = None if battery is None else battery.current_a * time_s / 3.6 / battery.capacity_mah
    left = None
    if battery is not None and share is not None:
        left = 100.0 * (battery.left_mah / battery.capacity_mah - share)
    return MissionEstimate(
        time_s,
        distance_m,
        times,
        is_endless,
        None if share is None else 100.0 * share,
        left,
        _basis(aircraft, battery),
    )


def _distance_m(leg: MissionLeg, time_s: float | None) -> float:
    """Of one that time ends, what is flown in that time, or the way to where it waits."""
    if time_s is None:
        return 0.0
    if leg.waypoint.action.end_condition != "TimeOut":
        return leg.length_m * _share_round(leg)
    flown_m = time_s * max(leg.waypoint.velocity_mps, 0.0)
    return flown_m if leg.mode in CIRCLES else min(flown_m, leg.length_m)


def leg_time_s(
    leg: MissionLeg, aircraft: MissionAircraft, before_mps: float | None = None
) -> float | None:
    """How long a leg takes; None if nothing ends it. `before_mps`: the velocity of the waypoint
    before, by default that of its own."""
    action = leg.waypoint.action
    if action.mode == "Land":
        speed = aircraft.landing_mps or _DEFAULT_LANDING_MPS
        return max(leg.start[2] - leg.end[2], 0.0) / speed
    if action.end_condition == "None":
        return None
    if action.end_condition == "TimeOut":
        return max(action.condition_parameters[0], 0.0)
    if action.end_condition in ("Immediate", "PythonScript"):
        return 0.0
    if action.mode == "AutoTakeoff":
        speed = aircraft.take_off_mps or _DEFAULT_LANDING_MPS
        return max(leg.end[2] - leg.start[2], 0.0) / speed
    if action.mode == "GoToEndpoint":
        level_s = _approach_s(math.dist(leg.start[:2], leg.end[:2]), leg, aircraft)
    else:
        flown_m = leg.length_m * _share_round(leg)
        level_s = flown_m * _seconds_per_metre(leg, aircraft, before_mps)
    climb_s = abs(leg.end[2] - leg.start[2]) / (aircraft.climb_mps or math.inf)
    return max(level_s, climb_s)


def _share_round(leg: MissionLeg) -> float:
    """A circle is half complete where it begins, by which LegRemaining goes (path_circle)."""
    action = leg.waypoint.action
    if leg.mode not in CIRCLES or action.end_condition != "LegRemaining":
        return 1.0
    return max(0.5 - action.condition_parameters[0], 0.0)


def _seconds_per_metre(
    leg: MissionLeg, aircraft: MissionAircraft, before_mps: float | None
) -> float:
    """Along a line the velocity changes evenly with the way (path_vector in paths.c)."""
    last = leg.waypoint.velocity_mps
    first = last if leg.mode != "FollowVector" or before_mps is None else before_mps
    shares = ((i + 0.5) / _PIECES for i in range(_PIECES))
    velocities = (first + share * (last - first) for share in shares)
    return sum(1.0 / _capped(velocity, aircraft) for velocity in velocities) / _PIECES


def _capped(speed: float, aircraft: MissionAircraft) -> float:
    speed = min(speed, aircraft.fastest_mps or math.inf)
    return max(speed, aircraft.slowest_mps or 0.0, _SLOWEST_MPS)


def _approach_s(distance_m: float, leg: MissionLeg, aircraft: MissionAircraft) -> float:
    """GoToEndpoint: velocity + gain x distance, up to HorizontalVelMax (path_endpoint in paths.c,
    ControlPositionWithPath in pidcontrolne.cpp)."""
    gain, velocity = aircraft.position_gain, max(leg.waypoint.velocity_mps, 0.0)
    if not gain or aircraft.fastest_mps is None:
        return distance_m / _capped(velocity, aircraft)
    fastest = aircraft.fastest_mps
    near_m = max((fastest - velocity) / gain, 0.0)
    far_s = max(distance_m - near_m, 0.0) / max(fastest, _SLOWEST_MPS)
    begins, ends = velocity + gain * min(distance_m, near_m), velocity + gain * _STOP_M
    return far_s + max(math.log(begins / ends), 0.0) / gain if begins > 0.0 else far_s


def _lands(mission: Mission, order: Sequence[int]) -> bool:
    return bool(order) and mission.waypoints[order[-1]].action.mode == "Land"


def _basis(aircraft: MissionAircraft, battery: BatteryUse | None) -> tuple[str, ...]:
    speeds = (
        f"Velocities as planned, at most {aircraft.fastest_mps:g} m/s (HorizontalVelMax)."
        if aircraft.fastest_mps is not None
        else "Velocities as planned; the aircraft's limits are not known."
    )
    power = battery.basis if battery is not None else "Nothing is known of the battery's use."
    return speeds, "No wind, no time for turning and accelerating.", power


def battery_use(recording: Recording, t: float, aircraft: MissionAircraft) -> BatteryUse | None:
    """What a recording tells of the battery up to `t`: the mean current while it flew, and what is
    left of Capacity. None without a current sensor, a capacity or a flight."""
    state = recording.latest("FlightBatteryState", t)
    capacity = aircraft.capacity_mah
    if state is None or not capacity or not state.definition.has_field("ConsumedEnergy"):
        return None
    current = _flying_current(recording, t)
    if current is None or current <= 0.0:
        return None
    left = max(capacity - float(state["ConsumedEnergy"]), 0.0)
    basis = (
        f"The mean current while flying so far, {current:.1f} A, of {capacity:.0f} mAh with "
        f"{left:.0f} mAh left (FlightBatteryState)."
    )
    return BatteryUse(current, capacity, left, basis)


def _flying_current(recording: Recording, t: float) -> float | None:
    """Mean current of the samples that draw more than a third of the largest: motors at rest and
    on the ground draw little."""
    track = recording.track("FlightBatteryState")
    if track is None or not track.definition.has_field("Current"):
        return None
    first, stop = track.range(None, t)
    currents = track.values("Current", None, first, stop)
    if not len(currents):
        return None
    largest = float(currents.max())
    flying = currents[currents > largest / 3.0]
    return float(flying.mean()) if len(flying) and largest > _LEAST_CURRENT_A else None
