"""Flights of real firmware in our physics, the simulated board's beside them, and what both say.

`../shared/data/firmware-flights` says how those were flown. A flight here is a mapping of columns
as in its files; figures are worked out of either by the same functions.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.autopilot.preset import load_preset
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.flight import fly
from simulation.scenarios.scenario import Scenario, overlaid
from simulation.scenarios.scenario_file import load_scenario
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.conftest import SHARED_DATA
from tests.simulation.flights import in_even_gravity

FLIGHTS = SHARED_DATA / "firmware-flights"
Numbers = npt.NDArray[np.float64]
Columns = Mapping[str, npt.NDArray[Any]]

_RATE_PIDS = ("RollRatePID", "PitchRatePID", "YawRatePID")
_OWN_SCENARIOS = ("steps", "mission-of-ten")
_AIRBORNE_M = 1.0
_PHYSICS_OF_THEN = {"propulsion.ground_effect": 0.0}
"""Firmware was flown in physics without the ground's effect on rotors, which lands more softly."""
_COLUMNS = (
    *("time_s", "script_step", "true_position_ned_m", "true_velocity_ned_mps", "true_q_wxyz"),
    *("true_rates_frd_rps", "actuator_us", "estimate"),
)
_STEP_DEG = 17.5
"""Half stick of the 35 degrees of RollMax and PitchMax."""
_YAW_DPS = 60.0


@dataclass(frozen=True)
class Flown:
    """One flight and what came of it; `metrics` are the scenario's."""

    name: str
    scenario: Scenario
    columns: Columns
    metrics: Mapping[str, float]
    passed: bool
    crashed: bool
    failure: str = ""


@cache
def index() -> dict[str, dict[str, Any]]:
    """What is known of each flight of the firmware, by its name."""
    rows = json.loads((FLIGHTS / "index.json").read_text(encoding="utf-8"))
    return {row["flight"]: row for row in rows}


def firmware_flight(name: str, folder: Path = FLIGHTS) -> Flown:
    """One of them."""
    row = index()[name]
    with np.load(folder / f"{name}.npz") as stored:
        columns = {key: stored[key].astype(np.float64) for key in _COLUMNS}
    # Whatever the column is called, a yaw stick of 60 deg/s makes 60 of it.
    columns["true_rates_frd_rps"] = np.radians(columns["true_rates_frd_rps"])
    return Flown(name, flown_scenario(name), columns, row["metrics"], row["passed"], row["crashed"])


def flown_scenario(name: str) -> Scenario:
    """What was flown in it."""
    title = index()[name]["scenario"]
    own = str(FLIGHTS / f"{title}.scenario.json")
    return load_scenario(own if title in _OWN_SCENARIOS else title)


def settings_of(name: str) -> dict[str, Any]:
    """The settings objects in which that flight differs from the preset `ar100b`, as a scenario
    has them."""
    said, catalogue = index()[name]["settings"], load_catalogue()
    changed: dict[str, Any] = {}
    if said.startswith("with-path-planner"):
        modes = ["Stabilized1", "Stabilized2", "PositionHold", "PathPlanner", "Land", "AutoTakeoff"]
        changed["FlightModeSettings"] = {"FlightModePosition": modes}
    if "EKFConfiguration at firmware defaults" in said:
        row = catalogue.find("EKFConfiguration").default_row()
        changed["EKFConfiguration"] = {f: row[f].tolist() for f in ("P", "Q", "R", "FakeR")}
    for words, factor in (("rate gains x2", 2.0), ("rate gains x0.5", 0.5)):
        if words in said:
            bank = load_preset("ar100b").objects["StabilizationSettingsBank1"]
            pids = {
                pid: [*(factor * gain for gain in bank[pid][:3]), bank[pid][3]]
                for pid in _RATE_PIDS
            }
            changed["StabilizationSettingsBank1"] = pids
    return changed


def simulated_flight(name: str, catalogue: Catalogue, seed: int | None = None) -> Flown:
    """The same scenario, seed and settings on the simulated board."""
    scenario = flown_scenario(name)
    scenario = replace(
        scenario,
        settings=overlaid(scenario.settings, settings_of(name)),
        start="real",
    )
    seed = index()[name]["seed"] if seed is None else seed
    experiment = Experiment(
        scenario, seed, "ar100b", catalogue, deviations=_PHYSICS_OF_THEN, without_link=True
    )
    flight = experiment.flight()
    in_even_gravity(flight.autopilot.simulator)
    fly(flight, None, None, None)
    track = flight.track
    estimate = np.column_stack([track["position"], track["attitude_deg"], track["velocity"]])
    columns = {
        "time_s": track.time_s,
        "script_step": track.script,
        "true_position_ned_m": track["true_position"],
        "true_velocity_ned_mps": track["true_velocity"],
        "true_q_wxyz": track["true_quaternion"],
        "true_rates_frd_rps": np.radians(track["true_rates"]),
        "actuator_us": track["actuator_command"][:, :4],
        "estimate": np.column_stack([track.time_s, estimate])[::5],
    }
    metrics = flight.metrics()
    bands = all(band.holds(metrics[key]) for key, band in scenario.bands.items())
    failure = flight.script_failure() or flight.diverged
    passed = bands and not flight.has_crashed and not failure
    return Flown(name, scenario, columns, metrics, passed, flight.has_crashed, failure)


