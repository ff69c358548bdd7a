"""The notebooks under examples/simulation run, and find what a calculation by hand says."""

import runpy
from typing import Any

import numpy as np
import pytest

from simulation.environment.earth import GRAVITY
from tests.test_house_rules import ROOT

FOLDER = ROOT / "examples" / "simulation"

pytestmark = pytest.mark.slow


def run(name: str) -> dict[str, Any]:
    """What the names of an example stand for after it has run."""
    return runpy.run_path(str(FOLDER / f"{name}.py"))


def test_a_flight_as_a_table() -> None:
    """It falls g t^2 / 2 less what drag takes: terminal speed is above 10 m/s, so less than a
    fifth of it; the trapezoids of its speed have an error of g dt^2 t / 12, and the first
    millisecond is not among the rows."""
    found = run("flight_as_table")
    flight = found["flight"]
    assert flight.index.to_numpy() == pytest.approx([i / 1000.0 for i in range(1, 1001)])
    assert 0.8 * GRAVITY / 2.0 < found["fallen_m"] < GRAVITY / 2.0
    assert found["fallen_m"] == pytest.approx(found["added_up_m"], abs=1e-6)
    assert flight["true_specific_force_z_mps2"].iloc[0] == pytest.approx(0.0, abs=1e-3)
    assert found["size_bytes"] > 1000 * 8


def test_a_fleet_of_unequal_aircraft() -> None:
    """Equal pulses give equal thrust, whatever the mass, but for the inflow of those that climb
    faster; the masses' deviation is within four standard errors of 5 %."""
    found = run("varied_fleet")
    mass, thrust, climb = found["mass_kg"], found["thrust_n"], found["climb_mps"]
    assert thrust == pytest.approx(thrust.mean(), rel=0.02)
    assert np.corrcoef(mass, climb)[0, 1] < -0.99
    assert np.corrcoef(thrust, climb)[0, 1] < 0.0
    assert 0.05 * (1 - 4 / 80**0.5) < mass.std() / mass.mean() < 0.05 * (1 + 4 / 80**0.5)
    gains = found["fleet"].records["settings"]["rate_pid"][:, 0, 0]
    assert (gains[0], gains[-1]) == pytest.approx((0.002, 0.004))
