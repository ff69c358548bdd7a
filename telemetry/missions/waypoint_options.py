"""Waypoint options as data: modes, end conditions, commands, parameters.

Names are the options of PathAction in LibrePilot *next*; what they do was read there, in
flight/modules/PathPlanner/pathplanner.c, flight/libraries/paths.c and flight/modules/PathFollower
(commit 8c101adc). Where firmware ignores what one would expect it to heed, the text says so.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

PARAMETERS: Final = 4
"""A mode and an end condition have so many numbers each, whether they mean anything or not."""
FIRST_DEFAULT: Final = (0.0, 0.0, 0.0, 0.0)


class AircraftFamily(StrEnum):
    """What PathFollower takes an aircraft for (GetCurrentFrameType, TreatCustomCraftAs).

    Helicopters fly by the multirotor's controllers.
    """

    MULTIROTOR = "multirotor"
    FIXED_WING = "fixed wing"
    GROUND = "ground"


_ALL: Final = frozenset(AircraftFamily)
_FLYING: Final = frozenset({AircraftFamily.MULTIROTOR, AircraftFamily.FIXED_WING})
_HOVERING: Final = frozenset({AircraftFamily.MULTIROTOR})


@dataclass(frozen=True, slots=True)
class OptionParameter:
    """One number of a mode or end condition: which of the four, and what it means."""

    index: int
    title: str
    unit: str
    explanation: str
    low: float = -1e6
    high: float = 1e6
    default: float = 0.0


@dataclass(frozen=True, slots=True)
class PathMode:
    """A way of flying. `families` are those whose PathFollower knows it; for others it is an
    error that makes PathStatus Critical. `has_place`: whether the waypoint's position matters;
    `has_velocity`: whether its velocity does."""

    name: str
    title: str
    explanation: str
    families: frozenset[AircraftFamily] = _ALL
    parameters: tuple[OptionParameter, ...] = ()
    has_place: bool = True
    has_velocity: bool = True


@dataclass(frozen=True, slots=True)
class EndCondition:
    """What ends a waypoint (or not, as its command says)."""

    name: str
    title: str
    explanation: str
    parameters: tuple[OptionParameter, ...] = ()


@dataclass(frozen=True, slots=True)
class PathCommand:
    """What comes next. `jumps_if` and `continues_if`: the answers of the end condition for which
    it jumps, and goes on to the next waypoint."""

    name: str
    title: str
    explanation: str
    jumps_if: frozenset[bool] = frozenset()
    continues_if: frozenset[bool] = frozenset()


def _velocity(axis: int, name: str) -> OptionParameter:
    return OptionParameter(axis, f"Velocity {name}", "m/s", "", -100.0, 100.0)


MODES: Final = (
    PathMode(
        "GoToEndpoint",
        "Go to",
        "Straight to the waypoint from wherever it is, with the waypoint's speed and the more the "
        "farther it is, up to the most that the aircraft flies. With a speed of 0 it stops there; "
        "with another it flies on past it, and back.",
    ),
    PathMode(
        "FollowVector",
        "Follow the line",
        "Along the line from the waypoint before, whose speed changes evenly into that of this "
        "one, so neither may be 0. It goes on beyond the end until its end is reached.",
    ),
    PathMode(
        "CircleRight",
        "Circle right",
        "Clockwise around the waypoint. The radius is the distance from the waypoint before, the "
        "height that of the waypoint.",
    ),
    PathMode(
        "CircleLeft",
        "Circle left",
        "Anticlockwise around the waypoint. The radius is the distance from the waypoint before, "
        "the height that of the waypoint.",
    ),
    PathMode(
        "FixedAttitude",
        "Fixed attitude",
        "Holds an attitude and a thrust, wherever that leads. Nothing holds height or place.",
        parameters=(
            OptionParameter(0, "Roll", "deg", "Positive: right side down.", -90.0, 90.0),
            OptionParameter(1, "Pitch", "deg", "Positive: nose up.", -90.0, 90.0),
            OptionParameter(2, "Yaw rate", "deg/s", "Axis lock: 0 keeps heading.", -300.0, 300.0),
            OptionParameter(3, "Thrust", "", "0 to 1.", -1.0, 1.0),
        ),
        has_place=False,
        has_velocity=False,
    ),
    PathMode(
        "SetAccessory",
        "Set accessory",
        "No board carries it out: all take it for an error.",
        frozenset(),
        (
            OptionParameter(0, "Accessory", "", "Which one.", 0.0, 3.0),
            OptionParameter(1, "Value", "", "", -1.0, 1.0),
        ),
        has_place=False,
        has_velocity=False,
    ),
    PathMode(
        "DisarmAlarm",
        "Disarm",
        "Disarms at once, in the air too.",
        has_place=False,
        has_velocity=False,
    ),
    PathMode(
        "Land",
        "Land",
        "A multirotor sinks where it is when the waypoint begins, not at the waypoint, with its "
        "landing speed; it is complete when it has disarmed. An aeroplane glides with its motor "
        "off and the wings level, in the direction from the waypoint before to this one.",
        _FLYING,
        has_velocity=False,
    ),
    PathMode(
        "Brake",
        "Brake",
        "Slows down to a stop and holds the place where it stopped.",
        _HOVERING,
        (
            _velocity(0, "north"),
            _velocity(1, "east"),
            _velocity(2, "down"),
            OptionParameter(3, "Longest time", "s", "0: no limit.", 0.0, 600.0),
        ),
        has_place=False,
    ),
    PathMode(
        "Velocity",
        "Keep a velocity",
        "Flies with a velocity over ground. Height follows the throttle stick.",
        _HOVERING,
        (_velocity(0, "north"), _velocity(1, "east")),
        has_place=False,
        has_velocity=False,
    ),
    PathMode(
        "AutoTakeoff",
        "Take off",
        "An aeroplane climbs to the waypoint's height with full thrust. A multirotor gets no "
        "thrust for it in a plan: have the plan begin with the step Take off instead.",
        _FLYING,
        has_velocity=False,
    ),
)
"""Every PathAction.Mode, in the wire's order."""

