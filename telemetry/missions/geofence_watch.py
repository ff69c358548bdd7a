"""Geofence watch: a plan's fences in flight, what is said of them, and when to act."""

from collections.abc import Sequence

from telemetry.base.finding import Finding, Level
from telemetry.missions.board.plan import board_home
from telemetry.missions.geofences import Fence, FenceAction, FencePlace, fence_places, flat_fence
from telemetry.missions.local_coordinates import MissionHome
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.vehicle import Vehicle

NOTICE = "missions.fence"
_OLD_S = 3.0
_WORDS = {
    FenceAction.WARN: "Turn back.",
    FenceAction.HOLD: "The station has it hold; take over if it does not.",
    FenceAction.RETURN: "The station has it return; take over if it does not.",
    FenceAction.LAND: "The station has it land; take over if it does not.",
}


class FenceWatch:
    """Watches one aircraft while it is armed and says in its notices how it is to the fences.

    `poll` returns an action to carry out once each time a fence is crossed, else None.
    """

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self._broken: set[Fence] = set()

    @property
    def is_broken(self) -> bool:
        """Whether a fence is crossed, as far as is known."""
        return bool(self._broken)

    def poll(self, fences: Sequence[Fence]) -> FenceAction | None:
        """Look where the aircraft is now."""
        vehicle = self._vehicle
        if not fences or not vehicle.is_live:
            self._rest()
            return None
        state = read_flight_state(vehicle.recording, vehicle.end_s)
        if not state.is_armed:
            self._rest()
            return None
        notices = notices_of(vehicle)
        home = board_home(vehicle.recording)
        if home is None or _is_old(state):
            notices.say(NOTICE, _BLIND)
            return None
        places = _places(fences, home, state)
        notices.say(NOTICE, _finding(places))
        broken = {place.fence for place in places if place.is_broken}
        new, self._broken = broken - self._broken, broken
        actions = [fence.action for fence in new if fence.action is not FenceAction.WARN]
        return max(actions, key=list(FenceAction).index, default=None)

    def _rest(self) -> None:
        self._broken.clear()
        notices_of(self._vehicle).say(NOTICE, None)


_BLIND = Finding(
    Level.WARNING,
    "fence-not-watched",
    "The fences of the plan are not watched: no position of the aircraft is known.",
    "Watch it yourself, or wait for a GPS fix.",
    title="Fences not watched",
)


def _is_old(state: FlightState) -> bool:
    age_s = state.position_age_s
    return age_s is None or age_s > _OLD_S or state.north_m is None or state.east_m is None


def _places(
    fences: Sequence[Fence], home: MissionHome, state: FlightState
) -> tuple[FencePlace, ...]:
    north, east = state.north_m or 0.0, state.east_m or 0.0
    flat = [flat_fence(fence, home) for fence in fences]
    return fence_places(flat, north, east, state.height_m or 0.0)


def _finding(places: Sequence[FencePlace]) -> Finding | None:
    worst = min(places, key=lambda place: place.margin_m - place.fence.warning_m)
    worst = min((p for p in places if p.is_broken), key=lambda p: p.margin_m, default=worst)
    fence, metres = worst.fence, abs(worst.margin_m)
    name = fence.name or f"a fence (stay {fence.kind.value})"
    if worst.is_broken:
        text = f"{metres:.0f} m beyond {name}."
        return Finding(Level.ERROR, "fence", text, _WORDS[fence.action], title="Fence crossed")
    if worst.is_near:
        text = f"{metres:.0f} m to {name}."
        return Finding(Level.WARNING, "fence-near", text, "Turn away.", title="Fence near")
    return None
