"""Ability check: can the aircraft do it, by modes of its family, speeds, climb, navigation?"""

import math
from collections.abc import Iterator

from telemetry.base.finding import Level
from telemetry.missions.checks.situation import MissionFinding, MissionSituation, found
from telemetry.missions.guided_actions import why_not_height
from telemetry.missions.legs import CIRCLES
from telemetry.missions.waypoint_options import MODE_BY_NAME, AircraftFamily

_STEEPEST_TURN_DEG = 35.0
_GRAVITY = 9.81


def check_ability(situation: MissionSituation) -> Iterator[MissionFinding]:
    """Every waypoint against what the aircraft's settings allow."""
    yield from _check_board(situation)
    yield from _check_modes(situation)
    yield from _check_speeds(situation)
    yield from _check_climbs(situation)
    yield from _check_circles(situation)
    yield from _check_take_off(situation)


def _check_board(situation: MissionSituation) -> Iterator[MissionFinding]:
    aircraft = situation.aircraft
    if aircraft.navigates is False:
        yield found(
            Level.ERROR,
            "mission-no-navigation",
            "The state estimation does not navigate by GPS: it does not arm to fly a plan.",
            "Choose GPS navigation as its state estimation.",
            settings=("RevoSettings.FusionAlgorithm",),
        )
    if aircraft.has_path_planner is False:
        yield found(
            Level.WARNING,
            "mission-no-switch-position",
            "No position of the flight mode switch flies a plan.",
            "The station lends it one for the flight; a radio needs one under Flight modes.",
            settings=("FlightModeSettings.FlightModePosition",),
        )
    lift_off = aircraft.lift_off
    if lift_off is not None:
        words, settings = (lift_off.text, lift_off.remedy), lift_off.settings
        yield found(lift_off.level, "mission-lift-off", *words, settings=settings)


def _check_modes(situation: MissionSituation) -> Iterator[MissionFinding]:
    family = situation.aircraft.family
    for i, waypoint in enumerate(situation.mission.waypoints):
        mode = MODE_BY_NAME.get(waypoint.action.mode)
        if mode is None:
            continue
        if not mode.families or (family is not None and family not in mode.families):
            who = "no aircraft" if not mode.families else f"no {family} aircraft"
            yield found(
                Level.ERROR,
                "mission-mode",
                f"{{}}: {who} flies '{mode.title}'; it is taken for an error.",
                "Choose another mode.",
                (i,),
            )
        elif mode.name == "DisarmAlarm":
            text = "{} disarms, wherever the aircraft is then."
            remedy = "Leave it out unless it has surely landed."
            yield found(Level.WARNING, "mission-disarms", text, remedy, (i,))


def _check_speeds(situation: MissionSituation) -> Iterator[MissionFinding]:
    aircraft = situation.aircraft
    fast, slow, stopped = [], [], []
    for i, waypoint in enumerate(situation.mission.waypoints):
        mode = MODE_BY_NAME.get(waypoint.action.mode)
        if mode is None or not mode.has_velocity:
            continue
        speed = waypoint.velocity_mps
        if aircraft.fastest_mps is not None and speed > aircraft.fastest_mps:
            fast.append(i)
        if aircraft.slowest_mps and speed < aircraft.slowest_mps:
            slow.append(i)
        if speed <= 0.0 and (waypoint.action.mode in CIRCLES or speed < 0.0):
            stopped.append(i)
    if fast:
        text = f"{{}}: faster than {aircraft.fastest_mps:g} m/s, its limit."
        yield found(Level.WARNING, "mission-too-fast", text, "Give a lower velocity.", fast)
    if slow:
        text = f"{{}}: slower than {aircraft.slowest_mps:g} m/s, its least; it flies that."
        yield found(Level.WARNING, "mission-too-slow", text, "Give a higher velocity.", slow)
    if stopped:
        text = "{}: with this velocity it does not move along the path."
        yield found(Level.ERROR, "mission-no-speed", text, "Give a velocity above 0.", stopped)


def _check_climbs(situation: MissionSituation) -> Iterator[MissionFinding]:
    climb = situation.aircraft.climb_mps
    if climb is None:
        return
    steep = []
    for leg in situation.legs:
        if leg.mode != "FollowVector" or leg.index == 0:
            continue
        level = math.dist(leg.start[:2], leg.end[:2])
        height = abs(leg.end[2] - leg.start[2])
        speed = leg.waypoint.velocity_mps
        if height > 1.0 and height * speed > climb * math.hypot(level, height):
            steep.append(leg.index)
    if steep:
        yield found(
            Level.WARNING,
            "mission-too-steep",
            f"The way to {{}} climbs or sinks faster than {climb:g} m/s, its limit, and leaves "
            "the line.",
            "Give a lower velocity or a flatter leg.",
            steep,
        )


def _check_circles(situation: MissionSituation) -> Iterator[MissionFinding]:
    """A circle needs a centripetal acceleration of v squared over r."""
    for leg in situation.legs:
        if leg.mode not in CIRCLES:
            continue
        radius = math.dist(leg.start[:2], leg.end[:2])
        speed = leg.waypoint.velocity_mps
        least = speed**2 / (_GRAVITY * math.tan(math.radians(_STEEPEST_TURN_DEG)))
        if radius < 1.0 or radius < least:
            yield found(
                Level.WARNING,
                "mission-circle-too-narrow",
                f"{{}}: a circle of {radius:.0f} m radius at {speed:g} m/s; it needs "
                f"{max(least, 1.0):.0f} m.",
                "Move the waypoint before away from the centre, or fly slower.",
                (leg.index,),
            )


def _check_take_off(situation: MissionSituation) -> Iterator[MissionFinding]:
    """vtolautotakeofffsm.cpp: Activate bounds the thrust by 0, and what is armed already, as in a
    plan, goes to Hold, which leaves it there."""
    yield from _check_take_off_step(situation)
    if situation.aircraft.family is AircraftFamily.FIXED_WING:
        return
    taking_off = [
        i
        for i, waypoint in enumerate(situation.mission.waypoints)
        if waypoint.action.mode == "AutoTakeoff"
    ]
    if taking_off:
        yield found(
            Level.ERROR,
            "mission-takes-off-without-thrust",
            "{}: in a plan a multirotor gets no thrust for taking off: on the ground it stays "
            "there, in the air it falls.",
            "Leave it out: the step 'Take off' before the waypoints does it.",
            taking_off,
        )


def _check_take_off_step(situation: MissionSituation) -> Iterator[MissionFinding]:
    step, family = situation.plan.take_off, situation.aircraft.family
    if step is None:
        return
    if family is AircraftFamily.FIXED_WING:
        text = "The station does not take off an aeroplane for a plan."
        remedy = "Take off first, and start the plan in the air."
        yield found(Level.WARNING, "mission-wing-take-off", text, remedy)
    elif family is AircraftFamily.GROUND:
        text, remedy = "A ground vehicle does not take off.", "Leave the take-off out."
        yield found(Level.ERROR, "mission-no-take-off", text, remedy)
    elif refusal := why_not_height(step.height_m):
        text = f"The take-off: {refusal.partition('. ')[0]}."
        yield found(Level.ERROR, "mission-take-off-height", text, "Choose another height.")
    elif step.height_m < situation.limits.clearance_m:
        text = (
            f"The take-off ends {step.height_m:g} m above home; {situation.limits.clearance_m:g} m "
            "above the ground are wanted, and GPS may be off by some metres."
        )
        yield found(Level.WARNING, "mission-take-off-low", text, "Choose a greater height.")
