"""Flights for identification: flown by the command line, with a truth drawn by their seed."""

import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from simulation.aircraft.aircraft import load_aircraft
from simulation.identification.aircraft_file import save_aircraft
from simulation.identification.identification import Identification
from simulation.identification.identifying import identify
from simulation.identification.logged_flight import read_flight
from simulation.identification.parameters import motor_time_constant_ms
from telemetry.base.installation import ROOT
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording

AIRCRAFT: Final = "ar100b"
_SETTLED_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class TrueFlight:
    """One flight: its scenario, how often it is recorded and how long it is looked at, and what is
    true of it by the names of parameters; those of the aircraft are its deviations."""

    seed: int
    scenario: str
    rate_hz: int
    seconds: float
    wind: tuple[float, float]
    aircraft: dict[str, float]

    @property
    def truth(self) -> dict[str, float]:
        """All that is looked for."""
        north, east = self.wind
        return {"wind_north_mps": north, "wind_east_mps": east, **self.aircraft}

    def fly(self, folder: Path) -> Path:
        """Its log, flown unless it is there already. Raises RuntimeError if it came to no good."""
        name = f"{self.scenario}-{self.seed}"
        log = folder / f"{name}.opl"
        if log.exists():
            return log
        begun = folder / f"{name}.begun.opl"
        begun.unlink(missing_ok=True)
        north, east = self.wind
        words = [
            *(sys.executable, "-m", "lapwing", "sim", "fly", self.scenario),
            *("--aircraft", self._airframe(folder / name), "--seed", str(self.seed)),
            *("--set", f"north_mps={north}", "--set", f"east_mps={east}"),
            *("--record", str(begun), "--record-rate", str(self.rate_hz)),
        ]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        if not begun.exists() or "crashed" in done.stdout:
            raise RuntimeError(f"{name}: {done.stdout[-300:]}{done.stderr[-300:]}")
        begun.rename(log)
        return log

    def _airframe(self, folder: Path) -> str:
        """Its airframe: a shipped one's name, or a file."""
        if not self.aircraft:
            return AIRCRAFT
        folder.mkdir(parents=True, exist_ok=True)
        save_aircraft(folder / "aircraft.toml", AIRCRAFT, self.aircraft, [])
        airframe = {"base": AIRCRAFT, "name": "x", "title": "x", "aircraft": "aircraft.toml"}
        (folder / "airframe.json").write_text(json.dumps(airframe))
        return str(folder / "airframe.json")


def wind_flight(seed: int) -> TrueFlight:
    """A7: 60 s of hovering with a turn, in 2 to 10 m/s from anywhere."""
    rng = np.random.default_rng(seed)
    speed, course = rng.uniform(2.0, 10.0), rng.uniform(0.0, 2.0 * math.pi)
    wind = (float(speed * math.cos(course)), float(speed * math.sin(course)))
    return TrueFlight(seed, "measure-wind", 250, 60.0, wind, {})


def aircraft_flight(seed: int) -> TrueFlight:
    """120 s with doublets of an aircraft that is otherwise than its file says."""
    rng = np.random.default_rng(1000 + seed)
    lag_ms = motor_time_constant_ms(load_aircraft(AIRCRAFT).parameters)
    aircraft = {
        "thrust_per_mass": rng.uniform(0.87, 1.15),
        "drag_per_mass": rng.uniform(0.7, 1.4),
        "torque_per_inertia_roll": rng.uniform(0.85, 1.08),
        "torque_per_inertia_pitch": rng.uniform(0.85, 1.08),
        "torque_per_inertia_yaw": rng.uniform(1.0, 1.2),
        "motor_time_constant_ms": lag_ms * rng.uniform(0.6, 1.15),
        "dead_time_ms": float(rng.integers(0, 13)),
    }
    north, east = rng.uniform(-4.0, 4.0, 2).tolist()
    return TrueFlight(seed, "measure-aircraft", 500, 120.0, (north, east), aircraft)


def found_in(flight: TrueFlight, log: Path) -> tuple[Identification, float]:
    """What identification finds in its log against the shipped file, and the processor time in s
    with reading."""
    began = time.process_time()
    recording = read_log(log, load_catalogue()).recording
    start = _holds_from_s(recording) + _SETTLED_S
    logged = read_flight(recording, start, start + flight.seconds)
    found = identify(logged, load_aircraft(AIRCRAFT))
    return found, time.process_time() - began


def _holds_from_s(recording: Recording) -> float:
    """When PositionHold was chosen first: after taking off."""
    times, modes = recording.series("FlightStatus.FlightMode")
    track = recording.track("FlightStatus")
    assert track is not None
    options: Sequence[Any] = track.definition.field_named("FlightMode").options
    return float(times[np.argmax(modes == list(options).index("PositionHold"))])
