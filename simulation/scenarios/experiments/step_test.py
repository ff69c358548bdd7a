"""Step test: a step on each stick, one after the other, and how an aircraft's gains answer.

Roll and pitch are asked for an angle, yaw for a rate of turn. The station flies this with gains
that are not yet on board, and draws both answers.

A rise is that of the truth towards what was asked for, so it is longer or shorter where the
estimated attitude is a degree off. With AR100B's gains real firmware took 0.37 to 0.55 s in roll
and 0.40 to 0.57 s in pitch (LibrePilot next in lockstep, seeds 1 to 6; the simulated board 0.36 to
0.55 s and 0.41 to 0.61 s), which the bands hold. It starts as late as firmware, because until then
the estimate is worse than firmware's: 0.8 s in pitch with seed 5.
"""

import numpy as np

from simulation.scenarios.experiment import Experiment, RunOutcome, outcome_of
from simulation.scenarios.figure import Figure, curves
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.flight_measures import attitudes_deg
from simulation.scenarios.step_answer import NO_FIGURES, StepAnswer

AXES = ("roll", "pitch", "yaw")
_YAW = 2


def run(experiment: Experiment) -> RunOutcome:
    """Fly the script; measure the steps labelled by their axis."""
    flight = experiment.fly()
    answers = {axis: _answer(flight, number) for number, axis in enumerate(AXES)}
    metrics = {
        f"{axis}_{name}": value
        for axis, answer in answers.items()
        for name, value in (NO_FIGURES if answer is None else answer.metrics()).items()
    }
    return outcome_of(flight, metrics, _figure(experiment.scenario.title, answers))


def _answer(flight: SimulatedFlight, number: int) -> StepAnswer | None:
    rows = flight.rows(AXES[number])
    if rows.size < 2:
        return None
    track = flight.track
    rows = np.arange(max(int(rows[0]) - 1, 0), int(rows[-1]) + 1)
    flown = track["true_rates"] if number == _YAW else attitudes_deg(track)
    time_s = track.time_s[rows]
    desired = track["attitude_desired"][rows, number]
    return StepAnswer(time_s - time_s[0], desired, flown[rows, number])


def _figure(title: str, answers: dict[str, StepAnswer | None]) -> Figure | None:
    axes = tuple(
        curves(
            axis.capitalize(),
            ("time since the step, s", answer.time_s),
            "deg/s" if axis == AXES[_YAW] else "degrees",
            {"desired": answer.desired, "flown": answer.flown},
            {"desired": "dashed"},
        )
        for axis, answer in answers.items()
        if answer is not None
    )
    return Figure(title, axes) if axes else None
