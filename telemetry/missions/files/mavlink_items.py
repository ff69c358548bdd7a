"""Mission items of MAVLink, as QGroundControl and Mission Planner keep them in their files.

Numbers and parameters of commands and frames are those of MAV_CMD and MAV_FRAME in
mavlink.io/en/messages/common.html. What has no counterpart on our boards is left out and named.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from telemetry.missions.files.carried import CarriedMission
from telemetry.missions.geofences import Fence
from telemetry.missions.legs import CIRCLES
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude, to_north_east
from telemetry.missions.mission import (
    HeightReference,
    LegAction,
    Mission,
    MissionWaypoint,
    jump_target,
)
from telemetry.missions.steps import EndingStep, LandStep, ReturnStep, TakeOffStep
from telemetry.missions.waypoint_options import LONGEST_TIMEOUT_S, MODE_BY_NAME

SEA, HOME, GROUND, NO_PLACE = 0, 3, 10, 2
"""MAV_FRAME: heights above sea, home and ground, and none."""
_REFERENCES: Final = {
    0: HeightReference.SEA,
    5: HeightReference.SEA,
    3: HeightReference.HOME,
    6: HeightReference.HOME,
    10: HeightReference.GROUND,
    11: HeightReference.GROUND,
}
_FRAMES: Final = {
    HeightReference.SEA: SEA,
    HeightReference.HOME: HOME,
    HeightReference.GROUND: GROUND,
}
_WAYPOINT, _STAY, _TURNS, _WAIT, _RETURN, _LAND, _TAKE_OFF = 16, 17, 18, 19, 20, 21, 22
_SPLINE, _VTOL_TAKE_OFF, _VTOL_LAND, _DELAY, _JUMP, _SPEED = 82, 84, 85, 93, 177, 178
_LEFT_OUT: Final = {
    112: "waiting before the next command",
    113: "climbing before the next command",
    114: "flying on before the next command",
    115: "turning the nose",
    179: "setting home",
    181: "switching a relay",
    183: "moving a servo",
    189: "the beginning of a landing sequence",
    195: "pointing at a place",
    197: "pointing ahead again",
    201: "pointing at a place",
    203: "triggering the camera",
    205: "moving the camera's mount",
    206: "triggering the camera by distance",
    211: "the gripper",
    530: "the camera's mode",
    1000: "moving the gimbal",
    2000: "taking pictures",
    2001: "ending the pictures",
    2500: "recording video",
    2501: "ending the video",
}
_USUAL_MPS: Final = 3.0
_USUAL_HEIGHT_M: Final = 20.0
_LONGEST_WAIT_S: Final = 600.0
_FASTEST_MPS: Final = 300.0
_HIGHEST_M: Final = 10_000.0
_ARRIVED_M: Final = 3.0
_MOST: Final = 10_000
_ARRIVES: Final = LegAction(
    "GoToEndpoint",
    end_condition="DistanceToTarget",
    condition_parameters=(_ARRIVED_M, 0.0, 0.0, 0.0),
)
_STAYS: Final = LegAction("GoToEndpoint", end_condition="None")
_ARRIVALS: Final = ("LegRemaining", "DistanceToTarget", "BelowError")


class ItemError(ValueError):
    """What is wrong with an item, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class MavlinkItem:
    """One command. `number` is what the file calls it; `parameters` are the first four, NaN where
    the file has none; `height_m` counts from what `frame` says."""

    number: int
    command: int
    frame: int = NO_PLACE
    parameters: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    latitude_deg: float = 0.0
    longitude_deg: float = 0.0
    height_m: float = 0.0


