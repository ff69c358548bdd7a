"""The notebooks under examples/simulation run, and find what a calculation by hand says."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.environment.earth import GRAVITY
from simulation.sil.target import build_library
from simulation.simulator.external_force import library_force
from tests.simulation.flights import parked, thrown
from tests.simulation.sil.flying import needs_compiler
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


def test_a_load_on_a_rope() -> None:
    """The period of a pendulum between two free masses, of 4 degrees (larger by their square over
    16, 0.03 %); RK4 keeps the energy; below an aircraft that hovers, rotors carry both weights."""
    found = run("slung_load")
    assert found["free_s"] == pytest.approx(found["by_hand_s"] * (1.0 + 0.07**2 / 16), rel=1e-4)
    assert abs(found["gained_j"]) < 1e-8 * found["swing_j"]
    assert found["wall_s"] > 1.05 * found["by_hand_s"]  # another length or mass would show
    flight = found["flight"]
    p, output = flight.record["parameters"], flight.output
    speeds, ratio = output["rotor_speed"][:4], output["true_air_density_ratio"]
    thrust = float(ratio * sum(w * (p["alpha"] * w + p["beta"]) for w in speeds))
    assert thrust == pytest.approx(found["weight_n"], rel=0.02)
    assert found["loaded"] > found["unloaded"] * 1.05


def test_aerodynamics_of_ones_own() -> None:
    found = run("custom_aerodynamics")
    by_hand = found["glide_speed_mps"](found["density"])
    assert found["flown_mps"] == pytest.approx(by_hand, rel=2e-3)
    assert found["flown_glide"] == pytest.approx(found["glide"], rel=5e-3)
    assert abs(found["glider"].output["true_rates"]).max() < 0.2


def test_a_table_as_a_force() -> None:
    """The table's straight lines are above the parabola by at most an eighth of its curvature."""
    found = run("parachute")
    assert found["sinks_mps"] == pytest.approx(found["by_hand_mps"], rel=1e-3)


def test_below_another_one() -> None:
    found = run("downwash")
    upper, lower, beside = found["upper"], found["lower"], found["beside"]
    assert lower["true_wind"][2] == pytest.approx(found["jet_mps"], rel=0.01)
    by_hand = [found["thrust_n"](lower, found["jet_mps"]), found["thrust_n"](beside, 0.0)]
    assert found["felt_n"][1:] == pytest.approx(by_hand, rel=0.01)
    assert found["felt_n"][1] < 0.9 * found["felt_n"][2]  # who is beside feels nothing of it
    assert abs(beside["true_wind"]).max() < 1e-6
    assert not upper["true_wind"].any()


@needs_compiler
def test_a_tether_in_c(tmp_path: Path) -> None:
    """Five metres above the post and at rest it is pulled down by k (5 - L), and by nothing below
    its length: what an accelerometer feels of it, with the rotors and the air still."""
    force = library_force(build_library(FOLDER / "tether.c", tmp_path))
    length, stiffness = force.constants[:2]
    for height, pull in ((5.0, stiffness * (5.0 - length)), (1.0, 0.0)):
        simulator = thrown(parked(), height)
        simulator.act_with(force)
        simulator.advance(1)
        mass = float(simulator.record["parameters"]["mass"])
        felt = simulator.output["true_specific_force"] * mass
        assert felt == pytest.approx((0.0, 0.0, pull), abs=1e-9)
