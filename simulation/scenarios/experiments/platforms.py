"""A5: one controller, several platforms: only the numbers in their files differ.

The quadrotor, the hexacopter built after it and the large hexacopter with and without its payload
take off, hold their position in wind and land by the same script and the same code. As negative
control all of them can be given the quadrotor's settings.
"""

import hashlib
from dataclasses import replace
from typing import Final

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, from_above, series
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.flight_measures import heights, measure
from simulation.scenarios.scenario import Measure

PLATFORMS: Final = ("ar100b", "ar100x6", "ar200", "ar200-payload")
_MEASURED: Final = ("touchdown_mps", "hold_rms_m", "max_tilt_deg")


def run(experiment: Experiment) -> RunOutcome:
    """Fly the script with every platform. Metrics are named after platform and measure, as in
    ar100x6_hold_rms_m."""
    flights = {name: _fly(experiment, name) for name in PLATFORMS}
    hashes = "".join(flight.log_hash for flight in flights.values())
    crashed = [name for name, flight in flights.items() if flight.has_crashed]
    failures = [
        f"{name}: {what}" for name, flight in flights.items() if (what := flight.script_failure())
    ]
    return RunOutcome(
        {key: value for name, flight in flights.items() for key, value in _metrics(name, flight)},
        _figure(flights),
        hashlib.sha256(hashes.encode()).hexdigest() if hashes else "",
        bool(crashed),
        " ".join(failures),
        next((flight.diverged for flight in flights.values() if flight.diverged), ""),
        f"Crashed: {', '.join(crashed)}." if crashed else "",
    )


def _fly(experiment: Experiment, name: str) -> SimulatedFlight:
    config: AutopilotConfig = experiment.config(aircraft=name)
    if experiment.values["quadrotors_settings"]:
        borrowed = load_preset(PLATFORMS[0]).objects
        config = replace(config, preset=replace(config.preset, objects=borrowed))
    return experiment.fly(config=config)


def _metrics(name: str, flight: SimulatedFlight) -> list[tuple[str, float]]:
    prefix = name.replace("-", "_")
    return [
        (f"{prefix}_{key}", measure(Measure(key, key), flight.track, flight.steps))
        for key in _MEASURED
    ]


def _figure(flights: dict[str, SimulatedFlight]) -> Figure:
    height = tuple(
        series(name, flight.track.time_s, heights(flight.track)) for name, flight in flights.items()
    )
    ways = {name: flight.track["true_position"] for name, flight in flights.items()}
    axes = (Axes("Height", "time, s", "m", height), from_above("Position track", ways))
    return Figure("One controller, several platforms", axes)
