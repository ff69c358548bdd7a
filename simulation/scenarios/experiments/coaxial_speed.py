"""D7: constant pitch commands and the speeds that the coaxial helicopter flies with (seed 003,
figures 39 and 40, whose numbers are lost).

By hand: the pull F of the tilted rotor against the drag C v^2 of 30 g from rest is

    v(t) = sqrt(F sin(a) / C) tanh(t sqrt(F sin(a) C) / m)

which judges the whole course of each flight, not its end alone; monotone in the command. The seed
takes from its figures that a command tells the speed. So the six commands give one number, v by
the root of the command, and that is tried on flights of commands that are drawn, with a heading
that is drawn. Every command is flown twice, in blocks of another size the second time.
"""

import hashlib
import math
from dataclasses import replace
from typing import Final

import numpy as np

from simulation.scenarios.coaxial_flight import (
    CYCLE_S,
    CYCLE_STEPS,
    HOVER,
    CoaxialCommand,
    CoaxialFlight,
)
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, Style, curves
from simulation.scenarios.measures import Column
from simulation.scenarios.several_seeds import drawn, fly_seeds

PITCHES: Final = (0.0, -0.2, -0.4, -0.6, -0.8, -1.0)
"""Units of the servo."""
_CYCLES = 750
_DRAG, _MASS_KG = 0.02, 0.03
_DRAWN: Final = 3
_MIDDLE, _AROUND = -0.6, 0.4
"""Of the commands that are drawn."""


def run(experiment: Experiment) -> RunOutcome:
    """The smallest step of speed between neighbouring commands, how well a flight repeats, the
    speed at the command that the seed flies corridors with, how far speeds at the end and on the
    way are from those by hand, and how far estimates are from speeds."""
    constant, factor = experiment.values["servo_constant"], experiment.values["pitch_sign"]
    flown = [_speeds(experiment, factor * pitch, 5) for pitch in PITCHES]
    again = [_speeds(experiment, factor * pitch, 50)[-1] for pitch in PITCHES]
    speeds = np.array([course[-1] for course in flown])
    pulls = HOVER**2 * np.sin(np.abs(PITCHES) * np.array(constant))
    ends = np.sqrt(pulls / _DRAG)
    times_s = CYCLE_S * np.arange(1, _CYCLES + 1)
    by_hand = ends[:, None] * np.tanh(times_s * np.sqrt(pulls * _DRAG)[:, None] / _MASS_KG)
    courses = np.array(flown) - by_hand
    roots = np.sqrt(np.abs(PITCHES))
    per_root = float(speeds @ roots / (roots @ roots))
    estimated = fly_seeds(experiment, lambda each: _estimated(each, factor, per_root))
    metrics = {
        "least_step_mps": float(np.diff(speeds).min()),
        "repeat_error_mps": float(np.abs(speeds - again).max()),
        "corridor_speed_mps": float(speeds[PITCHES.index(-0.6)]),
        "error_by_drag": float(np.abs(speeds[1:] / ends[1:] - 1.0).max()),
        "course_error": float((np.abs(courses[1:]).max(axis=1) / ends[1:]).max()),
    }
    return replace(
        estimated, metrics={**metrics, **estimated.metrics}, figure=_figure(speeds, ends)
    )


def _estimated(experiment: Experiment, factor: float, per_root: float) -> RunOutcome:
    """How far the estimate of the speed by the command is off, as a share, over some commands."""
    errors, digest = [], hashlib.sha256()
    heading = math.pi * drawn(experiment.seed, 0)
    for number in range(1, _DRAWN + 1):
        pitch = _MIDDLE + _AROUND * drawn(experiment.seed, number)
        speed = _speeds(experiment, factor * pitch, 5, heading)[-1]
        errors.append(abs(per_root * math.sqrt(abs(pitch)) / speed - 1.0))
        digest.update(np.float64(speed).tobytes())
    return RunOutcome({"estimate_error": float(max(errors))}, log_hash=digest.hexdigest())


def _speeds(experiment: Experiment, pitch: float, block: int, heading_rad: float = 0.0) -> Column:
    """Speed to where the nose points at the end of each cycle (n,)."""
    constant = experiment.values["servo_constant"]
    flight = CoaxialFlight(experiment, (0.0, 0.0, -3.0), heading_rad, constant)
    flight.command(CoaxialCommand(HOVER, pitch=pitch))
    for _ in range(_CYCLES // block):
        flight.advance(block)
    ahead = np.array([math.cos(heading_rad), math.sin(heading_rad)])
    return np.asarray(flight.track["true_velocity"][:, :2] @ ahead)


def _figure(speeds: Column, expected: Column) -> Figure:
    pitches = (f"pitch command, held for {_CYCLES * CYCLE_STEPS} ms", np.array(PITCHES))
    values = {"flown": speeds, "by drag": expected}
    styles: dict[str, Style] = {"flown": "dots", "by drag": "dashed"}
    return Figure("Speed by pitch command", (curves("Open loop", pitches, "m/s", values, styles),))
