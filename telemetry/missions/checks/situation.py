"""Mission situation: what a mission is judged by, and what is found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from telemetry.base.finding import Finding, Level
from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.flown_plan import flown_plan, waypoint_words
from telemetry.missions.geofences import FlatFence, flat_fence
from telemetry.missions.legs import MissionLeg, legs_of
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights


@dataclass(frozen=True, slots=True)
class MissionLimits:
    """What a pilot allows. Heights above home, `clearance_m` above the ground."""

    farthest_m: float = 500.0
    highest_m: float = 120.0
    clearance_m: float = 5.0


@dataclass(frozen=True, slots=True)
class MissionFinding:
    """A finding and the waypoints it is about (the first being 0)."""

    finding: Finding
    waypoints: tuple[int, ...] = ()


class MissionSituation:
    """A mission with all that it is judged by. Nothing in it changes. `plan` is what was planned,
    `mission` the same with its ending as waypoints: what is flown and judged."""

    def __init__(
        self,
        mission: Mission,
        aircraft: MissionAircraft,
        limits: MissionLimits,
        ground: GroundHeights = FLAT_GROUND,
        home: MissionHome | None = None,
    ) -> None:
        self.home = home or mission.home
        self.plan = mission
        self.mission = flown_plan(mission, self.home, ground)
        self.aircraft = aircraft
        self.limits = limits
        self.ground = ground

    @cached_property
    def legs(self) -> tuple[MissionLeg, ...]:
        """The legs; none without a home."""
        if self.home is None:
            return ()
        take_off_m = self.aircraft.take_off_height_m or 0.0
        return legs_of(self.mission, self.home, self.ground, take_off_m)

    @cached_property
    def fences(self) -> tuple[FlatFence, ...]:
        """The fences, flat; none without a home."""
        if self.home is None:
            return ()
        return tuple(flat_fence(fence, self.home) for fence in self.mission.fences)


def found(
    level: Level,
    code: str,
    text: str,
    remedy: str,
    waypoints: Sequence[int] = (),
    settings: tuple[str, ...] = (),
) -> MissionFinding:
    """A finding about some waypoints; what they are called takes the place of `{}` in `named`.
    `settings` are those of the aircraft that it stands on."""
    finding = Finding(level, code, text, remedy, settings=settings)
    return MissionFinding(finding, tuple(waypoints))


def named(found: MissionFinding, plan: Mission) -> MissionFinding:
    """With its waypoints as they are called: by their numbers from 1, and the ending's in words."""
    text = found.finding.text
    if found.waypoints:
        text = text.replace("{}", _called(found.waypoints, plan))
    text = text[0].upper() + text[1:]
    return replace(found, finding=replace(found.finding, text=text))


def _called(waypoints: Sequence[int], plan: Mission) -> str:
    own = [i for i in waypoints if plan.ending is None or i < len(plan.waypoints)]
    steps = [waypoint_words(plan, i) for i in sorted(set(waypoints) - set(own))]
    return " and ".join([numbers(own), *steps] if own else steps)


def numbers(waypoints: Sequence[int]) -> str:
    """Waypoints as people count them: "waypoint 2", "waypoints 2, 3 and 5"."""
    shown = [i + 1 for i in sorted(waypoints)]
    if len(shown) == 1:
        return f"waypoint {shown[0]}"
    if len(shown) > 2 and shown == list(range(shown[0], shown[-1] + 1)):
        return f"waypoints {shown[0]} to {shown[-1]}"
    return f"waypoints {', '.join(map(str, shown[:-1]))} and {shown[-1]}"
