"""The flights that are filmed: a table, and a scenario for each, flown by a restless pilot."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

QUAD, PLANE = "ar100b", "sea-vixen"
TELEMETRY_MS, LOGGER_MS = 100, 30
"""Attitude by radio ten times a second, on board 33 times."""
_GROUND_S = {QUAD: 50.0, PLANE: 55.0}
"""What launch and landing take."""
Step = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FilmedFlight:
    """One film and its log. `video_s` is how long the film is, about; video time is
    `offset_s + rate x log time`. `faults` and `camera` are those of `lapwing sim`; a film of the
    second make (`is_plain`) knows `rolling_shutter`, `exposure_s`, `shake_deg`, and of a camera
    `k1` and `k2` besides."""

    name: str
    aircraft: str
    video_s: float
    offset_s: float
    rate: float
    attitude_ms: int
    faults: Mapping[str, float] = field(default_factory=dict)
    camera: Mapping[str, float] = field(default_factory=dict)
    is_found: bool = True
    is_plain: bool = field(default=False, repr=False)
    is_flown: bool = field(default=True, repr=False)

    @property
    def seed(self) -> int:
        """Of everything that is random in it."""
        return sum(map(ord, self.name)) % 1000 + len(self.name)

    @property
    def log_s(self) -> float:
        """How long the log is, about."""
        return (self.video_s - self.offset_s) / self.rate


USUAL = {"broken": 0.033, "exposure": 0.5, "vibration": 0.1, "rolling_shutter": 0.01}
_SILENT = {**USUAL, "sound": 0.0}
_POOR = {"broken": 0.05, "exposure": 1.0, "blur": 1.5, "vibration": 0.3, "rolling_shutter": 0.02}

TWENTY = (
    FilmedFlight("quad-01", QUAD, 130, -12.3, 1.0007, TELEMETRY_MS, USUAL),
    FilmedFlight("quad-02", QUAD, 150, -95.2, 0.9962, TELEMETRY_MS, _SILENT, {"pitch": -20}),
    FilmedFlight("quad-03", QUAD, 180, 17.4, 1.0098, TELEMETRY_MS, USUAL, {"pitch": 0}),
    FilmedFlight("quad-04", QUAD, 240, -302.7, 0.9905, LOGGER_MS, USUAL, {"roll": 6}),
    FilmedFlight("quad-05", QUAD, 300, -590.4, 1.0051, TELEMETRY_MS, _SILENT),
    FilmedFlight("quad-06", QUAD, 355, -41.6, 1.0023, LOGGER_MS, _POOR, {"pitch": -12}),
    FilmedFlight("quad-07", QUAD, 120, 29.3, 0.9911, TELEMETRY_MS, USUAL, {"yaw": 15}),
    FilmedFlight("quad-08", QUAD, 200, -480.9, 0.9979, LOGGER_MS, _SILENT, {"pitch": -35}),
    FilmedFlight("quad-09", QUAD, 140, -230.1, 1.0100, TELEMETRY_MS, _POOR),
    FilmedFlight("quad-10", QUAD, 260, 8.8, 1.0004, TELEMETRY_MS, USUAL, {"fov": 75}),
    FilmedFlight("plane-01", PLANE, 150, -14.9, 1.0031, TELEMETRY_MS, USUAL),
    FilmedFlight("plane-02", PLANE, 180, -75.3, 0.9938, TELEMETRY_MS, _SILENT, {"pitch": -4}),
    FilmedFlight("plane-03", PLANE, 210, 22.6, 1.0089, LOGGER_MS, USUAL, {"pitch": -15}),
    FilmedFlight("plane-04", PLANE, 240, -410.5, 0.9902, TELEMETRY_MS, USUAL, {"roll": -5}),
    FilmedFlight("plane-05", PLANE, 300, -570.2, 1.0043, LOGGER_MS, _SILENT),
    FilmedFlight("plane-06", PLANE, 350, -33.7, 0.9984, TELEMETRY_MS, _POOR),
    FilmedFlight("plane-07", PLANE, 135, 12.1, 0.9955, LOGGER_MS, USUAL, {"yaw": -10}),
    FilmedFlight("plane-08", PLANE, 170, -150.8, 1.0074, TELEMETRY_MS, _SILENT, {"fov": 50}),
    FilmedFlight("plane-09", PLANE, 220, -260.4, 0.9919, TELEMETRY_MS, _POOR, {"pitch": 0}),
    FilmedFlight("plane-10", PLANE, 280, 3.3, 1.0062, LOGGER_MS, USUAL),
)
"""Two to six minutes; the log begins up to ten before the video, or the video half a one first."""

SPECIAL = (
    FilmedFlight("loop", QUAD, 300, -25.0, 1.0037, TELEMETRY_MS, {**USUAL, "loop": 105.0}),
    FilmedFlight(
        "seed-004",
        PLANE,
        190,
        -20.0,
        1.0026,
        TELEMETRY_MS,
        {"broken": 0.033, "sound": 0.0},
        {"pitch": -8},
    ),
    FilmedFlight("1-hz", QUAD, 190, -30.0, 0.9975, 1000, USUAL),
    FilmedFlight("static", QUAD, 120, -10.0, 1.0, TELEMETRY_MS, {"static": 1.0}, is_found=False),
)

_SMALL = {"rolling_shutter": 0.012, "exposure_s": 0.004, "shake_deg": 0.03}
_DIM = {"rolling_shutter": 0.02, "exposure_s": 0.010, "shake_deg": 0.06}
_GLOBAL = {"exposure_s": 0.003, "shake_deg": 0.02}


def _plain(
    name: str,
    video_s: float,
    offset_s: float,
    rate: float,
    attitude_ms: int,
    faults: Mapping[str, float],
    **camera: float,
) -> FilmedFlight:
    aircraft = QUAD if name.startswith("quad") else PLANE
    flown = f"plain-{name}", aircraft, video_s, offset_s, rate
    return FilmedFlight(*flown, attitude_ms, faults, camera, is_plain=True)


PLAIN = (
    _plain("quad-1", 90, -9.7, 1.0031, TELEMETRY_MS, _SMALL, pitch=-10),
    _plain("plane-1", 95, -20.4, 0.9963, LOGGER_MS, _SMALL, pitch=-6, fov=45),
    _plain("quad-2", 85, 11.6, 0.9989, LOGGER_MS, _SMALL, pitch=-22, fov=75),
    _plain("quad-3", 90, -41.3, 1.0052, TELEMETRY_MS, _SMALL, roll=90, pitch=-8, fov=90),
    _plain("plane-2", 95, 7.9, 1.0008, TELEMETRY_MS, _GLOBAL, pitch=-5, fov=60),
    _plain("quad-4", 95, -130.8, 0.9947, LOGGER_MS, _GLOBAL, pitch=-15, yaw=5, fov=110),
    _plain("plane-3", 95, -66.2, 1.0074, LOGGER_MS, _SMALL, pitch=-8, fov=70, k1=-0.2, k2=0.05),
    _plain("quad-5", 90, -15.1, 0.9994, TELEMETRY_MS, _DIM, roll=180, pitch=-10, yaw=-3, fov=62),
    _plain(
        "plane-4", 100, -250.5, 0.9926, TELEMETRY_MS, _SMALL, pitch=-12, fov=100, k1=-0.07, k2=0.006
    ),
    _plain(
        "quad-6",
        95,
        4.2,
        1.0019,
        TELEMETRY_MS,
        _SMALL,
        pitch=-12,
        roll=3,
        fov=80,
        k1=-0.12,
        k2=0.02,
    ),
    _plain("plane-5", 90, -33.6, 1.0042, LOGGER_MS, _SMALL, roll=-90, pitch=-4, fov=50),
    _plain("plane-6", 95, -12.9, 0.9978, TELEMETRY_MS, _DIM, yaw=20, pitch=-3, fov=66),
)
"""Films of the second make."""

LANDED = FilmedFlight(
    *("landed", QUAD, 60, -5.0, 1.0, TELEMETRY_MS, _SMALL, {"pitch": -10}),
    is_found=False,
    is_plain=True,
    is_flown=False,
)


def scenario_of(flight: FilmedFlight) -> dict[str, Any]:
    """The flight as `lapwing sim --scenario` takes it."""
    random = np.random.default_rng(flight.seed)
    waits_s = 4.0 + max(0.0, -flight.offset_s / flight.rate)
    flown_s = max(flight.log_s - waits_s - _GROUND_S[flight.aircraft], 20.0)
    world = {
        "wind_north_mps": round(float(random.uniform(-3, 3)), 1),
        "turbulence_mps": round(float(random.uniform(1, 4)), 1),
    }
    if flight.is_flown:
        pilot = _quad_steps if flight.aircraft == QUAD else _plane_steps
        flown = pilot(random, flown_s)
    else:
        flown = [{"do": "wait", "seconds": flight.log_s}]
    return {
        "name": flight.name,
        "title": "A restless flight, for a film",
        "aircraft": flight.aircraft,
        "world": world,
        "steps": [{"do": "wait", "seconds": round(waits_s, 1)}, *flown],
        "measures": ["max_altitude_m"],
        "bands": {"max_altitude_m": [3, None]},
        "controls": [{"set": {}, "fails": "max_altitude_m", "why": "on the ground"}],
        "may_crash": True,
    }


def airframe_of(flight: FilmedFlight) -> dict[str, Any]:
    """The aircraft with telemetry at the flight's rate."""
    return {
        "format": 1,
        "base": flight.aircraft,
        "name": f"{flight.name}-airframe",
        "title": "For a film",
        "telemetry_period_ms": {"AttitudeState": flight.attitude_ms},
    }


