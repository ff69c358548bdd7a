"""Motions: velocities that are renewed as often as wanted, without asking the board each time.

PositionHold is selected and PathDesired set to Velocity once, which is read back. From then on the
horizontal part goes out in PathDesired beside the sticks, unacknowledged: firmware's path follower
takes each one over where it stands (ObjectiveUpdated of vtolvelocitycontroller.cpp). The same
controller takes climb rate and rate of turn from throttle and yaw stick (AltitudeVario, AxisLock).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.climb_throttle import climb_throttle
from telemetry.flying.manoeuvres.manoeuvre import FLOWN_RATES_MS
from telemetry.flying.manoeuvres.nose import KEPT, Facing, Nose, yaw_stick
from telemetry.flying.manoeuvres.paths import FlyObject, GoTo, ModeObject
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.recording.flight_state import FlightState
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import Write
from telemetry.vehicle.sticks import Sticks

_PATH: Final = "PathDesired"
_CLIMB_PER_M: Final = 1.0
_INWARD_PER_M: Final = 0.5
_MOST_INWARD: Final = 1.0
"""How much of an orbit's speed goes to its radius at most."""
_LEAD_S: Final = 0.5
"""So far ahead of where it is an orbit's velocity is taken: what is flown lags behind it."""
_OLDEST_S: Final = 0.5
"""So far an estimate is carried on by its velocity."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A velocity over the ground in m/s: north and east, or where it `is_body` ahead and to the
    right of where the nose looks, turning with it.

    It climbs with `up_mps`, or to `height_m` above home and stays there.
    """

    velocity_mps: tuple[float, float] = (0.0, 0.0)
    is_body: bool = False
    up_mps: float = 0.0
    height_m: float | None = None
    nose: Nose = KEPT

    def over_ground(self, flight: FlightState) -> tuple[float, float]:
        """The same north and east."""
        if not self.is_body:
            return self.velocity_mps
        ahead, right = self.velocity_mps
        yaw = math.radians(flight.yaw_deg or 0.0)
        return (
            ahead * math.cos(yaw) - right * math.sin(yaw),
            ahead * math.sin(yaw) + right * math.cos(yaw),
        )

    def climb_mps(self, flight: FlightState) -> float:
        """How fast it shall climb now."""
        if self.height_m is None or flight.height_m is None:
            return self.up_mps
        return _CLIMB_PER_M * (self.height_m - flight.height_m)


Aim = Callable[[AircraftView, float], Motion | None]
"""What to fly now, told for how many seconds it flies so (0 until the board takes it); None: it
is over."""


class FlyMotions(FlyObject):
    """Flies what an aim says at each step, then stays where it is."""

    rates_ms = FLOWN_RATES_MS

    def __init__(self, title: str, aim: Aim, *, problem: str = "") -> None:
        super().__init__(
            ModeObject("PositionHold", _PATH, _values((0.0, 0.0)), _is_velocity), title
        )
        self.problem = problem
        self._aim = aim
        self._begun_s = math.nan
        self._flown: tuple[tuple[float, float], Sticks] | None = None
        self._stay: GoTo | None = None

    @property
    def is_over(self) -> bool:
        """Whether what is asked of its aim now comes too late."""
        return self._stay is not None or bool(self.problem) or self.has_landed

    @property
    def beside(self) -> Write | None:
        """PathDesired, once the board has taken the first one."""
        if self._flown is None or self._stay is not None or not self.is_written:
            return None
        return Write(_PATH, _values(self._flown[0]))

    def request(self, before: PilotRequest) -> PilotRequest:
        """The mode, with climb and turn while it flies."""
        if self._stay is not None:
            return self._stay.request(before)
        if self._flown is None:
            return super().request(before)
        return self._by_sticks(before, self._flown[1])

    def update(self, aircraft: AircraftView) -> None:
        if self._stay is None and not self.problem:
            self._fly(aircraft)
        if self._stay is not None:
            self._stay.update(aircraft)
            self.is_done, self.problem = self._stay.is_done, self._stay.problem

    def _fly(self, aircraft: AircraftView) -> None:
        now_s = aircraft.now_s
        flown_s = 0.0 if math.isnan(self._begun_s) else now_s - self._begun_s
        motion, flight = self._aim(aircraft, flown_s), aircraft.state
        if motion is not None:
            velocity = motion.over_ground(flight)
            if self._write is None:
                values = _values(velocity)
                self._asked = ModeObject("PositionHold", _PATH, values, _is_velocity)
            self._write_in_mode(aircraft)
            if self.is_selected:
                self._flown = velocity, _sticks(motion, aircraft, flight)
            if self.is_written and math.isnan(self._begun_s):
                self._begun_s = now_s
        elif (here := aircraft.here()) is not None:
            self._stay = GoTo(here, is_here=True)


