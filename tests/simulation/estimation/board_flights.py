"""The scenarios of the firmware's flights, flown by the simulated board itself."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.scenarios.flight import SimulatedFlight
from simulation.scenarios.scenario import overlaid
from simulation.scenarios.scenario_file import load_scenario
from simulation.simulator.controls import apply
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.estimation.firmware_flights import (
    AIRBORNE_M,
    EKF_DEFAULTS,
    Array,
    FirmwareFlight,
)

_PREFIX: Final = "ekf-defaults-"
_OBJECT: Final = {
    "EKFConfiguration": {"Q": EKF_DEFAULTS["ekf_q"], "R": EKF_DEFAULTS["ekf_r"]},
}


def errors_in_the_air(flight: FirmwareFlight, folder: Path, catalogue: Catalogue) -> Array:
    """Estimate less truth of position and velocity, 50 times a second, shape (n, 6): of a flight
    by the same scenario, seed and settings, started and shaken as the firmware was."""
    wanted = flight.name.removeprefix(_PREFIX).rpartition("-")[0]
    beside = folder / f"{wanted}.scenario.json"
    scenario = load_scenario(str(beside) if beside.is_file() else wanted)
    preset = load_preset("ar100b")
    objects = overlaid(preset.objects, scenario.settings)
    if flight.has_ekf_defaults:
        objects = overlaid(objects, _OBJECT)
    config = AutopilotConfig(replace(preset, objects=objects), seed=flight.seed)
    flown = SimulatedFlight(config, catalogue, scenario)
    simulator = flown.autopilot.simulator
    apply(simulator, "firmware_start", 1.0)
    simulator.record["parameters"]["harmonics"] = 0.0
    output, rows = simulator.output, []
    while not flown.is_done:
        flown.run_loop()
        if output["true_position"][2] < -AIRBORNE_M:
            place = output["position"] - output["true_position"]
            rows.append(np.concatenate((place, output["velocity"] - output["true_velocity"])))
    assert not output["crashed"]
    return np.array(rows)