def _quad_steps(random: np.random.Generator, flown_s: float) -> list[Step]:
    steps: list[Step] = [
        {"do": "arm"},
        {"do": "takeoff"},
        {"do": "fly", "seconds": 5, "mode": "Stabilized2", "throttle": 0.8},
    ]
    while flown_s > 0:
        seconds = round(float(random.uniform(1.5, 5)), 1)
        step: Step = {"do": "hold", "seconds": seconds}
        if random.uniform() < 0.6:
            step = _sticks(random, seconds, (0.4, 0.4, 0.6))
        elif random.uniform() < 0.25:
            step = {"do": "return", "seconds": 10}
        flown_s -= step["seconds"]
        steps.append(step)
    return [*steps, {"do": "return", "seconds": 15}, {"do": "land", "timeout_s": 90}]


def _plane_steps(random: np.random.Generator, flown_s: float) -> list[Step]:
    steps: list[Step] = [
        {"do": "arm", "mode": "AutoTakeoff"},
        {"do": "fly", "seconds": 30, "mode": "AutoTakeoff", "throttle": 1.0},
    ]
    while flown_s > 0:
        seconds = round(float(random.uniform(2, 6)), 1)
        step: Step = {"do": "hold", "seconds": 2 * seconds}
        if random.uniform() < 0.6:
            step = _sticks(random, seconds, (0.6, 0.2, 0.0))
        elif random.uniform() < 0.4:
            step = {"do": "return", "seconds": 15}
        flown_s -= step["seconds"]
        steps.append(step)
    glide = {"do": "fly", "seconds": 40, "mode": "Land", "throttle": 0.0}
    return [*steps, glide, {"do": "disarm"}]


def _sticks(random: np.random.Generator, seconds: float, reach: tuple[float, float, float]) -> Step:
    roll, pitch, yaw = (round(float(random.uniform(-r, r)), 2) for r in reach)
    step = {"do": "fly", "seconds": seconds, "mode": "Stabilized2", "throttle": 0.55}
    return {**step, "roll": roll, "pitch": pitch, "yaw": yaw}
