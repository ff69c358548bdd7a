"""Motor loss: one motor stops while a rotorcraft lands, and it goes on landing.

How high it was then decides how fast it comes down. A hexarotor whose rotors turn alternately
cannot hold its heading without one of them, but its attitude and height if the four beside the lost
one and the one across from it can carry it (Du, Quan and Cai 2014, arXiv 1307.0276). A mixer that
counts on the lost one all the same does not let them.
"""

import math
from dataclasses import replace

from simulation.records.flight import ROTORCRAFT
from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figures import draw
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.flight_measures import heights, tilts_deg
from simulation.scenarios.scenario import ScenarioError, ScenarioStep


def run(experiment: Experiment) -> RunOutcome:
    """Fly the script without the motor that its parameter numbers; say where it was when that
    stopped, and how it moved afterwards, besides what the script measures."""
    experiment.insist_on(ROTORCRAFT)
    flight = experiment.fly(_steps(experiment))
    return outcome_of(flight, {**flight.metrics(), **_metrics(flight)}, draw(flight))


def _steps(experiment: Experiment) -> list[ScenarioStep]:
    motor = round(experiment.values["motor"])
    motors = int(experiment.preset().load_aircraft().parameters["rotor_count"])
    if motor > motors:
        raise ScenarioError(
            f"{experiment.aircraft} has {motors} motors and no motor {motor}; set motor to 0 to "
            f"{motors}."
        )
    lost = {f"motor_{motor}_lost": 1.0} if motor else {}
    return [
        replace(step, values=lost) if step.label == "loss" else step
        for step in experiment.scenario.steps
    ]


def _metrics(flight: SimulatedFlight) -> dict[str, float]:
    """`loss_height_m` above the ground; the most tilt and rate of yaw after it; and how fast it
    sank at most."""
    rows = flight.rows("without")
    if not rows.size:
        return dict.fromkeys(("loss_height_m", "tilt_deg", "yaw_dps", "sink_mps"), math.nan)
    track = flight.track
    return {
        "loss_height_m": float(heights(track)[rows[0]]),
        "tilt_deg": float(tilts_deg(track)[rows].max()),
        "yaw_dps": float(abs(track["true_rates"][rows, 2]).max()),
        "sink_mps": float(track["true_velocity"][rows, 2].max()),
    }
