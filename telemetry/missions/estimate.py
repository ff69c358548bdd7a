"""Mission estimate: how long it takes, how far it is, and what of the battery it uses.

`basis` says what each figure stands on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.leg_times import leg_times_s, share_round, stays, take_off_s
from telemetry.missions.legs import CIRCLES, MissionLeg, flown_order
from telemetry.missions.mission import Mission
from telemetry.recording.recording import Recording

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
    """`legs_s`: of each leg, by its waypoint, the ending's counting on; None for one that does not
    end by itself. `take_off_s`: from arming to the first leg; None without a take-off.
    `highest_m`: where it ends a leg, above home.
    `is_endless`: whether the figures are those of one round, or up to where it stays.
    `battery_percent`: of the capacity that it uses; `left_percent` at its end. None if unknown."""

    time_s: float
    distance_m: float
    legs_s: dict[int, float | None]
    is_endless: bool
    battery_percent: float | None
    left_percent: float | None
    basis: tuple[str, ...]
    take_off_s: float | None = None
    highest_m: float = 0.0


def estimate(
    mission: Mission,
    legs: Sequence[MissionLeg],
    aircraft: MissionAircraft,
    battery: BatteryUse | None = None,
) -> MissionEstimate:
    """Estimate a mission by its legs, in the order in which they are flown."""
    by_index = {leg.index: leg for leg in legs}
    order = [i for i in flown_order(mission) if i in by_index]
    flown = leg_times_s(legs, order, aircraft)
    times = {i: None if stays(by_index[i]) else flown[i] for i in order}
    before_s = None if mission.take_off is None else take_off_s(mission.take_off, aircraft)
    time_s = (before_s or 0.0) + sum(flown.values())
    distance_m = sum(_distance_m(by_index[i], times[i]) for i in order)
    is_endless = None in times.values() or not _lands(mission, order)
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
        before_s,
        max((by_index[i].end[2] for i in order), default=0.0),
    )


def _distance_m(leg: MissionLeg, time_s: float | None) -> float:
    """Of one that time ends, what is flown in that time, or the way to where it waits."""
    if time_s is None:
        return leg.length_m if leg.mode == "GoToEndpoint" else 0.0
    if leg.waypoint.action.end_condition != "TimeOut":
        return leg.length_m * share_round(leg)
    flown_m = time_s * max(leg.waypoint.velocity_mps, 0.0)
    return flown_m if leg.mode in CIRCLES else min(flown_m, leg.length_m)


def _lands(mission: Mission, order: Sequence[int]) -> bool:
    return bool(order) and mission.waypoints[order[-1]].action.mode == "Land"


def _basis(aircraft: MissionAircraft, battery: BatteryUse | None) -> tuple[str, ...]:
    speeds = (
        f"Velocities as planned, at most {aircraft.fastest_mps:g} m/s, the aircraft's limit."
        if aircraft.fastest_mps is not None
        else "Velocities as planned; the aircraft's limits are not known."
    )
    power = battery.basis if battery is not None else "Nothing is known of the battery's use."
    turns = "turning and accelerating counted" if aircraft.change_s else "no time for turning"
    return speeds, f"No wind; {turns}.", power


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
        f"{left:.0f} mAh left."
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