@dataclass(slots=True)
class ReadItems:
    """A mission in the making, and sentences about what was left out."""

    home: MissionHome | None
    speed_mps: float = _USUAL_MPS
    waypoints: list[MissionWaypoint] = field(default_factory=list)
    take_off: TakeOffStep | None = None
    ending: EndingStep | None = None
    left_out: list[str] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    """The waypoint that an item became, or the one that comes next."""
    jumps: list[MavlinkItem] = field(default_factory=list)
    is_over: bool = False

    def take(self, item: MavlinkItem) -> None:
        """Go on with the next item. Raises ItemError."""
        self.numbers[item.number] = len(self.waypoints)
        if len(self.waypoints) > _MOST:
            raise ItemError(f"there are more than {_MOST}.")
        if self.is_over:
            self.leave_out(item.number, "it comes after the flight has ended.")
            return
        act = _TAKEN.get(item.command)
        if act is not None:
            act(self, item)
            return
        what = _LEFT_OUT.get(item.command, f"command {item.command}")
        self.leave_out(item.number, f"{what} has no counterpart in a plan on board.")

    def leave_out(self, number: int, why: str) -> None:
        """Say what of an item is not carried."""
        self.left_out.append(f"Item {number}: {why}")

    def mission(self, fences: Sequence[Fence] = (), name: str = "") -> Mission:
        """What it has become."""
        for item in self.jumps:
            self._jump(item)
        return Mission(
            tuple(self.waypoints), self.home, tuple(fences), name, self.take_off, self.ending
        )

    # Items with a place

    def _fly_to(self, item: MavlinkItem) -> None:
        if item.command == _SPLINE:
            self.leave_out(item.number, "it is flown straight, not in a curve.")
        self._add(item)
        heading = item.parameters[3]
        if math.isfinite(heading) and heading:
            self.leave_out(item.number, f"the heading of {heading:g} degrees is left out.")
        self._hold(item, item.parameters[0])

    def _stay(self, item: MavlinkItem) -> None:
        if _is_set(item.parameters[2]):
            self.leave_out(item.number, "it stays at the place and does not circle it.")
        self._add(item, _STAYS, 0.0)
        self.is_over = True

    def _wait(self, item: MavlinkItem) -> None:
        self._add(item)
        self._hold(item, item.parameters[0])

    def _delay(self, item: MavlinkItem) -> None:
        if not self.waypoints:
            self.leave_out(item.number, "a wait before the first waypoint is left out.")
        else:
            self._hold(item, item.parameters[0])

    def _circle(self, item: MavlinkItem) -> None:
        """A circle's radius is the distance from the waypoint before: it begins at its north."""
        turns, radius_m = item.parameters[0], item.parameters[2]
        if not (_is_set(radius_m) and math.isfinite(turns)):
            self.leave_out(item.number, "its circles have no radius and are left out.")
            self._add(item)
            return
        centre = self._placed(item, _ARRIVES)
        around = MissionHome(centre.latitude_deg, centre.longitude_deg)
        latitude, longitude = to_latitude_longitude(around, min(abs(radius_m), 5000.0), 0.0)
        self.waypoints.append(replace(centre, latitude_deg=latitude, longitude_deg=longitude))
        seconds = 2.0 * math.pi * abs(radius_m) * max(turns, 0.0) / max(centre.velocity_mps, 0.1)
        self.leave_out(item.number, f"{turns:g} turns are flown as the time that they take.")
        mode = "CircleRight" if radius_m > 0.0 else "CircleLeft"
        action = _timed(mode, min(seconds, LONGEST_TIMEOUT_S))
        self.waypoints.append(replace(centre, action=action))
        if seconds > LONGEST_TIMEOUT_S:
            text = f"a board counts {LONGEST_TIMEOUT_S:g} s at most, so it circles no longer."
            self.leave_out(item.number, text)

    def _return(self, _item: MavlinkItem) -> None:
        self.ending = ReturnStep(_USUAL_HEIGHT_M)
        self.is_over = True

    def _land(self, item: MavlinkItem) -> None:
        if item.latitude_deg or item.longitude_deg:
            last_m = self.waypoints[-1].height_m if self.waypoints else _USUAL_HEIGHT_M
            reference = self.waypoints[-1].height_reference if self.waypoints else None
            above = replace(self._placed(item, _ARRIVES), velocity_mps=0.0, height_m=last_m)
            self.waypoints.append(
                replace(above, height_reference=reference or HeightReference.HOME)
            )
        self.ending = LandStep()
        self.is_over = True

    def _take_off(self, item: MavlinkItem) -> None:
        if self.waypoints or self.take_off is not None:
            self.leave_out(item.number, "a take-off after the first waypoint is left out.")
            return
        height_m = item.height_m if math.isfinite(item.height_m) else 0.0
        if _REFERENCES.get(item.frame) is HeightReference.SEA:
            height_m -= self.home.altitude_m if self.home is not None else 0.0
        self.take_off = TakeOffStep(min(max(height_m, 0.0), _HIGHEST_M))

    def _change_speed(self, item: MavlinkItem) -> None:
        speed = item.parameters[1]
        if 0.0 < speed <= _FASTEST_MPS:
            self.speed_mps = speed

    def _note_jump(self, item: MavlinkItem) -> None:
        if item.parameters[1] >= 0.0 or not self.waypoints:
            self.leave_out(
                item.number,
                f"a jump that is made {max(item.parameters[1], 0.0):g} times is left out: a board "
                "jumps always or never.",
            )
        else:
            self.jumps.append(item)

    def _jump(self, item: MavlinkItem) -> None:
        there = self.numbers.get(int(item.parameters[0])) if _is_set(item.parameters[0]) else None
        index = self.numbers[item.number] - 1
        if there is None or there >= len(self.waypoints):
            self.leave_out(item.number, "it jumps to an item that does not exist.")
            return
        before = self.waypoints[index]
        jumps = replace(before.action, command="OnConditionJumpWaypoint", jump_destination=there)
        self.waypoints[index] = replace(before, action=jumps)

    # Parts

    def _add(
        self, item: MavlinkItem, action: LegAction | None = None, speed: float | None = None
    ) -> None:
        usual = LegAction() if self.waypoints and self._leads_on() else _ARRIVES
        placed = self._placed(item, action or usual)
        self.waypoints.append(placed if speed is None else replace(placed, velocity_mps=speed))

    def _leads_on(self) -> bool:
        """Whether a line can begin at the last waypoint: one of velocity 0 would never start."""
        return self.waypoints[-1].velocity_mps > 0.0

    def _placed(self, item: MavlinkItem, action: LegAction) -> MissionWaypoint:
        latitude, longitude, height_m = item.latitude_deg, item.longitude_deg, item.height_m
        if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0):
            raise ItemError(f"{latitude:g}, {longitude:g} is no place on Earth; correct it.")
        if not abs(height_m) < 1e6:
            raise ItemError(f"{height_m:g} m is no height; correct it.")
        reference = _REFERENCES.get(item.frame)
        if reference is None:
            raise ItemError(f"its place counts in frame {item.frame}, which is not known here.")
        return MissionWaypoint(latitude, longitude, height_m, self.speed_mps, reference, action)

    def _hold(self, item: MavlinkItem, seconds: float) -> None:
        if not _is_set(seconds) or seconds <= 0.0:
            return
        if seconds > _LONGEST_WAIT_S:
            text = f"of {seconds:g} s it waits {_LONGEST_WAIT_S:g}."
            self.leave_out(item.number, text)
        last = self.waypoints[-1]
        for part in _parts_s(min(seconds, _LONGEST_WAIT_S)):
            waits = _timed("GoToEndpoint", part)
            self.waypoints.append(replace(last, velocity_mps=0.0, action=waits))


