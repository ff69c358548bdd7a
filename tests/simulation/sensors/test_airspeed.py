"""The airspeed sensor against the truth."""

import numpy as np
import pytest

from simulation.simulator import controls
from tests.simulation.aeroplanes import cruising, held
from tests.simulation.flights import parked


def pressures(wind_mps: float, count: int = 1500) -> np.ndarray:
    """Samples in the hand, in this wind from ahead."""
    simulator = held()
    simulator.set_wind(-wind_mps, 0.0)
    rows = []
    for _ in range(count):
        simulator.advance(20)
        rows.append(float(simulator.output["airspeed_pressure_pa"]))
    return np.array(rows)


def test_noise_and_offset_are_those_of_the_file() -> None:
    still = pressures(0.0)
    assert np.diff(still).std() / np.sqrt(2.0) == pytest.approx(1.5, rel=0.07)
    assert abs(still.mean()) < 3.0 * np.hypot(1.5, 1.0)


def test_reads_half_rho_v_squared_of_what_comes_from_ahead() -> None:
    simulator = cruising()
    output = simulator.output
    samples = []
    for _ in range(200):
        simulator.advance(20)
        samples.append(float(output["airspeed_pressure_pa"]))
    speed = float(np.linalg.norm(output["true_velocity"] - output["true_wind"]))
    density = 1.225 * float(simulator.record["state"]["air_density_ratio"])
    assert np.mean(samples) == pytest.approx(0.5 * density * speed**2, rel=0.06)


def test_wind_from_behind_reads_nothing() -> None:
    assert abs(pressures(-8.0, 200).mean() - pressures(0.0, 200).mean()) < 0.5


def test_falls_silent_when_lost_and_where_there_is_none() -> None:
    simulator = held()
    controls.apply(simulator, "airspeed_dropout", 1.0)
    simulator.advance(200)
    assert simulator.output["airspeed_count"] == 0
    copter = parked()
    copter.advance(200)
    assert copter.output["airspeed_count"] == 0
