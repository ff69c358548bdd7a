"""Simulated mission flight by `lapwing mission fly`, in a process of its own."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from plugins.plan.flown_aircraft import (
    FlownAircraft,
    connected_aircraft,
    connected_title,
)
from plugins.plan.places_on_map import World
from telemetry.base.clock import monotonic_s
from telemetry.base.earth.tangent_plane import steps_m_of
from telemetry.base.finding import Level
from telemetry.base.simulation_command import MISSION_FLY, SimCommand, aircraft_names
from telemetry.base.statement import Statement
from telemetry.configuration.settings.document import SettingsError
from telemetry.configuration.settings.files import write_settings
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import write_mission
from telemetry.missions.mission import Mission
from telemetry.vehicle.vehicle import Vehicle
from widgets.map.projection import GeoPoint, project

_FILE = "plan.mission"
_SETTINGS = "board.settings.toml"


@dataclass(frozen=True, slots=True)
class FlightWish:
    """What is to be flown: a plan with its home, by which simulated aircraft, in which wind (how
    the air moves, m/s to the north and to the east), over which files of terrain."""

    mission: Mission
    aircraft: FlownAircraft
    wind_mps: tuple[float, float] = (0.0, 0.0)
    terrain: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class PredictedFlight:
    """What the simulator said. Columns of one length: seconds, metres along the way flown, metres
    above home, percent of the battery; empty if it did not fly. `problem` says why it did not, or
    how it ended badly."""

    wish: FlightWish
    text: str
    problem: str = ""
    track: tuple[World, ...] = ()
    times_s: tuple[float, ...] = ()
    distances_m: tuple[float, ...] = ()
    heights_m: tuple[float, ...] = ()
    energies_percent: tuple[float, ...] = ()
    legs: tuple[Mapping[str, Any], ...] = ()


class _SimulatedMission:
    """One run. Raises OSError when it cannot be started. `poll` it until there is a result; `close`
    ends it and drops its files."""

    def __init__(self, wish: FlightWish) -> None:
        self._wish = wish
        self._command = SimCommand("lapwing-mission-")
        path = self._command.folder / _FILE
        write_mission(path, wish.mission)
        north, east = wish.wind_mps
        body, settings = wish.aircraft.body, wish.aircraft.settings
        arguments = [str(path), "--aircraft", body, f"--wind={north:.2f},{east:.2f}"]
        if settings is not None:
            written = self._command.folder / _SETTINGS
            write_settings(written, settings)
            arguments += ["--settings", str(written)]
        for file in wish.terrain:
            arguments += ["--terrain", str(file)]
        self._command.start(arguments, MISSION_FLY)

    def poll(self) -> PredictedFlight | None:
        """The result, or None while it is flying."""
        if self._command.is_running:
            return None
        report = self._command.report()
        if report is None:
            reason = self._command.reason()
            return PredictedFlight(self._wish, "", f"The simulator did not fly it: {reason}")
        return predicted(self._wish, report)

    def close(self) -> None:
        """End it if it is still flying. Closing twice is fine."""
        self._command.close()


class PlanFlying:
    """At most one run at a time, in a wind of `wind_mps` from `wind_from_deg`.
    `result` is that of the last one; `version` changes with it and with what is said."""

    def __init__(self) -> None:
        self._run: _SimulatedMission | None = None
        self._began_s = 0.0
        self._title = ""
        self.is_connected_one = False
        """Whether the settings of the connected aircraft are to fly, and not `aircraft`."""
        self.aircraft = aircraft_names()[0]
        self.wind_mps = 0.0
        self.wind_from_deg = 0.0
        self.result: PredictedFlight | None = None
        self._text = ""
        self._is_problem = False
        self.version = 0

    @property
    def is_busy(self) -> bool:
        """Whether one is flying."""
        return self._run is not None

    @property
    def air_mps(self) -> tuple[float, float]:
        """How the air moves to the north and to the east: away from where the wind comes from."""
        angle = math.radians(self.wind_from_deg)
        return -self.wind_mps * math.cos(angle), -self.wind_mps * math.sin(angle)

    def statement(self, mission: Mission, terrain: tuple[Path, ...]) -> Statement | None:
        """How it goes, or went; and what it is not about any more, a plan with its home being
        flown over files of terrain now. None before the first one."""
        if not self._text:
            return None
        changed = self.changed_since(mission, terrain)
        has = "has" if len(changed) == 1 else "have"
        first = f"{' and '.join(changed)} {has} changed since. ".capitalize() if changed else ""
        level = Level.ERROR if self._is_problem else Level.INFO
        ends = "the plan, home, the wind or the terrain changes, or it is flown again"
        return Statement(f"{first}{self._text}", version=mission, ends=ends, level=level)

    def changed_since(self, mission: Mission, terrain: tuple[Path, ...]) -> tuple[str, ...]:
        """What is another now than the last flight had; its aircraft is named with what it says."""
        if self.result is None:
            return ()
        wish = self.result.wish
        pairs = {
            "the plan": (_flown(wish.mission), _flown(mission)),
            "home": (wish.mission.home, mission.home),
            "the wind": (wish.wind_mps, self.air_mps),
            "the terrain": (wish.terrain, terrain),
        }
        return tuple(what for what, (flown, now) in pairs.items() if flown != now)

    def start(
        self, mission: Mission, terrain: tuple[Path, ...] = (), vehicle: Vehicle | None = None
    ) -> None:
        """Fly a plan that has a home; `vehicle` is the connected aircraft."""
        self.stop()
        self.result = None
        aircraft = FlownAircraft(self.aircraft, self.aircraft)
        if self.is_connected_one and connected_title(vehicle) and vehicle is not None:
            aircraft = connected_aircraft(vehicle)
        wish = FlightWish(mission, aircraft, self.air_mps, terrain)
        self._title = aircraft.title
        try:
            self._run = _SimulatedMission(wish)
        except (OSError, MissionFileError, SettingsError) as error:
            self._say(f"The simulator cannot be started: {error}.", is_problem=True)
            return
        self._began_s = monotonic_s()
        self._say("Starting the simulator …")

    def poll(self) -> None:
        """See whether it has come to its end."""
        if self._run is None:
            return
        found = self._run.poll()
        if found is None:
            self._say(f"Flying {self._title}, {monotonic_s() - self._began_s:.0f}\u202fs …")
            return
        self.stop()
        self.take(found)

    def take(self, found: PredictedFlight) -> None:
        """Show a result."""
        self.result = found
        self._say(f"{found.text} {found.problem}".strip(), is_problem=bool(found.problem))

    def stop(self) -> None:
        """End it if it is flying, and drop its files."""
        if self._run is not None:
            self._run.close()
            self._run = None
            self._say("Stopped.")

    def _say(self, text: str, *, is_problem: bool = False) -> None:
        self._text, self._is_problem = text, is_problem
        self.version += 1


def _flown(mission: Mission) -> object:
    return mission.waypoints, mission.take_off, mission.ending


def predicted(wish: FlightWish, report: Mapping[str, Any]) -> PredictedFlight:
    """What a report of `lapwing mission fly --json` says."""
    track = report["track"]
    latitudes: Sequence[float] = track["latitude_deg"]
    places = [GeoPoint(*both) for both in zip(latitudes, track["longitude_deg"], strict=True)]
    steps_m = steps_m_of(np.array(latitudes), np.array(track["longitude_deg"]))
    ending = f"{report['ending']}. {report['reason']}".rstrip()
    return PredictedFlight(
        wish,
        _words(wish, report),
        "" if report["completed"] else ending,
        tuple(project(place) for place in places),
        tuple(track["time_s"]),
        tuple(accumulate(steps_m.tolist(), initial=0.0)) if places else (),
        tuple(track["height_m"]),
        tuple(track["energy_percent"]),
        tuple(report["legs"]),
    )


def _words(wish: FlightWish, report: Mapping[str, Any]) -> str:
    words = f"{wish.aircraft.title}: {report['time_s']:.0f}\u202fs"
    aside = report["largest_cross_track_m"]
    if aside is not None:
        words += f", up to {aside:.1f}\u202fm beside the way"
    left = report["energy_left_percent"]
    if left is not None:
        words += f", {left:.0f}\u202f% of the battery left"
    return f"{words}. {_left_out_words(report.get('left_out', ()))}".rstrip()


def _left_out_words(left_out: Sequence[str]) -> str:
    """How much of a board's settings did not fly: whole objects of them, and single ones."""
    names = [what.partition(":")[0] for what in left_out]
    groups = sum("." not in name for name in names)
    single = len(names) - groups
    told = []
    if groups:
        told.append(f"{groups} group{'s' * (groups > 1)} of settings")
    if single:
        told.append(f"{single} setting{'s' * (single > 1)} that the simulated board has not")
    return f"Left out: {' and '.join(told)}." if told else ""
