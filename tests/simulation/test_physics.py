"""The laws of motion, without control: nothing here is armed."""

import math

import numpy as np
import pytest

from simulation.environment.atmosphere import density
from simulation.environment.earth import GRAVITY
from simulation.physics import rigid_body
from simulation.physics.contact import apply_ground
from simulation.records.flight import ATTITUDE, RATES
from tests.simulation.flights import in_even_gravity, parked, thrown


def test_falls_freely_without_air() -> None:
    simulator = thrown(in_even_gravity(parked()), 200.0)
    simulator.record["parameters"]["drag_force"] = 0.0
    simulator.advance(1000)
    assert simulator.output["true_velocity"][2] == pytest.approx(GRAVITY, rel=1e-9)
    assert simulator.output["true_position"][2] == pytest.approx(-200.0 + GRAVITY / 2, rel=1e-9)


def test_falls_no_faster_than_drag_allows() -> None:
    simulator = thrown(parked(), 500.0)
    simulator.advance(20_000)
    altitude = float(simulator.output["true_altitude_m"])
    parameters = simulator.record["parameters"]
    drag = parameters["drag_force"][2] * density(altitude) / 1.225
    expected = math.sqrt(parameters["mass"] * GRAVITY / drag)
    assert simulator.output["true_velocity"][2] == pytest.approx(expected, rel=0.01)


def test_tumbling_keeps_angular_momentum_and_energy() -> None:
    simulator = thrown(parked(), 500.0, rates=(6.0, 0.2, 3.0))
    parameters = simulator.record["parameters"]
    parameters["drag_moment"] = parameters["drag_force"] = 0.0
    parameters["inertia"] = (0.02, 0.03, 0.04)
    motion = simulator.record["state"]["motion"]

    def momentum_and_energy() -> tuple[np.ndarray, float]:
        w, x, y, z = motion[ATTITUDE : ATTITUDE + 4]
        body = parameters["inertia"] * motion[RATES : RATES + 3]
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        return turn @ body, float(body @ motion[RATES : RATES + 3]) / 2

    before, energy = momentum_and_energy()
    simulator.advance(3000)
    after, energy_after = momentum_and_energy()
    assert after == pytest.approx(before, abs=1e-9)
    assert energy_after == pytest.approx(energy, rel=1e-9)


def test_rests_on_the_ground_without_creeping() -> None:
    simulator = parked()
    simulator.set_wind(6.0, 3.0)
    simulator.advance(3000)
    before = simulator.output["true_position"].copy()
    simulator.advance(10_000)
    assert np.abs(simulator.output["true_position"] - before).max() < 1e-9
    assert np.abs(simulator.output["true_velocity"]).max() < 1e-9
    assert simulator.output["touches_ground"] == 1


def test_the_farthest_tip_stops_at_the_ground_however_long_it_is() -> None:
    """Banked by 80 degrees an arm of 5 m touches while the centre is still 4.9 m up."""
    simulator = thrown(parked(), 5.5, roll_deg=80.0)
    parameters = simulator.record["parameters"]
    parameters["point"][4:8] = 0.0
    parameters["point"][4] = (0.0, 5.0, 0.0)
    parameters["contact_reach"] = 5.0
    while simulator.output["touches_ground"] == 0:
        simulator.advance(1)
    down = float(simulator.output["true_position"][2])
    assert -down == pytest.approx(5.0 * math.sin(math.radians(80.0)), abs=0.02)


def test_slides_where_friction_cannot_hold_it() -> None:
    simulator = parked()
    simulator.record["parameters"]["friction"] = 0.01
    simulator.set_wind(6.0, 3.0)
    simulator.advance(5000)
    assert simulator.output["true_position"][0] > 0.1


def test_a_soft_drop_is_survived_and_a_hard_one_is_not() -> None:
    soft, hard = thrown(parked(), 0.4), thrown(parked(), 2.0)
    soft.advance(2000)
    hard.advance(2000)
    assert soft.output["crashed"] == 0
    assert hard.output["crashed"] == 1


def test_lying_on_its_back_is_a_crash() -> None:
    simulator = thrown(parked(), 0.2, roll_deg=180.0)
    simulator.advance(2000)
    assert simulator.output["crashed"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dt", "steps", "is_stable"), [(0.001, 2800, True), (0.004, 700, True), (0.05, 12, False)]
)
def test_contact_is_stable_up_to_4_ms(
    monkeypatch: pytest.MonkeyPatch, dt: float, steps: int, is_stable: bool
) -> None:
    """simulation.md 3.2 f: at rest without creep under a side wind."""
    monkeypatch.setattr(rigid_body, "STEP_S", dt)
    simulator = parked()
    flight = simulator.record
    p, s, o, scratch = (flight[part] for part in ("parameters", "state", "output", "scratch"))
    s["air_density_ratio"] = 1.0
    s["wind"][1] = 4.0
    start = s["motion"][:3].copy()
    for _ in range(steps):
        apply_ground(p, s, o)
        rigid_body.integrate(p, s, scratch)
    speed = float(np.abs(s["motion"][3:6]).max())
    moved = float(np.abs(s["motion"][:3] - start).max())
    assert (speed < 1e-6 and moved < 0.01) is is_stable
