"""Structure check: do names, destinations, loops and size of the plan hang together?

The firmware's own check is checkPathPlan in flight/modules/PathPlanner/pathplanner.c; a plan that
fails it is not flown at all.
"""

import math
from collections.abc import Iterator

from telemetry.base.finding import Level
from telemetry.missions.checks.situation import MissionFinding, MissionSituation, found
from telemetry.missions.legs import flown_order, is_last, next_of
from telemetry.missions.mission import LegAction, Mission, jump_target
from telemetry.missions.waypoint_options import COMMAND_BY_NAME, END_CONDITION_BY_NAME, MODE_BY_NAME

_ALWAYS = ("Immediate", "PythonScript")


def check_structure(situation: MissionSituation) -> Iterator[MissionFinding]:
    """Everything about the plan that no place is needed for."""
    mission = situation.mission
    if not mission.waypoints:
        yield found(
            Level.ERROR, "mission-empty", "The mission has no waypoints.", "Add at least one."
        )
        return
    yield from _check_size(situation)
    yield from _check_names(mission)
    yield from _check_destinations(situation.plan)
    yield from _check_way(mission)


def _check_size(situation: MissionSituation) -> Iterator[MissionFinding]:
    mission, aircraft = situation.mission, situation.aircraft
    count = len(mission.waypoints)
    if count > aircraft.most_waypoints:
        yield found(
            Level.ERROR,
            "mission-too-many-waypoints",
            f"The mission has {count} waypoints; the board takes {aircraft.most_waypoints}.",
            "Fly it as several missions.",
        )
    actions = len({waypoint.action for waypoint in mission.waypoints})
    if actions > aircraft.most_actions:
        yield found(
            Level.ERROR,
            "mission-too-many-actions",
            f"The waypoints have {actions} different actions; the board takes "
            f"{aircraft.most_actions}.",
            "Give more waypoints the same mode, end condition and parameters.",
        )


def _check_names(mission: Mission) -> Iterator[MissionFinding]:
    for i, waypoint in enumerate(mission.waypoints):
        action = waypoint.action
        for known, name, what in (
            (MODE_BY_NAME, action.mode, "mode"),
            (END_CONDITION_BY_NAME, action.end_condition, "end condition"),
            (COMMAND_BY_NAME, action.command, "command"),
        ):
            if name not in known:
                yield found(
                    Level.ERROR,
                    "mission-unknown-option",
                    f"{{}} has the {what} '{name}', which does not exist.",
                    f"Choose one of: {', '.join(known)}.",
                    (i,),
                )
        values = (
            waypoint.latitude_deg,
            waypoint.longitude_deg,
            waypoint.height_m,
            waypoint.velocity_mps,
            *action.mode_parameters,
            *action.condition_parameters,
        )
        if not all(map(math.isfinite, values)):
            yield found(
                Level.ERROR,
                "mission-not-a-number",
                "{} has a value that is no number.",
                "Type it again.",
                (i,),
            )


def _check_destinations(mission: Mission) -> Iterator[MissionFinding]:
    count = len(mission.waypoints)
    for i, waypoint in enumerate(mission.waypoints):
        action = waypoint.action
        for destination, what in (
            (action.jump_destination, "jumps"),
            (action.error_destination, "goes after an error"),
        ):
            if destination >= count:
                yield found(
                    Level.ERROR,
                    "mission-destination-outside",
                    f"{{}} {what} to waypoint {destination + 1}, which does not exist: the board "
                    "refuses the whole plan.",
                    f"Choose a waypoint from 1 to {count}.",
                    (i,),
                )
        if _jumps(action) and action.jump_destination < 0 and i - action.jump_destination >= count:
            yield found(
                Level.WARNING,
                "mission-jump-beyond-end",
                f"{{}} jumps {-action.jump_destination} waypoints ahead, beyond the end: that is "
                "waypoint 1.",
                "Name the waypoint instead, if it is not meant.",
                (i,),
            )


def _check_way(mission: Mission) -> Iterator[MissionFinding]:
    """Loops, and what is never flown."""
    circle = _instant_circle(mission)
    if circle:
        yield found(
            Level.ERROR,
            "mission-instant-loop",
            "{} lead to each other at once, without flying.",
            "Give one of them an end condition that takes time.",
            circle,
        )
    reached = _reachable(mission)
    never = [i for i in range(len(mission.waypoints)) if i not in reached]
    if never:
        yield found(
            Level.WARNING,
            "mission-never-flown",
            "{} are never reached." if len(never) > 1 else "{} is never reached.",
            "Check the end conditions and jumps before, or delete what is not wanted.",
            never,
        )
    if not any(_can_stay(mission, i) for i in reached):
        way = list(flown_order(mission))
        yield found(
            Level.WARNING,
            "mission-endless",
            "The mission has no end: after the last waypoint comes the first again.",
            "Have it return, land, or stay at the last waypoint.",
            way[-1:],
        )


def _jumps(action: LegAction) -> bool:
    command = COMMAND_BY_NAME.get(action.command)
    return command is not None and bool(command.jumps_if)


def _followers(mission: Mission, index: int) -> set[int]:
    """Where it can go on after a waypoint, whatever its end condition says."""
    action, count = mission.waypoints[index].action, len(mission.waypoints)
    command = COMMAND_BY_NAME.get(action.command)
    followers = set()
    if 0 <= action.error_destination < count:
        followers.add(action.error_destination)
    if command is None or is_last(action):
        return followers
    answers = {True, False}
    if action.end_condition in _ALWAYS:
        answers = {True}
    if action.end_condition == "None":
        answers = {False}
    if command.jumps_if & answers:
        followers.add(jump_target(action, index, count))
    if command.continues_if & answers:
        followers.add((index + 1) % count)
    return followers


def _can_stay(mission: Mission, index: int) -> bool:
    """Whether the flight can end here: nothing leads on."""
    action = mission.waypoints[index].action
    onward = _followers(mission, index) - {action.error_destination}
    return is_last(action) or action.mode in ("Land", "DisarmAlarm") or not onward


def _reachable(mission: Mission) -> set[int]:
    reached: set[int] = set()
    waiting = [0]
    while waiting:
        index = waiting.pop()
        if index not in reached:
            reached.add(index)
            waiting += _followers(mission, index)
    return reached


def _instant_circle(mission: Mission) -> list[int]:
    """Waypoints that follow each other without any time between."""
    for start in range(len(mission.waypoints)):
        way, index = [], start
        while index not in way and mission.waypoints[index].action.end_condition in _ALWAYS:
            way.append(index)
            following = next_of(mission, index)
            if following is None:
                break
            index = following
        else:
            if index in way:
                return way[way.index(index) :]
    return []
