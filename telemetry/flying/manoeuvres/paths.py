"""Manoeuvres by objects: what a selected flight mode leaves to say, written and read back.

`telemetry.missions.guided_actions` names the objects and firmware's sources: places and velocities
by PathDesired while PositionHold is selected, a waypoint by WaypointActive in PathPlanner. What is
renewed while it is flown is in `motions`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.manoeuvre import FLOWN_RATES_MS
from telemetry.flying.manoeuvres.modes import SelectMode
from telemetry.flying.manoeuvres.nose import KEPT, TURNED_DEG, Nose, off_deg, yaw_stick
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.missions.guided_actions import (
    LOWEST_M,
    GuidedPath,
    take_off_ground_m,
    why_not_height,
    why_not_place,
)
from telemetry.missions.verified_write import VerifiedWrite
from telemetry.recording.sample import Sample
from telemetry.vehicle.sticks import Sticks

ARRIVED_M: Final = 0.8
"""A place counts as reached so near to it: GPS is no better."""
RESTARTED_S: Final = 0.5
"""PathPlanner chooses its first waypoint within 0.1 s (pathplanner.c); it would overwrite what is
written before that."""
_MIDDLE: Final = 0.5
"""A throttle that guided modes take for no wish."""


Holds = Callable[[Sample | None], bool]
"""Whether what the board has told of an object, its newest sample, is what was asked for."""


@dataclass(frozen=True, slots=True)
class ModeObject:
    """What a mode leaves to say: the values of an object, to be written once the mode has been
    selected for `settles_s`."""

    mode: str
    name: str
    values: Mapping[str, Any]
    holds: Holds
    settles_s: float = 0.0


def path_object(path: GuidedPath) -> ModeObject:
    """To stay at a place, or to circle it."""
    return ModeObject("PositionHold", "PathDesired", path.values(), path.is_on_board)


def waypoint_object(index: int) -> ModeObject:
    """To fly the plan on board from a waypoint on."""

    def holds(sample: Sample | None) -> bool:
        return sample is not None and int(sample.raw("Index")) == index

    return ModeObject("PathPlanner", "WaypointActive", {"Index": index}, holds, RESTARTED_S)


class FlyObject(SelectMode):
    """Selects a mode and writes the object that says what is flown there; done once the board is
    seen to hold it."""

    def __init__(self, asked: ModeObject, title: str = "", told: str = "") -> None:
        super().__init__(asked.mode, title, told)
        self.is_written = False
        self._asked = asked
        self._write: VerifiedWrite | None = None
        self._selected_s = math.nan

    def update(self, aircraft: AircraftView) -> None:
        self._write_in_mode(aircraft)
        self.is_done = self.is_written

    def _write_in_mode(self, aircraft: AircraftView) -> None:
        self._select(aircraft)
        if self.problem or not self.is_selected:
            return
        asked, now_s = self._asked, aircraft.now_s
        self._selected_s = now_s if math.isnan(self._selected_s) else self._selected_s
        if now_s - self._selected_s < asked.settles_s:
            return
        if self._write is None:
            commands = aircraft.vehicle.commands
            self._write = VerifiedWrite(
                commands, asked.name, asked.values, lambda: asked.holds(aircraft.read(asked.name))
            )
        self._write.poll()
        self.is_written = self._write.state == "done"
        if self._write.state == "failed":
            self.problem = f"{self._write.text} It holds where it is."


class GoTo(FlyObject):
    """Flies straight to a place and stays there. Done on arrival, once the nose looks where it
    shall."""

    def __init__(
        self,
        path: GuidedPath,
        is_here: bool = False,
        *,
        nose: Nose = KEPT,
        within_m: float = ARRIVED_M,
        lowest_m: float = LOWEST_M,
    ) -> None:
        """`is_here`: to stay where it is, which it may anywhere. `within_m`: so near to it by its
        own estimate it has arrived. `lowest_m`: see `why_not_height`."""
        super().__init__(path_object(path), "Go to")
        self._path = path
        self._nose = nose
        self._within_m = within_m
        self._lowest_m = lowest_m
        self._is_checked = is_here
        self._yaw: float | None = None
        self.rates_ms = {} if nose == KEPT else FLOWN_RATES_MS

    def update(self, aircraft: AircraftView) -> None:
        if not self._is_checked:
            self.problem = self._why_not(aircraft)
            self._is_checked = True
        if not self.problem:
            self._write_in_mode(aircraft)
            is_turned = self._turn(aircraft)
            is_there = self.is_written and aircraft.distance_m(self._path) < self._within_m
            self.is_done = self.is_done or (is_there and is_turned)

    def request(self, before: PilotRequest) -> PilotRequest:
        """The mode, with the turn that the nose takes."""
        if self._yaw is None:
            return super().request(before)
        return self._by_sticks(before, Sticks(throttle=_MIDDLE, yaw=self._yaw))

    def _turn(self, aircraft: AircraftView) -> bool:
        """Turn the nose; whether it looks where it shall."""
        if self._nose == KEPT:
            return True
        flight = aircraft.state
        if self.is_selected:
            self._yaw = yaw_stick(self._nose, aircraft, flight)
        return flight.yaw_deg is not None and abs(off_deg(self._nose, flight)) < TURNED_DEG

    def _why_not(self, aircraft: AircraftView) -> str:
        here = aircraft.here()
        if here is None:
            return "It does not say where it is. Wait for GPS."
        place = (self._path.north_m, self._path.east_m)
        ground_m = take_off_ground_m(aircraft.read("TakeOffLocation"))
        return (
            why_not_height(-self._path.down_m, ground_m, self._lowest_m)
            or why_not_place((here.north_m, here.east_m), place)
            or ""
        )


@dataclass(frozen=True, slots=True)
class FlownVelocity:
    """m/s north, east and up; the nose turns by `yaw_degps`, to the right positive."""

    north_mps: float
    east_mps: float
    up_mps: float = 0.0
    yaw_degps: float = 0.0
