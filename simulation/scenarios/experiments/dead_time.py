"""B1: dead time makes the quadrotor of seed 001 oscillate at about 3 Hz (figure 4, left).

The gains of the seed's repository do not show it; those here are stiffer, as the figure's must
have been. With the motors' lag of 75 ms they leave a phase margin of a few degrees without dead
time and none with 8 ms: the oscillation grows until the motors limit it, to a size and a frequency
that the dead time decides. The same turbulent air excites all flights alike, so that the one
without dead time is no unexcited loop that any other would be many times as loud as.

Beside the flight with the dead time to be judged, those of the ladder are flown: each step must
swing more than the one before. A scenario may leave them out.
"""

import math
from itertools import pairwise
from typing import Final

from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.experiments.cascade import Cascade, Gains, fly, hover_at
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.measures import Column, peak_frequency, power_density, rms

LADDER_MS: Final = (0, 8, 15, 25)
"""Dead times that are flown besides; a step is 1 ms."""
_SAMPLE_STEPS = 10
_RATE_HZ = 100.0
_SEGMENT = 1024
_LEAST_HZ = 0.5
_SETTLE_S = 15.0
_HEIGHT_M = 6.1  # where the wind is what the control says


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: where the spectrum of the roll and pitch rates has its peak, their rms, and with the
    ladder how much larger it is than without dead time, and the least factor between two steps."""
    judged = round(experiment.values["dead_time_ms"])
    ladder = LADDER_MS if experiment.values["ladder"] else ()
    flights = {steps: _hover(experiment, steps) for steps in {judged, *ladder}}
    sizes = {steps: rms(_rates(flight)) for steps, flight in flights.items()}
    frequencies, density = _density(flights[judged])
    metrics = {
        "peak_hz": peak_frequency(frequencies, density, _LEAST_HZ),
        "rms_rate_dps": math.degrees(sizes[judged]),
        **(_compared(sizes, judged) if ladder else {}),
    }
    crashed = any(flight.simulator.output["crashed"] for flight in flights.values())
    figure = Figure(experiment.scenario.title, (_spectra(flights, judged),))
    return RunOutcome(metrics, figure, flights[judged].track.digest(), crashed)


def _compared(sizes: dict[int, float], judged: int) -> dict[str, float]:
    rises = [sizes[more] / sizes[less] for less, more in pairwise(LADDER_MS)]
    return {
        "rms_ratio": sizes[judged] / sizes[0],
        "least_rise": min(rises),
        **{f"rms_ratio_{steps}_ms": sizes[steps] / sizes[0] for steps in LADDER_MS[1:]},
    }


def _spectra(flights: dict[int, BareFlight], judged: int) -> Axes:
    lines = []
    for steps in sorted(flights):
        frequencies, density = _density(flights[steps])
        shown = (frequencies >= 0.2) & (frequencies <= 20.0)
        lines.append(
            series(
                f"dead time {steps} ms",
                frequencies[shown],
                density[shown],
                "line" if steps == judged else "dashed",
            )
        )
    title = "Power spectral density of roll and pitch rate"
    return Axes(title, "frequency, Hz", "(rad/s)²/Hz", tuple(lines), log_y=True)


def _hover(experiment: Experiment, dead_steps: int) -> BareFlight:
    """Climb to where the wind is as given, and stay there."""
    gains = Gains(experiment.values["attitude_p"], experiment.values["attitude_d"])
    simulator = experiment.simulator()
    flight = experiment.bare_flight(simulator, (), _SAMPLE_STEPS)
    controller = Cascade(simulator.aircraft.parameters, gains)
    fly(flight, controller, hover_at(_HEIGHT_M), experiment.values["seconds"], dead_steps)
    return flight


def _rates(flight: BareFlight) -> Column:
    """True roll and pitch rate in rad/s after settling."""
    rows: Column = flight.track["true_rates"][flight.track.time_s > _SETTLE_S, :2]
    return rows * (math.pi / 180.0)


def _density(flight: BareFlight) -> tuple[Column, Column]:
    rates = _rates(flight)
    frequencies, roll = power_density(rates[:, 0], _RATE_HZ, _SEGMENT)
    _, pitch = power_density(rates[:, 1], _RATE_HZ, _SEGMENT)
    return frequencies, 0.5 * (roll + pitch)