# Figures: of any flight, by the same functions.


def tilt_deg(columns: Columns) -> Numbers:
    """How far the body's z axis leans from the vertical."""
    _, x, y, _ = columns["true_q_wxyz"].T
    return np.degrees(np.arccos(np.clip(1.0 - 2.0 * (x * x + y * y), -1.0, 1.0)))


def rows_of(flown: Flown, key: str) -> npt.NDArray[np.intp]:
    """The rows in which the steps of that label, or that do that, were flown."""
    steps = flown.scenario.steps
    numbers = [i for i, step in enumerate(steps) if key in (step.label, step.do)]
    return np.flatnonzero(np.isin(flown.columns["script_step"], numbers))


def rise(flown: Flown, label: str, angle_deg: Numbers, step_deg: float) -> tuple[float, float]:
    """Seconds from a twentieth of a step to half of it, and from 10 to 90 %. When it begins is up
    to where in the 40 ms between two sticks of the pilot's the script was, so that does not count.
    """
    rows = rows_of(flown, label)
    time_s = flown.columns["time_s"][rows] - flown.columns["time_s"][rows[0]]
    share = (angle_deg[rows] - angle_deg[rows[0]]) / step_deg
    begun, tenth, half, most = (_first(time_s, share, level) for level in (0.05, 0.1, 0.5, 0.9))
    return half - begun, most - tenth


def _first(time_s: Numbers, values: Numbers, level: float) -> float:
    """When values first reach a level, between the samples; NaN if they never do."""
    above = np.flatnonzero(values >= level)
    if not above.size:
        return math.nan
    i = int(above[0])
    if i == 0:
        return float(time_s[0])
    share = (level - values[i - 1]) / (values[i] - values[i - 1])
    return float(time_s[i - 1] + share * (time_s[i] - time_s[i - 1]))


def step_figures(flown: Flown) -> dict[str, float]:
    """The answers to the steps of `steps.scenario.json`."""
    w, x, y, z = flown.columns["true_q_wxyz"].T
    roll = np.degrees(np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)))
    pitch = np.degrees(np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0)))
    figures = {}
    for axis, angle, label in (("roll", roll, "r1"), ("pitch", pitch, "p1")):
        figures[f"{axis}_half_s"], figures[f"{axis}_rise_s"] = rise(flown, label, angle, _STEP_DEG)
        peak = float(np.max(angle[rows_of(flown, label)]))
        figures[f"{axis}_overshoot"] = max(peak / _STEP_DEG - 1.0, 0.0)
    yaw_dps = np.degrees(flown.columns["true_rates_frd_rps"][:, 2])
    rows = rows_of(flown, "y1")
    time_s = flown.columns["time_s"][rows] - flown.columns["time_s"][rows[0]]
    begun, most = (_first(time_s, yaw_dps[rows], share * _YAW_DPS) for share in (0.3, 0.63))
    figures["yaw_30_to_63_s"] = most - begun
    down = flown.columns["true_position_ned_m"][:, 2]
    for label in ("climb", "t1"):
        rows = rows_of(flown, label)
        time_s = flown.columns["time_s"][rows] - flown.columns["time_s"][rows[0]]
        row = rows[np.searchsorted(time_s, 1.45)]
        figures[f"{label}_climbed_m"] = float(down[rows[0]] - down[row])
    return figures


def flight_figures(flown: Flown) -> dict[str, float]:
    """What any flight has: lift-off, height, the estimate."""
    columns = flown.columns
    position = columns["true_position_ned_m"]
    estimate = columns["estimate"]
    truth = np.column_stack(
        [np.interp(estimate[:, 0], columns["time_s"], position[:, i]) for i in range(3)]
    )
    error = (estimate[:, 1:4] - truth)[truth[:, 2] < -_AIRBORNE_M]
    return {
        "takeoff_tilt_deg": float(np.max(tilt_deg(columns)[rows_of(flown, "takeoff")])),
        "highest_m": float(-np.min(position[:, 2])),
        **{
            f"estimate_{axis}_rms_m": float(np.sqrt(np.mean(error[:, i] ** 2)))
            for i, axis in enumerate(("north", "east", "down"))
        },
    }


def figures(flown: Flown) -> dict[str, float]:
    """All of them."""
    steps = step_figures(flown) if rows_of(flown, "r1").size else {}
    return {**flight_figures(flown), **steps, **flown.metrics}
