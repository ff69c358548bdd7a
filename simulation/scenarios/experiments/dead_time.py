"""B1: dead time makes the quadrotor of seed 001 oscillate at about 3 Hz (figure 4, left).

The gains of the seed's repository do not show it; those here are stiffer, as the figure's must
have been. Beside the flight with dead time the same one without is flown, and both power spectra
are compared.

With the motors' lag of 75 ms these gains leave a phase margin of a few degrees without dead time
and none with 15 ms: the oscillation grows until the motors limit it. So its size hardly depends on
the noise, but that of the flight without dead time, and with it the ratio, does.
"""

import math

from simulation.scenarios.bare_flight import BareFlight
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.experiments.cascade import Cascade, Gains, fly, hover_at
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.measures import Column, peak_frequency, power_density, rms

_SAMPLE_STEPS = 10
_RATE_HZ = 100.0
_SEGMENT = 1024
_LEAST_HZ = 0.5
_SETTLE_S = 15.0
_HEIGHT_M = 6.1  # where the wind is what the control says


def run(experiment: Experiment) -> RunOutcome:
    """Metrics: where the spectrum of the roll and pitch rates has its peak, and how much larger
    their rms is than without dead time."""
    late = _hover(experiment, round(experiment.values["dead_time_ms"]))
    prompt = _hover(experiment, 0)
    frequencies, late_density = _density(late)
    _, prompt_density = _density(prompt)
    late_rms, prompt_rms = rms(_rates(late)), rms(_rates(prompt))
    metrics = {
        "peak_hz": peak_frequency(frequencies, late_density, _LEAST_HZ),
        "rms_ratio": late_rms / prompt_rms,
        "rms_rate_dps": math.degrees(late_rms),
        "rms_rate_prompt_dps": math.degrees(prompt_rms),
    }
    shown = (frequencies >= 0.2) & (frequencies <= 20.0)
    dead_time = f"{experiment.values['dead_time_ms']:g} ms"
    diagram = Axes(
        "Power spectral density of roll and pitch rate",
        "frequency, Hz",
        "(rad/s)²/Hz",
        (
            series(f"dead time {dead_time}", frequencies[shown], late_density[shown]),
            series("no dead time", frequencies[shown], prompt_density[shown], "dashed"),
        ),
        log_y=True,
    )
    crashed = any(flight.simulator.output["crashed"] for flight in (late, prompt))
    figure = Figure(experiment.scenario.title, (diagram,))
    return RunOutcome(metrics, figure, late.track.digest(), crashed)


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
