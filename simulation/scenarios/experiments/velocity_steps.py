"""B2: the quadrotor of seed 001 flies steps of velocity in a constant wind (figure 4, right)."""

from typing import Any

import numpy as np

from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of_bare
from simulation.scenarios.experiments.cascade import Cascade, Gains, fly, hover_at
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.flight_measures import tilts_deg
from simulation.scenarios.measures import distances
from simulation.scenarios.track import OutputTrack

_HEIGHT_M = 6.1  # where the wind is what the control says
_BEGIN_S, _EACH_S, _STEADY_S = 20.0, 10.0, 4.0
_STEPS = ((2.0, 0.0), (4.0, 0.0), (0.0, 0.0), (-3.0, 0.0), (0.0, 3.0), (0.0, -2.0), (0.0, 0.0))
"""North and east velocity in m/s, one after the other, each held for 10 s."""


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: the largest distance between wanted and mean velocity at the end of a step, and
    the tilt of the hover before the steps."""
    gains = Gains(velocity_i=experiment.values["integral_gain"])
    simulator = experiment.simulator()
    flight = experiment.bare_flight(simulator)
    hover = hover_at(_HEIGHT_M)

    def wanted(now_s: float, output: np.void) -> tuple[float, float, float]:
        return (*_step_at(now_s), hover(now_s, output)[2])

    controller = Cascade(simulator.aircraft.parameters, gains)
    dead_steps = round(experiment.values["dead_time_ms"])
    fly(flight, controller, wanted, _BEGIN_S + _EACH_S * len(_STEPS), dead_steps)
    track = flight.track
    metrics = {
        "steady_error_mps": max(_errors(track)),
        "hover_tilt_deg": float(tilts_deg(track)[_steady(track, _BEGIN_S)].mean()),
    }
    return outcome_of_bare(flight, metrics, _figure(experiment.scenario.title, track))


def _step_at(now_s: float) -> tuple[float, float]:
    number = int((now_s - _BEGIN_S) // _EACH_S)
    return _STEPS[min(number, len(_STEPS) - 1)] if number >= 0 else (0.0, 0.0)


def _steady(track: OutputTrack, end_s: float) -> Any:
    """The rows in which a step that ends then has settled."""
    return (track.time_s > end_s - _STEADY_S) & (track.time_s <= end_s)


def _errors(track: OutputTrack) -> list[float]:
    errors = []
    for number, wanted in enumerate(((0.0, 0.0), *_STEPS)):
        rows = _steady(track, _BEGIN_S + number * _EACH_S)
        mean = track["true_velocity"][rows, :2].mean(axis=0, keepdims=True)
        errors.append(float(distances(mean, wanted)[0]))
    return errors


def _figure(title: str, track: OutputTrack) -> Figure:
    wanted = np.array([_step_at(now_s) for now_s in track.time_s.tolist()])
    true, time = track["true_velocity"], ("time, s", track.time_s)
    axes = []
    for i, name in enumerate(("north", "east")):
        values = {"wanted": wanted[:, i], "flown": true[:, i]}
        axes.append(curves(f"Velocity {name}", time, "m/s", values, {"wanted": "dashed"}))
    return Figure(title, tuple(axes))