def _timed(mode: str, seconds: float) -> LegAction:
    parameters = (seconds, 0.0, 0.0, 0.0)
    return LegAction(mode, end_condition="TimeOut", condition_parameters=parameters)


def _parts_s(seconds: float) -> list[float]:
    """What a board's clock for this can count, one after the other."""
    count = math.ceil(seconds / LONGEST_TIMEOUT_S)
    return [seconds / count] * count if count else []


def _is_set(value: float) -> bool:
    return math.isfinite(value) and value != 0.0


_TAKEN: Final[dict[int, Callable[[ReadItems, MavlinkItem], None]]] = {
    _WAYPOINT: ReadItems._fly_to,
    _SPLINE: ReadItems._fly_to,
    _STAY: ReadItems._stay,
    _TURNS: ReadItems._circle,
    _WAIT: ReadItems._wait,
    _RETURN: ReadItems._return,
    _LAND: ReadItems._land,
    _VTOL_LAND: ReadItems._land,
    _TAKE_OFF: ReadItems._take_off,
    _VTOL_TAKE_OFF: ReadItems._take_off,
    _DELAY: ReadItems._delay,
    _JUMP: ReadItems._note_jump,
    _SPEED: ReadItems._change_speed,
}


def mission_of(
    items: Sequence[MavlinkItem],
    home: MissionHome | None,
    speed_mps: float = _USUAL_MPS,
    fences: Sequence[Fence] = (),
    left_out: Sequence[str] = (),
) -> CarriedMission:
    """The mission that items say. Raises ItemError with the item."""
    read = ReadItems(home, speed_mps, left_out=list(left_out))
    for item in items:
        try:
            read.take(item)
        except ItemError as error:
            raise ItemError(f"item {item.number}: {error}") from None
    mission = read.mission(fences)
    return CarriedMission(mission, tuple(read.left_out))


