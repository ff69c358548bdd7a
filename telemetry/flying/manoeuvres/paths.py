"""Manoeuvres by objects: what a selected flight mode leaves to say, written and read back.

`telemetry.missions.guided_actions` names the objects and firmware's sources: places and velocities
by PathDesired while PositionHold is selected, a waypoint by WaypointActive in PathPlanner.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.climb_throttle import climb_throttle
from telemetry.flying.manoeuvres.modes import SelectMode
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.missions.guided_actions import (
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
_NEAR_MPS: Final = 0.01


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
    """Flies straight to a place and stays there. Done on arrival."""

    def __init__(self, path: GuidedPath, is_here: bool = False) -> None:
        """`is_here`: to stay where it is, which it may anywhere."""
        super().__init__(path_object(path), "Go to")
        self._path = path
        self._is_checked = is_here

    def update(self, aircraft: AircraftView) -> None:
        if not self._is_checked:
            self.problem = self._why_not(aircraft)
            self._is_checked = True
        if not self.problem:
            self._write_in_mode(aircraft)
            is_there = self.is_written and aircraft.distance_m(self._path) < ARRIVED_M
            self.is_done = self.is_done or is_there

    def _why_not(self, aircraft: AircraftView) -> str:
        here = aircraft.here()
        if here is None:
            return "It does not say where it is. Wait for GPS."
        place = (self._path.north_m, self._path.east_m)
        ground_m = take_off_ground_m(aircraft.read("TakeOffLocation"))
        return (
            why_not_height(-self._path.down_m, ground_m)
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


class FlyVelocity(FlyObject):
    """Flies with a velocity for some seconds, then stays where it is.

    PathDesired has the horizontal part (vtolvelocitycontroller.cpp); the same controller takes
    climb rate and yaw rate from throttle and yaw stick (AltitudeVario, AxisLock).
    """

    def __init__(self, velocity: FlownVelocity, seconds: float) -> None:
        parameters = (velocity.north_mps, velocity.east_mps, 0.0, 0.0)
        values = {"Mode": "Velocity", "ModeParameters": parameters}
        asked = ModeObject("PositionHold", "PathDesired", values, self._is_on_board)
        super().__init__(asked, "Fly with a velocity")
        self._velocity = velocity
        self._seconds = seconds
        self._begun_s: float | None = None
        self._moved: Sticks | None = None
        self._stay: GoTo | None = None
        numbers = (velocity.north_mps, velocity.east_mps, velocity.up_mps, velocity.yaw_degps)
        if not all(map(math.isfinite, (*numbers, seconds))) or seconds <= 0.0:
            self.problem = "A velocity and its seconds have to be numbers, the seconds above 0."

    def request(self, before: PilotRequest) -> PilotRequest:
        """The mode, with climb and yaw rate while it flies."""
        if self._stay is not None:
            return self._stay.request(before)
        if self._moved is None:
            return super().request(before)
        return self._by_sticks(before, self._moved)

    def update(self, aircraft: AircraftView) -> None:
        if self._stay is None and not self.problem:
            self._write_in_mode(aircraft)
            if self.is_written:
                self._fly(aircraft)
        if self._stay is not None:
            self._stay.update(aircraft)
            self.is_done, self.problem = self._stay.is_done, self._stay.problem

    def _fly(self, aircraft: AircraftView) -> None:
        self._begun_s = aircraft.now_s if self._begun_s is None else self._begun_s
        here = aircraft.here()
        if aircraft.now_s - self._begun_s >= self._seconds and here is not None:
            self._stay = GoTo(here, is_here=True)
        else:
            self._moved = self._sticks(aircraft)

    def _is_on_board(self, path: Sample | None) -> bool:
        if path is None or str(path["Mode"]) != "Velocity":
            return False
        north, east = (float(path.raw(f"ModeParameters.{i}")) for i in (0, 1))
        asked = self._velocity
        return math.isclose(north, asked.north_mps, abs_tol=_NEAR_MPS) and math.isclose(
            east, asked.east_mps, abs_tol=_NEAR_MPS
        )

    def _sticks(self, aircraft: AircraftView) -> Sticks:
        asked = self._velocity
        fastest_mps = aircraft.number("AltitudeHoldSettings", "ThrustRate", 5.0)
        bend = aircraft.number("AltitudeHoldSettings", "ThrustExp", 128.0)
        fastest_degps = aircraft.number("StabilizationBank", "MaximumRate.Yaw", 0.0) or (
            aircraft.number("StabilizationSettingsBank1", "MaximumRate.Yaw", 100.0)
        )
        yaw = min(max(asked.yaw_degps / fastest_degps, -1.0), 1.0)
        return Sticks(throttle=climb_throttle(asked.up_mps, fastest_mps, bend), yaw=yaw)
