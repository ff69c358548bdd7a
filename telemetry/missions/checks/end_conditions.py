"""End condition check: those that can never hold, or hold at once where that is not meant.

What PathStatus.fractional_progress says in each mode is read in flight/libraries/paths.c and the
controllers of flight/modules/PathFollower.
"""

from collections.abc import Iterator

from telemetry.base.finding import Level
from telemetry.missions.checks.situation import MissionFinding, MissionSituation, found
from telemetry.missions.legs import CIRCLES, MissionLeg
from telemetry.missions.mission import Mission, MissionWaypoint
from telemetry.missions.waypoint_options import LONGEST_TIMEOUT_S, MODE_BY_NAME, AircraftFamily

_LEAST_SHARE = 1e-4
"""PathStatus counts in float: less than this is left only in theory."""

Ending = tuple[Level, str, str, str]
"""Level, code, text and remedy."""


def check_endings(situation: MissionSituation) -> Iterator[MissionFinding]:
    """Every waypoint's end condition against its mode and parameters."""
    yield from _check_velocities(situation.mission)
    legs = {leg.index: leg for leg in situation.legs}
    for i, waypoint in enumerate(situation.mission.waypoints):
        for level, code, text, remedy in _endings(situation, i, waypoint, legs.get(i)):
            yield found(level, code, f"{{}}: {text}", remedy, (i,))


def _check_velocities(mission: Mission) -> Iterator[MissionFinding]:
    """path_vector and path_endpoint in paths.c."""
    restless, stuck = [], []
    for i, waypoint in enumerate(mission.waypoints):
        mode, speed = waypoint.action.mode, waypoint.velocity_mps
        stays = waypoint.action.end_condition == "None"
        if mode == "GoToEndpoint" and stays and speed > 0.0:
            restless.append(i)
        if mode == "FollowVector" and i and mission.waypoints[i - 1].velocity_mps <= 0.0 < speed:
            stuck.append(i)
    if restless:
        text = "{}: with a velocity it does not stay there, but flies past it and back again."
        yield found(Level.WARNING, "mission-restless", text, "Give it velocity 0.", restless)
    if stuck:
        text = "{}: the line begins with the velocity 0 of the waypoint before, so it never starts."
        remedy = "Give the waypoint before a velocity, or go to this one without a line."
        yield found(Level.ERROR, "mission-never-starts", text, remedy, stuck)


def _endings(
    situation: MissionSituation, index: int, waypoint: MissionWaypoint, leg: MissionLeg | None
) -> Iterator[Ending]:
    first = waypoint.action.condition_parameters[0]
    match waypoint.action.end_condition:
        case "TimeOut":
            yield from _time_out(index, first)
        case "LegRemaining":
            yield from _leg_remaining(situation, waypoint, first)
        case "DistanceToTarget":
            yield from _distance(waypoint, leg, first)
        case "AboveAltitude":
            yield from _above_altitude(waypoint, leg, first)
        case "AboveSpeed":
            yield from _above_speed(situation, first)
        case "PointingTowardsNext" if first <= 0.0:
            yield _never("a course is never exact, so the angle must be above 0.", "Give 10 deg.")
        case "PythonScript":
            text = "no firmware runs scripts; the condition holds at once."
            yield Level.WARNING, "mission-script", text, "Choose another end condition."


def _never(text: str, remedy: str, level: Level = Level.ERROR) -> Ending:
    return level, "mission-never-ends", text, remedy


def _time_out(index: int, seconds: float) -> Iterator[Ending]:
    if seconds > LONGEST_TIMEOUT_S:
        yield _never(
            f"{seconds:g} s never pass: the board's clock for this starts again every 25 s.",
            f"Use {LONGEST_TIMEOUT_S:g} s at most, and several waypoints for longer.",
        )
    elif index == 0 and seconds > 0.0:
        yield (
            Level.WARNING,
            "mission-first-timeout",
            "at the first waypoint the board may count from an earlier time, and end at once.",
            "Put a waypoint with another end condition before it.",
        )


def _leg_remaining(
    situation: MissionSituation, waypoint: MissionWaypoint, share: float
) -> Iterator[Ending]:
    mode = waypoint.action.mode
    hovers = situation.aircraft.family is not AircraftFamily.FIXED_WING
    if mode == "AutoTakeoff" and hovers:
        yield (
            Level.WARNING,
            "mission-ends-at-once",
            "taking off counts as complete from its first moment, before it has climbed.",
            "End it above a height, a height a little below the take-off height.",
        )
    if share >= _LEAST_SHARE:
        return
    if mode == "GoToEndpoint" or mode in CIRCLES:
        yield _never(
            "it never arrives to the last millimetre, so some of the leg is always left.",
            "End it near the waypoint, or with a share of 0.05 left.",
        )
    elif mode == "Velocity":
        yield _never("nothing tells of progress in this mode.", "End it after a time.")
    elif mode == "FollowVector" and waypoint.velocity_mps <= 0.0:
        yield _never(
            "with a velocity of 0 it comes nearer and nearer without arriving.",
            "End it near the waypoint, or give it a velocity.",
        )


def _distance(
    waypoint: MissionWaypoint, leg: MissionLeg | None, distance_m: float
) -> Iterator[Ending]:
    action = waypoint.action
    if distance_m <= 0.0:
        yield _never("it never arrives to the last millimetre.", "Give 2 m, or more with GPS.")
    elif action.mode in CIRCLES and leg is not None:
        radius = ((leg.start[0] - leg.end[0]) ** 2 + (leg.start[1] - leg.end[1]) ** 2) ** 0.5
        if distance_m < 0.9 * radius:
            yield _never(
                f"the circle has a radius of {radius:.0f} m and never comes as near as "
                f"{distance_m:g} m to its centre.",
                "End it after a time, with some of the leg left, or flying towards the next.",
            )
    elif distance_m < 1.0:
        text = f"GPS is seldom as good as {distance_m:g} m; it may go round and round."
        yield _never(text, "Give 2 m or more.", Level.WARNING)
    mode = MODE_BY_NAME.get(action.mode)
    if mode is not None and not mode.has_place:
        text = "this mode does not fly to the waypoint, so it may never be near."
        yield _never(text, "End it after a time.", Level.WARNING)


def _above_altitude(
    waypoint: MissionWaypoint, leg: MissionLeg | None, height_m: float
) -> Iterator[Ending]:
    if leg is None or waypoint.action.mode in ("FixedAttitude", "Velocity"):
        return
    highest = max(leg.start[2], leg.end[2])
    if height_m >= highest:
        yield _never(
            f"the leg goes up to {highest:.0f} m above home, so {height_m:g} m above it are not "
            "reached.",
            f"Give a height a little below {highest:.0f} m above home, or a higher waypoint.",
        )


def _above_speed(situation: MissionSituation, speed_mps: float) -> Iterator[Ending]:
    fastest = situation.aircraft.fastest_mps
    if fastest is not None and speed_mps > fastest:
        yield _never(
            f"the aircraft flies {fastest:g} m/s at most, not {speed_mps:g}.",
            "Give a lower speed.",
        )
