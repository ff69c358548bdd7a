"""Guided actions: what an aircraft can do by itself, and the objects by which it is asked.

One row per action, as read in LibrePilot *next* (commit 8c101adc); `sources` are files below
`flight/`. For what is not in a row's `frames` firmware has no controller
(pathFollowerSetActiveController of pathfollower.cpp), and it is not offered.

An action selects a flight mode by the switch, as a radio does. Where that leaves something to say,
it is said in PathDesired while PositionHold is selected: firmware writes that object once, on
entering the mode (plan_setup_positionHold), and its path follower takes every later one over
(pathFollowerObjectiveUpdatedCb). The plan on board, which only PathPlanner reads, is left as it
is, and choosing another mode ends it. All of it is in the one write, so that a lost link leaves an
aircraft that arrives and stays.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from telemetry.base.number_text import significant
from telemetry.recording.sample import Sample

FARTHEST_M: Final = 1000.0
"""So far from where it is it may be sent."""
LOWEST_M: Final = 2.0
"""So low it may be sent, unless somebody says otherwise: height is what the aircraft estimates, and
that can be off by 2.7 m from the start on (data of GPS) and wanders by some decimetres of the
barometer. A place below the ground has it push down until it topples."""
HIGHEST_M: Final = 500.0
_CLEAR_M: Final = 0.5
"""So far above the ground that it took off from it may be sent. An estimate of the height that
has drifted by more than that would have it push against the ground and topple."""
SMALLEST_ORBIT_M: Final = 5.0
WING_ORBIT_M: Final = 50.0
"""An aeroplane that is sent somewhere circles there."""
_NEAR_M = 0.05


class FollowedAs(Enum):
    """The kinds of aircraft that firmware has a path follower for."""

    ROTORS = "rotors"
    WING = "wing"
    GROUND = "ground"


_ROTORS = frozenset({FollowedAs.ROTORS})
_FLIES = frozenset({FollowedAs.ROTORS, FollowedAs.WING})
_ALL = frozenset(FollowedAs)
_CUSTOM = ("VTOL", "Custom")
_TREATED_AS = {"FixedWing": FollowedAs.WING, "VTOL": FollowedAs.ROTORS, "Ground": FollowedAs.GROUND}
_PATH = ("PathDesired",)
_MODE = "modules/ManualControl/manualcontrol.c"
_PLANS = "libraries/plans.c"
_FOLLOWER = "modules/PathFollower/pathfollower.cpp"
_PATHS = "libraries/paths.c"
_FLY = "modules/PathFollower/vtolflycontroller.cpp"


@dataclass(frozen=True, slots=True)
class GuidedAction:
    """One thing to ask for: what selects it (`mode`, of FlightModePosition), what else says it
    (`objects`), which aircraft can do it, and where firmware acts on it.
    """

    id: str
    title: str
    help: str
    mode: str
    objects: tuple[str, ...]
    frames: frozenset[FollowedAs]
    sources: tuple[str, ...]


GUIDED_ACTIONS: Final = (
    GuidedAction(
        "take_off",
        "Take off",
        "Arms, takes off, climbs to the height given above where it was armed, and stays there.",
        "AutoTakeoff",
        ("FlightModeSettings.AutoTakeOffHeight",),
        _FLIES,
        (_MODE, _PLANS, "modules/PathFollower/vtolautotakeoffcontroller.cpp"),
    ),
    GuidedAction(
        "land",
        "Land",
        "Comes down where it is, and disarms.",
        "Land",
        (),
        _FLIES,
        (_MODE, _PLANS, "modules/PathFollower/vtollandcontroller.cpp"),
    ),
    GuidedAction(
        "hold",
        "Hold",
        "Stays where it is.",
        "PositionHold",
        (),
        _ALL,
        (_MODE, "modules/ManualControl/pathfollowerhandler.c", _PLANS),
    ),
    GuidedAction(
        "return",
        "Return",
        "Flies to where it was armed, higher than it is by what its settings say; there it holds "
        "or lands, as they say.",
        "ReturnToBase",
        (),
        _ALL,
        (_MODE, _PLANS, _FLY),
    ),
    GuidedAction(
        "go_to",
        "Go to",
        "Flies straight to a place at the height it has, and stays there.",
        "PositionHold",
        _PATH,
        _ALL,
        (_FOLLOWER, _PATHS, _FLY),
    ),
    GuidedAction(
        "orbit",
        "Orbit",
        "Circles a place with the radius and at the speed given, at the height it has.",
        "PositionHold",
        _PATH,
        _ALL,
        (_FOLLOWER, _PATHS, _FLY),
    ),
    GuidedAction(
        "height",
        "Change height",
        "Climbs or sinks to a height above home, where it is or on its circle.",
        "PositionHold",
        _PATH,
        _FLIES,
        (_FOLLOWER, _PATHS, _FLY),
    ),
    GuidedAction(
        "speed",
        "Change speed",
        "Limits how fast it flies on its way, in missions too.",
        "",
        ("VtolPathFollowerSettings.HorizontalVelMax",),
        _ROTORS,
        (_FOLLOWER, "modules/PathFollower/pidcontrolne.cpp"),
    ),
    GuidedAction(
        "heading",
        "Change heading",
        "Turns its nose while it holds, by the yaw stick.",
        "PositionHold",
        ("GCSReceiver",),
        _ROTORS,
        (_FLY, "modules/Receiver/receiver.c"),
    ),
    GuidedAction(
        "pause",
        "Pause mission",
        "Holds where it is; the waypoint is remembered.",
        "PositionHold",
        (),
        _ALL,
        (_MODE, "modules/PathPlanner/pathplanner.c"),
    ),
    GuidedAction(
        "resume",
        "Resume mission",
        "Flies the plan on board on from the waypoint at which it was paused.",
        "PathPlanner",
        ("WaypointActive.Index",),
        _ALL,
        (_MODE, "modules/PathPlanner/pathplanner.c"),
    ),
)


def guided_action(action_id: str) -> GuidedAction:
    """The row of an action. Raises KeyError for an unknown one."""
    found = next((action for action in GUIDED_ACTIONS if action.id == action_id), None)
    if found is None:
        raise KeyError(action_id)
    return found


def frame_of(system: Mapping[str, Any], follower: Mapping[str, Any]) -> FollowedAs | None:
    """What firmware's path follower treats an aircraft as, None while that is unknown.

    By path: `system` is SystemSettings, `follower` VtolPathFollowerSettings (sanitycheck.c,
    GetCurrentFrameType, and SettingsUpdatedCb of pathfollower.cpp).
    """
    airframe = str(system.get("AirframeType", ""))
    if airframe in _CUSTOM:
        return _TREATED_AS.get(str(follower.get("TreatCustomCraftAs", "")))
    if airframe.startswith("Ground"):
        return FollowedAs.GROUND
    if airframe.startswith("FixedWing"):
        return FollowedAs.WING
    return FollowedAs.ROTORS if airframe else None


@dataclass(frozen=True, slots=True)
class GuidedPath:
    """What PathDesired asks for: a place to stay at, or a circle around it.

    Metres north, east and down of home. `radius_m` 0 is to stay; else it circles to the right at
    `speed_mps`, to the left where `is_left`.
    """

    north_m: float
    east_m: float
    down_m: float
    radius_m: float = 0.0
    speed_mps: float = 0.0
    is_left: bool = False

    @property
    def is_circle(self) -> bool:
        """Whether it circles."""
        return self.radius_m > 0.0

    def at_height(self, height_m: float) -> "GuidedPath":
        """The same at another height above home."""
        return replace(self, down_m=-height_m)

    def values(self) -> dict[str, Any]:
        """PathDesired as it is written.

        To stay: with a velocity of 0 the distance alone is the speed, up to HorizontalVelMax, and
        the end is never overshot (path_endpoint of paths.c). A circle has its centre at End and
        its radius between End and Start (path_circle).
        """
        mode = (
            ("CircleLeft" if self.is_left else "CircleRight") if self.is_circle else "GoToEndpoint"
        )
        return {
            "Mode": mode,
            "Start": (self.north_m + self.radius_m, self.east_m, self.down_m),
            "End": (self.north_m, self.east_m, self.down_m),
            "StartingVelocity": self.speed_mps,
            "EndingVelocity": self.speed_mps,
            "ModeParameters": (0.0, 0.0, 0.0, 0.0),
        }

    def is_on_board(self, path: Sample | None) -> bool:
        """Whether the aircraft says that this is what it flies."""
        asked = read_path(path)
        return asked is not None and all(
            math.isclose(a, b, abs_tol=_NEAR_M)
            for a, b in zip(_numbers(self), _numbers(asked), strict=True)
        )


def read_path(path: Sample | None) -> GuidedPath | None:
    """What PathDesired asks for; None where it is neither a place nor a circle."""
    mode = str(path["Mode"]) if path is not None else ""
    if path is None or mode not in ("GoToEndpoint", "CircleRight", "CircleLeft"):
        return None
    north, east, down = _vector(path, "End")
    if mode == "GoToEndpoint":  # firmware puts the start somewhere; its direction does not matter
        return GuidedPath(north, east, down)
    start = _vector(path, "Start")
    radius_m = math.hypot(start[0] - north, start[1] - east)
    speed_mps = float(path.raw("EndingVelocity"))
    return GuidedPath(north, east, down, radius_m, speed_mps, mode == "CircleLeft")


def _vector(path: Sample, field: str) -> tuple[float, float, float]:
    north, east, down = (float(path.raw(f"{field}.{axis}")) for axis in ("North", "East", "Down"))
    return north, east, down


def _numbers(path: GuidedPath) -> tuple[float, ...]:
    speed = path.speed_mps if path.is_circle else 0.0
    return path.north_m, path.east_m, path.down_m, path.radius_m, speed, float(path.is_left)


def why_not_place(here: tuple[float, float], there: tuple[float, float]) -> str | None:
    """Why it may not be sent from one place to another (metres north, east), or None."""
    away_m = math.dist(here, there)
    if away_m <= FARTHEST_M:
        return None
    return (
        f"That place is {away_m / 1000.0:.1f} km away; it is sent up to "
        f"{FARTHEST_M / 1000.0:.0f} km. Choose a nearer one, or fly a mission."
    )


def why_not_height(
    height_m: float, ground_m: float | None = None, lowest_m: float = LOWEST_M
) -> str | None:
    """Why it may not be sent to a height above home, or None.

    `ground_m` is how high above home the aircraft says that it took off: home is where GPS had it
    first, which can be metres beside the height that it holds by. `lowest_m`: see `LOWEST_M`;
    above the ground where that is below home.
    """
    lowest_m += min(ground_m or 0.0, 0.0)
    if not lowest_m <= height_m <= HIGHEST_M:
        return (
            f"{significant(height_m, 4)} m is not between {significant(lowest_m, 3)} and "
            f"{HIGHEST_M:.0f} m above home. Land to come down."
        )
    if ground_m is not None and height_m < ground_m + _CLEAR_M:
        return (
            f"{significant(height_m, 4)} m above home is at the ground or below: it took off "
            f"{ground_m:.1f} m above home. Choose {math.ceil(ground_m + _CLEAR_M)} m or more; "
            "land to come down."
        )
    return None


def take_off_ground_m(place: Sample | None) -> float | None:
    """How high above home the ground was where it was armed, by the aircraft's own estimate; None
    while TakeOffLocation does not say so (takeofflocationhandler.c)."""
    if place is None or place["Status"] != "Valid" or place["Mode"] == "Preset":
        return None
    return -float(place.raw("Down"))