class WrittenItems:
    """The items of a mission, counted from 1, and sentences about what they do not say."""

    def __init__(self, mission: Mission) -> None:
        self.items: list[MavlinkItem] = []
        self.left_out: list[str] = []
        self._speed_mps: float | None = None
        self._first: dict[int, int] = {}
        jumps: list[tuple[int, int]] = []
        self._add_take_off(mission)
        for index, waypoint in enumerate(mission.waypoints):
            self._first[index] = len(self.items) + 1
            self._add_waypoint(mission, index, waypoint)
            if waypoint.action.command == "OnConditionJumpWaypoint":
                jumps.append(
                    (len(self.items), jump_target(waypoint.action, index, len(mission.waypoints)))
                )
                self._add(_JUMP, parameters=(0.0, -1.0, 0.0, 0.0))
        for place, target in jumps:
            to = (float(self._first[target]), -1.0, 0.0, 0.0)
            self.items[place] = replace(self.items[place], parameters=to)
        if isinstance(mission.ending, ReturnStep):
            self._add(_RETURN)
        elif mission.ending is not None:
            self._add(_LAND, frame=HOME)
        if any(waypoint.name for waypoint in mission.waypoints):
            self.left_out.append("The names of the waypoints are left out.")

    def _add(self, command: int, **members: Any) -> None:
        self.items.append(MavlinkItem(len(self.items) + 1, command, **members))

    def _add_take_off(self, mission: Mission) -> None:
        if mission.take_off is not None:
            home = mission.home
            place = (home.latitude_deg, home.longitude_deg) if home is not None else (0.0, 0.0)
            height_m = mission.take_off.height_m
            self._add(
                _TAKE_OFF,
                frame=HOME,
                latitude_deg=place[0],
                longitude_deg=place[1],
                height_m=height_m,
            )

    def _add_waypoint(self, mission: Mission, index: int, waypoint: MissionWaypoint) -> None:
        action, name = waypoint.action, f"Waypoint {index + 1}"
        if action.mode == "Land":
            self._add(_LAND, frame=HOME)
            return
        mode = MODE_BY_NAME.get(action.mode)
        if mode is None or not mode.has_place or action.mode == "AutoTakeoff":
            self.left_out.append(f"{name}: {_mode_words(action.mode)} has no counterpart there.")
            return
        if waypoint.velocity_mps > 0.0 and waypoint.velocity_mps != self._speed_mps:
            self._speed_mps = waypoint.velocity_mps
            self._add(_SPEED, parameters=(1.0, waypoint.velocity_mps, -1.0, 0.0))
        command, parameters = self._said(mission, index, waypoint)
        self._add(
            command,
            frame=_FRAMES[waypoint.height_reference],
            parameters=parameters,
            latitude_deg=waypoint.latitude_deg,
            longitude_deg=waypoint.longitude_deg,
            height_m=waypoint.height_m,
        )

    def _said(
        self, mission: Mission, index: int, waypoint: MissionWaypoint
    ) -> tuple[int, tuple[float, float, float, float]]:
        action, name = waypoint.action, f"Waypoint {index + 1}"
        seconds = action.condition_parameters[0]
        if action.command not in ("OnConditionNextWaypoint", "OnConditionJumpWaypoint"):
            self.left_out.append(f"{name}: its jump on another condition is left out.")
        if action.mode in CIRCLES:
            return self._circled(mission, index, waypoint)
        if action.end_condition == "None":
            return _STAY, (0.0, 0.0, 0.0, math.nan)
        if action.end_condition == "TimeOut":
            return _WAIT, (seconds, 0.0, 0.0, math.nan)
        if action.end_condition not in _ARRIVALS:
            self.left_out.append(f"{name}: it ends on arrival there, and not as it does here.")
        return _WAYPOINT, (0.0, 0.0, 0.0, math.nan)

    def _circled(
        self, mission: Mission, index: int, waypoint: MissionWaypoint
    ) -> tuple[int, tuple[float, float, float, float]]:
        """With its radius, the distance from the waypoint before, and whole turns."""
        before = mission.waypoints[max(index - 1, 0)]
        centre = MissionHome(waypoint.latitude_deg, waypoint.longitude_deg)
        radius_m = math.hypot(*to_north_east(centre, before.latitude_deg, before.longitude_deg))
        signed_m = radius_m * CIRCLES[waypoint.action.mode]
        if waypoint.action.end_condition == "None":
            return _STAY, (0.0, 0.0, signed_m, math.nan)
        turns = 1.0
        if waypoint.action.end_condition == "TimeOut":
            way_m = waypoint.action.condition_parameters[0] * max(waypoint.velocity_mps, 0.0)
            turns = max(round(way_m / (2.0 * math.pi * max(radius_m, 0.1))), 1)
        self.left_out.append(f"Waypoint {index + 1}: its circle is written as {turns:g} turns.")
        return _TURNS, (float(turns), 0.0, signed_m, math.nan)


def _mode_words(mode: str) -> str:
    known = MODE_BY_NAME.get(mode)
    return f"'{known.title if known is not None else mode}'"
