"""Mission as a value: where to fly, how, until when and what then; and where not to.

Nothing here is changed in place: an edit is another Mission (`edits.py`), so undoing is keeping.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from telemetry.missions.geofences import Fence
from telemetry.missions.local_coordinates import MissionHome, to_north_east
from telemetry.missions.steps import EndingStep, ReturnStep, TakeOffStep
from telemetry.missions.waypoint_options import FIRST_DEFAULT

NO_DESTINATION = -1
"""As `error_destination`: stay where an error finds it. As `jump_destination`: the next one."""

Parameters = tuple[float, float, float, float]


class HeightReference(StrEnum):
    """What a height is counted from. A board knows home only; the others become that on the way."""

    HOME = "home"
    SEA = "sea"
    GROUND = "ground"


@dataclass(frozen=True, slots=True)
class LegAction:
    """How to fly to a waypoint, until when, and what then: PathAction.

    Names as in `options.py`. Destinations are numbers of waypoints, the first being 0. A
    `jump_destination` below 0 counts forward from here, -1 being the next waypoint; an
    `error_destination` below 0 asks for nothing when PathFollower says that it cannot fly this.
    """

    mode: str = "FollowVector"
    mode_parameters: Parameters = FIRST_DEFAULT
    end_condition: str = "LegRemaining"
    condition_parameters: Parameters = FIRST_DEFAULT
    command: str = "OnConditionNextWaypoint"
    jump_destination: int = 0
    error_destination: int = NO_DESTINATION


@dataclass(frozen=True, slots=True)
class MissionWaypoint:
    """One row of the plan. `velocity_mps` is the speed wanted at it."""

    latitude_deg: float
    longitude_deg: float
    height_m: float
    velocity_mps: float = 3.0
    height_reference: HeightReference = HeightReference.HOME
    action: LegAction = field(default_factory=LegAction)
    name: str = ""
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class Mission:
    """A plan. `home` is where it was made for; None as long as nobody has said. `take_off` comes
    before its waypoints and `ending` after them; None where somebody else sees to that."""

    waypoints: tuple[MissionWaypoint, ...] = ()
    home: MissionHome | None = None
    fences: tuple[Fence, ...] = ()
    name: str = ""
    take_off: TakeOffStep | None = None
    ending: EndingStep | None = None

    def with_waypoint(self, index: int, waypoint: MissionWaypoint) -> "Mission":
        """The same with another waypoint in the place of one."""
        return self.with_waypoints(
            (*self.waypoints[:index], waypoint, *self.waypoints[index + 1 :])
        )

    def with_waypoints(self, waypoints: tuple[MissionWaypoint, ...]) -> "Mission":
        """The same with other waypoints."""
        return replace(self, waypoints=waypoints)


NEW_MISSION: Final = Mission(take_off=TakeOffStep(), ending=ReturnStep())
"""What a plan begins as."""


def jump_target(action: LegAction, index: int, count: int) -> int:
    """Where a jump from waypoint `index` leads; beyond the end it is the first (setWaypoint)."""
    target = action.jump_destination
    target = index - target if target < 0 else target
    return target if target < count else 0


def place_of(waypoint: MissionWaypoint, home: MissionHome) -> tuple[float, float]:
    """Metres north and east of home."""
    return to_north_east(home, waypoint.latitude_deg, waypoint.longitude_deg)