END_CONDITIONS: Final = (
    EndCondition("None", "Never", "Does not end by itself."),
    EndCondition(
        "TimeOut",
        "After a time",
        "So long after the waypoint began. The board counts with a clock that begins again after "
        "25 s, so a longer time never ends.",
        (OptionParameter(0, "Time", "s", "", 0.0, 3600.0, 5.0),),
    ),
    EndCondition(
        "DistanceToTarget",
        "Near the waypoint",
        "When it is nearer to the waypoint than a distance.",
        (
            OptionParameter(0, "Distance", "m", "", 0.0, 10_000.0, 3.0),
            OptionParameter(1, "Height counts", "", "1: in space. 0: over ground.", 0.0, 1.0),
        ),
    ),
    EndCondition(
        "LegRemaining",
        "Little of the leg is left",
        "When at most this share of the leg is left. A circle is half complete at the waypoint "
        "before, wholly on its other side, and begins anew there.",
        (OptionParameter(0, "Share left", "", "0: all done. 1: at once.", 0.0, 1.0),),
    ),
    EndCondition(
        "BelowError",
        "Near the path",
        "When it is nearer to the path than a distance.",
        (OptionParameter(0, "Distance", "m", "", 0.0, 10_000.0, 3.0),),
    ),
    EndCondition(
        "AboveAltitude",
        "Above a height",
        "When it is at least so high above home.",
        (OptionParameter(0, "Height", "m", "", -500.0, 10_000.0, 10.0),),
    ),
    EndCondition(
        "AboveSpeed",
        "Above a speed",
        "When it is at least so fast.",
        (
            OptionParameter(0, "Speed", "m/s", "", 0.0, 300.0, 5.0),
            OptionParameter(1, "Airspeed", "", "1: calibrated airspeed. 0: over ground.", 0.0, 1.0),
        ),
    ),
    EndCondition(
        "PointingTowardsNext",
        "Flying towards the next",
        "When its course differs from the direction from this waypoint to the next by at most an "
        "angle. The board does not see that 359 and 1 degree are near: due west it often misses.",
        (OptionParameter(0, "Angle", "deg", "", 0.0, 360.0, 10.0),),
    ),
    EndCondition(
        "PythonScript", "Script", "No board runs scripts: it ends at once.", parameters=()
    ),
    EndCondition("Immediate", "At once", "Always holds."),
)
"""Every PathAction.EndCondition, in the wire's order."""

_YES, _NO = frozenset({True}), frozenset({False})

COMMANDS: Final = (
    PathCommand("OnConditionNextWaypoint", "then the next", "", continues_if=_YES),
    PathCommand(
        "OnNotConditionNextWaypoint", "else the next", "As long as it holds, stay.", _NO & _YES, _NO
    ),
    PathCommand("OnConditionJumpWaypoint", "then jump", "", _YES),
    PathCommand("OnNotConditionJumpWaypoint", "else jump", "As long as it holds, stay.", _NO),
    PathCommand(
        "IfConditionJumpWaypointElseNextWaypoint",
        "jump, or at once the next",
        "Asked once, as soon as the waypoint begins: if it holds, jump, else go on.",
        _YES,
        _NO,
    ),
)
"""Every PathAction.Command, in the wire's order. After the last waypoint comes the first."""

MODE_BY_NAME: Final = {mode.name: mode for mode in MODES}
END_CONDITION_BY_NAME: Final = {condition.name: condition for condition in END_CONDITIONS}
COMMAND_BY_NAME: Final = {command.name: command for command in COMMANDS}
LONGEST_TIMEOUT_S: Final = 25.0
"""What PIOS_DELAY_DiffuS of firmware can measure: 32 bits of a 168 MHz clock."""