def _values(velocity_mps: tuple[float, float]) -> dict[str, Any]:
    return {"Mode": "Velocity", "ModeParameters": (*velocity_mps, 0.0, 0.0)}


def _is_velocity(path: Sample | None) -> bool:
    return path is not None and str(path["Mode"]) == "Velocity"


def _sticks(motion: Motion, aircraft: AircraftView, flight: FlightState) -> Sticks:
    fastest_mps = aircraft.number("AltitudeHoldSettings", "ThrustRate", 5.0)
    bend = aircraft.number("AltitudeHoldSettings", "ThrustExp", 128.0)
    return Sticks(
        throttle=climb_throttle(motion.climb_mps(flight), fastest_mps, bend),
        yaw=yaw_stick(motion.nose, aircraft, flight),
    )


def for_seconds(motion: Motion, seconds: float) -> Aim:
    """One motion for so long."""
    return lambda aircraft, flown_s: motion if flown_s < seconds else None


class Renewed:
    """The motion that somebody renews from another thread; over once he is silent."""

    def __init__(self, motion: Motion, silence_s: float, now_s: float) -> None:
        self._newest = motion, silence_s, now_s

    def renew(self, motion: Motion, silence_s: float, now_s: float) -> None:
        """Fly this from now on, for `silence_s` at most."""
        self._newest = motion, silence_s, now_s

    def __call__(self, aircraft: AircraftView, flown_s: float) -> Motion | None:
        """See `Aim`. What takes until the board flies it is no silence."""
        motion, silence_s, renewed_s = self._newest
        is_silent = min(aircraft.now_s - renewed_s, flown_s) > silence_s
        return None if is_silent else motion


@dataclass(frozen=True, slots=True)
class FlownCircle:
    """A circle around a place, metres north and east of home: to the right as seen from above where
    `speed_mps` is positive, at `height_m` above home."""

    north_m: float
    east_m: float
    radius_m: float
    speed_mps: float
    height_m: float
    faces_centre: bool = True


class Circling:
    """The motion along an orbit, until it has gone round so often, from where it reached it."""

    def __init__(self, orbit: FlownCircle, turns: float) -> None:
        self._orbit = orbit
        self._left_deg = 360.0 * turns
        self._before_deg: float | None = None

    def __call__(self, aircraft: AircraftView, _flown_s: float) -> Motion | None:
        """See `Aim`."""
        orbit, place = self._orbit, _place_now(aircraft.state)
        nose = Facing(orbit.north_m, orbit.east_m) if orbit.faces_centre else KEPT
        if place is None:
            return Motion(height_m=orbit.height_m, nose=nose)
        out = place[0] - orbit.north_m, place[1] - orbit.east_m
        away_m = math.hypot(*out)
        outward = (out[0] / away_m, out[1] / away_m) if away_m > 0.0 else (1.0, 0.0)
        self._count(outward, is_on_it=abs(away_m - orbit.radius_m) < 0.2 * orbit.radius_m)
        if self._left_deg <= 0.0:
            return None
        most = _MOST_INWARD * abs(orbit.speed_mps)
        inward = min(max((away_m - orbit.radius_m) * _INWARD_PER_M, -most), most)
        along = math.copysign(math.sqrt(max(orbit.speed_mps**2 - inward**2, 0.0)), orbit.speed_mps)
        lead = orbit.speed_mps / orbit.radius_m * _LEAD_S
        north = -outward[1] * along - outward[0] * inward
        east = outward[0] * along - outward[1] * inward
        velocity = (
            north * math.cos(lead) - east * math.sin(lead),
            north * math.sin(lead) + east * math.cos(lead),
        )
        return Motion(velocity, height_m=orbit.height_m, nose=nose)

    def _count(self, outward: tuple[float, float], *, is_on_it: bool) -> None:
        here_deg = math.degrees(math.atan2(outward[1], outward[0]))
        if self._before_deg is not None and is_on_it:
            gone_deg = (here_deg - self._before_deg + 180.0) % 360.0 - 180.0
            self._left_deg -= math.copysign(1.0, self._orbit.speed_mps) * gone_deg
        self._before_deg = here_deg


def _place_now(flight: FlightState) -> tuple[float, float] | None:
    """Where it is, carried on by its velocity since that was told."""
    if flight.north_m is None or flight.east_m is None:
        return None
    age_s = min(flight.position_age_s or 0.0, _OLDEST_S)
    north_mps, east_mps = flight.velocity_north_mps or 0.0, flight.velocity_east_mps or 0.0
    return flight.north_m + age_s * north_mps, flight.east_m + age_s * east_mps
