"""A3, wind limit: up to which wind a position is held.

The wind grows in equal steps up to `wind_mps`; each is held long enough to come to rest. Up to
8 m/s the place must be held; beyond the wind whose drag needs more than MaxRollPitch it cannot.
"""

import math
from typing import Final

import numpy as np

from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.flight import Rows, SimulatedFlight
from simulation.scenarios.flight_measures import attitudes_deg
from simulation.scenarios.measures import distances, rms
from simulation.scenarios.scenario import ScenarioStep

WINDS: Final = 5
"""Steps of wind: none, a quarter, a half, three quarters, all."""
_HELD_S: Final = 18.0
_SETTLING_S: Final = 10.0


def run(experiment: Experiment) -> RunOutcome:
    """Fly the script with the wind's steps behind it, and measure each of them."""
    winds = [experiment.values["wind_mps"] * i / (WINDS - 1) for i in range(WINDS)]
    begin = list(experiment.scenario.steps)
    steps = [step for i, wind in enumerate(winds) for step in _held_in(wind, _label(i))]
    flight = experiment.fly([*begin, *steps])
    held = [flight.rows(_label(i), _SETTLING_S) for i in range(WINDS)]
    return outcome_of(flight, _metrics(flight, held), _figure(flight))


def _label(number: int) -> str:
    return f"wind {number}"


def _held_in(wind_mps: float, label: str) -> tuple[ScenarioStep, ScenarioStep]:
    wind = ScenarioStep("set", values={"wind_north_mps": wind_mps})
    return wind, ScenarioStep("hold", seconds=_HELD_S, label=label)


def _metrics(flight: SimulatedFlight, held: list[Rows]) -> dict[str, float]:
    """Worst distance from the mean place of a step (rms), and worst distance of such a place from
    the one held without wind."""
    place = flight.track["true_position"][:, :2]
    if not all(rows.size for rows in held):
        return {"worst_rms_m": math.nan, "worst_shift_m": math.nan}
    middles = [place[rows].mean(axis=0) for rows in held]
    tilt = attitudes_deg(flight.track)[held[-1], :2]
    return {
        "worst_rms_m": max(
            rms(distances(place[rows], middle)) for rows, middle in zip(held, middles, strict=True)
        ),
        "worst_shift_m": float(distances(np.array(middles), middles[0]).max()),
        "tilt_deg": float(np.hypot(tilt[:, 0], tilt[:, 1]).mean()),
        "saturated_share": float(flight.track["saturated"][held[-1]].mean()),
    }


def _figure(flight: SimulatedFlight) -> Figure:
    track = flight.track
    time, wind = ("time, s", track.time_s), "wind heading north, m/s"
    moved = {"north": track["true_position"][:, 0], wind: track["true_wind"][:, 0]}
    pitch = {"pitch": attitudes_deg(track)[:, 1]}
    axes = (
        curves("Position", time, "m", moved, {wind: "dashed"}),
        curves("Leaning into the wind", time, "degrees", pitch),
    )
    return Figure("Position hold in growing wind", axes)
