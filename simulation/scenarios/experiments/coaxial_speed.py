"""D7: constant pitch commands and the speeds that the coaxial helicopter flies with (seed 003,
figures 39 and 40).

Drag balances the pull of the tilted rotor: v = sqrt(F_T sin(alpha) / C), monotone in the command.
Every command is flown twice, in blocks of another size the second time.
"""

from typing import Final

import numpy as np

from simulation.scenarios.coaxial_flight import CYCLE_STEPS, HOVER, CoaxialCommand, CoaxialFlight
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, Style, curves
from simulation.scenarios.measures import Column

PITCHES: Final = (0.0, -0.2, -0.4, -0.6, -0.8, -1.0)
"""Units of the servo."""
_CYCLES = 750
_DRAG = 0.02


def run(experiment: Experiment) -> RunOutcome:
    """The smallest step of speed between neighbouring commands, how well a flight repeats, and the
    speed at the command that the seed flies corridors with."""
    constant, factor = experiment.values["servo_constant"], experiment.values["pitch_sign"]
    flights = [_flown(experiment, factor * pitch, constant, 5) for pitch in PITCHES]
    again = [_flown(experiment, factor * pitch, constant, 50) for pitch in PITCHES]
    speeds = np.array([speed for speed, _ in flights])
    expected = _by_drag(np.array(PITCHES) * constant)
    metrics = {
        "least_step_mps": float(np.diff(speeds).min()),
        "repeat_error_mps": float(np.abs(speeds - [speed for speed, _ in again]).max()),
        "corridor_speed_mps": float(speeds[PITCHES.index(-0.6)]),
        "error_by_drag": float(np.abs(speeds[1:] / expected[1:] - 1.0).max()),
    }
    return RunOutcome(metrics, _figure(speeds, expected), flights[-1][1])


def _flown(
    experiment: Experiment, pitch: float, servo_constant: float, block: int
) -> tuple[float, str]:
    """Speed ahead at the end, and the digest of the flight."""
    flight = CoaxialFlight(experiment, (0.0, 0.0, -3.0), servo_constant=servo_constant)
    flight.command(CoaxialCommand(HOVER, pitch=pitch))
    for _ in range(_CYCLES // block):
        flight.advance(block)
    return float(flight.track["true_velocity"][-1, 0]), flight.track.digest()


def _by_drag(angles: Column) -> Column:
    """By hand: the lower rotor carries half of the weight."""
    return np.asarray(np.sqrt(HOVER**2 * np.sin(np.abs(angles)) / _DRAG))


def _figure(speeds: Column, expected: Column) -> Figure:
    pitches = (f"pitch command, held for {_CYCLES * CYCLE_STEPS} ms", np.array(PITCHES))
    values = {"flown": speeds, "by drag": expected}
    styles: dict[str, Style] = {"flown": "dots", "by drag": "dashed"}
    return Figure("Speed by pitch command", (curves("Open loop", pitches, "m/s", values, styles),))
