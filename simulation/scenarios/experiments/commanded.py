"""Commanded aircraft, flown by the pulses that mean its commands, without an autopilot."""

from collections.abc import Sequence

import numpy as np

from simulation.records.flight import COMMANDED
from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.experiment import Experiment
from simulation.simulator.simulator import Simulator

_MEMBERS = ("true_position", "true_velocity", "true_quaternion", "true_rates")
_CLIMB_S, _SETTLE_S = 2.0, 5.0


def command(simulator: Simulator, wanted: Sequence[float]) -> None:
    """Roll, pitch, yaw and climb commanded from now on, each -1 to 1."""
    p = simulator.record["parameters"]
    low, high = p["command_pulse_us"]
    pulses = 0.5 * (low + high) + 0.5 * (high - low) * np.asarray(wanted)
    simulator.command["outputs_supplied"] = 1
    simulator.command["outputs"][p["command_channel"]] = pulses


def hovering(experiment: Experiment, sample_steps: int, drag_share: float = 1.0) -> BareFlight:
    """Some metres up, where nothing has been commanded for a while, with so many times the linear
    drag; rows of truth from the beginning."""
    experiment.insist_on(COMMANDED)

    def change(p: np.void) -> None:
        p["linear_drag"] *= drag_share

    simulator = experiment.simulator(change=change)
    flight = experiment.bare_flight(simulator, _MEMBERS, sample_steps)
    command(simulator, (0.0, 0.0, 0.0, 1.0))
    flight.advance(_CLIMB_S)
    command(simulator, (0.0, 0.0, 0.0, 0.0))
    flight.advance(_SETTLE_S)
    return flight
