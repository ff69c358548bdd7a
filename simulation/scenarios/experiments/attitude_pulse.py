"""A1: a pulse on the roll stick to the greatest roll angle, release, return to level by itself.

Seed 000 shows five pictures of it (figure 4): at rest, commanded, greatest roll, returning, back.
The figure drawn here has the same five, seen from behind, and the roll angle over time.
"""

import math
from collections.abc import Iterator

import numpy as np

from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Axes, Figure, FigureSeries, curves, series
from simulation.scenarios.flight import Rows, SimulatedFlight
from simulation.scenarios.flight_measures import attitudes_deg
from simulation.scenarios.measures import overshoot, settling_time

LEVEL_DEG = 2.0
"""What counts as level."""
_BEFORE_S = 0.5


def run(experiment: Experiment) -> RunOutcome:
    """Fly the script; measure the steps labelled "pulse" and "return"."""
    flight = experiment.fly()
    pulse, back = flight.rows("pulse"), flight.rows("return")
    metrics = dict.fromkeys(("max_roll_deg", "settling_s", "rest_deg", "overshoot"), math.nan)
    metrics["second_overshoot"] = math.nan
    if pulse.size and back.size:
        metrics = _metrics(flight, pulse, back)
    return outcome_of(flight, metrics, _figure(flight, pulse, back))


def _metrics(flight: SimulatedFlight, pulse: Rows, back: Rows) -> dict[str, float]:
    """The greatest roll; how long after the release it is level for good, and how far off level it
    is at most in the last second; how far it swings beyond level, and back again, as shares of
    the greatest roll."""
    roll = attitudes_deg(flight.track)[:, 0]
    time_s = flight.track.time_s
    greatest = float(roll[np.concatenate((pulse, back))].max())
    returning = roll[back]
    below = int(np.argmin(returning))
    at_rest = time_s[back] > time_s[back[-1]] - 1.0
    return {
        "max_roll_deg": greatest,
        "settling_s": settling_time(time_s[back], returning, 0.0, LEVEL_DEG),
        "rest_deg": float(np.abs(returning[at_rest]).max()),
        "overshoot": overshoot(returning, greatest, 0.0),
        "second_overshoot": max(0.0, float(returning[below:].max()) / greatest),
    }


def _figure(flight: SimulatedFlight, pulse: Rows, back: Rows) -> Figure | None:
    if not (pulse.size and back.size):
        return None
    track = flight.track
    rows = np.arange(max(pulse[0] - round(_BEFORE_S * 50), 0), back[-1] + 1)
    time = ("time since the command, s", track.time_s[rows] - track.time_s[pulse[0]])
    roll = attitudes_deg(track)[:, 0]
    values = {"true": roll[rows], "desired": track["attitude_desired"][rows, 0]}
    level = (-LEVEL_DEG, LEVEL_DEG)
    angle = curves("Roll", time, "degrees", values, {"desired": "dashed"}, level)
    greatest = rows[int(np.argmax(roll[rows]))]
    scenes = (
        ("at rest", rows[0]),
        ("commanded", pulse[len(pulse) // 3]),
        ("greatest roll", greatest),
        ("returning", greatest + (np.abs(roll[greatest:] - 0.5 * roll[greatest])).argmin()),
        ("back", back[-1]),
    )
    bars = tuple(_seen_from_behind([(name, float(roll[row])) for name, row in scenes]))
    pictures = Axes("Seen from behind", "scene", "", bars, equal=True)
    return Figure("Attitude pulse", (angle, pictures))


def _seen_from_behind(scenes: list[tuple[str, float]]) -> Iterator[FigureSeries]:
    """A bar per scene, its right end down for positive roll."""
    for number, (name, roll_deg) in enumerate(scenes, 1):
        along = np.array([-0.4, 0.4])
        roll = math.radians(roll_deg)
        label = f"{number} {name}, {abs(roll_deg):.0f}°"
        yield series(label, number + along * math.cos(roll), -along * math.sin(roll))
