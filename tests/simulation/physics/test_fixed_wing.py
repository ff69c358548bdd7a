"""The aeroplane's forces against the textbook written down a second time, with numpy."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.physics.fixed_wing import (
    add_airframe,
    propeller,
)
from simulation.physics.propulsion import motor_current
from simulation.physics.rigid_body import derivative
from simulation.physics.servos import move_servos
from simulation.records.flight import (
    ELEVATOR,
    LEFT_AILERON,
    MOTION,
    RATES,
    RIGHT_AILERON,
    ROTOR,
    STATE,
    SURFACES,
)
from tests.simulation.physics.wing_textbook import RHO, airframe


@pytest.fixture
def sea_vixen() -> Any:
    return load_aircraft("sea-vixen").parameters


@pytest.fixture
def state() -> Any:
    state = np.zeros(1, STATE)[0]
    state["air_density_ratio"] = 1.0
    return state


@pytest.mark.parametrize(
    ("air", "rates"),
    [
        ((14.0, 0.0, 1.0), (0.0, 0.0, 0.0)),
        ((10.0, 1.5, 2.6), (1.0, -0.5, 0.3)),  # at the stall
        ((10.0, -0.5, 2.4), (-1.5, 0.0, 0.0)),  # one half stalls
        ((4.0, -2.0, 7.0), (-2.0, 3.0, 1.0)),  # falling flat
        ((0.0, 9.0, 0.0), (0.0, 0.0, 0.0)),  # sideways
        ((20.0, 0.0, -3.0), (0.0, 2.0, 0.0)),
        ((-3.0, 0.5, 1.0), (0.0, 0.0, 0.0)),  # backwards
    ],
)
def test_forces_are_the_textbook_ones(
    sea_vixen: Any, state: Any, air: tuple[float, ...], rates: tuple[float, ...]
) -> None:
    wrench = np.zeros(6)
    state["surface"][ELEVATOR] = -0.1
    state["surface"][LEFT_AILERON], state["surface"][RIGHT_AILERON] = 0.2, -0.1
    add_airframe(sea_vixen, state, (*air, *rates), 0.0, wrench)
    expected = airframe(np.array(air), np.array(rates), -0.1, 0.15)
    assert wrench == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_still_air_pushes_nobody(sea_vixen: Any, state: Any) -> None:
    wrench = np.zeros(6)
    add_airframe(sea_vixen, state, (0.0,) * 6, 5.0, wrench)
    assert not wrench.any()


@pytest.mark.parametrize(("speed", "inflow"), [(900.0, 0.0), (1500.0, 14.0), (1800.0, 24.0)])
def test_propeller_is_its_quadratics(sea_vixen: Any, speed: float, inflow: float) -> None:
    n = speed / (2 * math.pi)
    j = inflow / (n * 0.1524)
    force, torque = propeller(sea_vixen, speed, inflow, RHO)
    assert force == pytest.approx(RHO * n**2 * 0.1524**4 * (0.1 - 0.1 * j - 0.06 * j**2))
    assert torque == pytest.approx(RHO * n**2 * 0.1524**5 * (0.0075 - 0.004 * j - 0.006 * j**2))


def test_a_standing_propeller_brakes(sea_vixen: Any) -> None:
    force, torque = propeller(sea_vixen, 0.0, 14.0, RHO)
    assert force < 0.0
    assert torque < 0.0  # the air would turn it


def test_motor_is_a_plain_direct_current_motor(sea_vixen: Any) -> None:
    """I = (U - W / KV) / R, and no current from a motor that overtakes its voltage."""
    per_volt = 2000 * 2 * math.pi / 60
    assert motor_current(sea_vixen, 8.0, 1200.0) == pytest.approx((8.0 - 1200.0 / per_volt) / 0.09)
    assert motor_current(sea_vixen, 2.0, 1200.0) == 0.0


def test_product_of_inertia_couples_roll_and_yaw(sea_vixen: Any, state: Any) -> None:
    """J w' = M - w x J w with the full matrix, solved by numpy."""
    p = sea_vixen.copy()
    p["lift"] = p["pitching"] = p["drag"] = 0.0
    p["lateral"] = p["propeller_c_t"] = p["propeller_c_q"] = 0.0
    state["contact_moment"] = (0.3, -0.2, 0.1)
    motion, change = np.zeros(MOTION), np.zeros(MOTION)
    motion[6] = 1.0
    motion[RATES : RATES + 3] = rates = np.array([2.0, -1.0, 3.0])
    derivative(p, state, motion, change, np.zeros(6))
    x, y, z = p["inertia"]
    matrix = np.array([[x, 0, -0.0005], [0, y, 0], [-0.0005, 0, z]])
    momentum = matrix @ rates
    expected = np.linalg.solve(matrix, np.array([0.3, -0.2, 0.1]) - np.cross(rates, momentum))
    assert change[RATES : RATES + 3] == pytest.approx(expected, rel=1e-12)


def test_propeller_turns_the_aircraft_the_other_way(sea_vixen: Any, state: Any) -> None:
    motion, change = np.zeros(MOTION), np.zeros(MOTION)
    motion[6] = 1.0
    motion[ROTOR] = 1000.0
    state["voltage"][0] = 8.0
    derivative(sea_vixen, state, motion, change, np.zeros(6))
    assert change[RATES] < 0.0
    assert change[ROTOR] > 0.0
    before = change[RATES + 2]
    motion[RATES + 1] = 1.0  # pitching up, a right-turning propeller yaws the nose right
    derivative(sea_vixen, state, motion, change, np.zeros(6))
    assert change[RATES + 2] - before == pytest.approx(8e-6 * 1000.0 / 0.0288, rel=0.01)


def test_servos_have_limits_a_rate_and_a_lag(sea_vixen: Any, state: Any) -> None:
    output = {"actuator_command": np.full(12, 3000.0)}
    for _ in range(10):
        move_servos(sea_vixen, state, output, 0.001)
    assert state["surface"][ELEVATOR] == pytest.approx(math.radians(-3.5), rel=1e-6)
    for _ in range(1000):
        move_servos(sea_vixen, state, output, 0.001)
    assert np.degrees(state["surface"]).tolist() == pytest.approx([-25.0, 22.0, -22.0])
    output["actuator_command"][:] = 0.0  # no pulse
    move_servos(sea_vixen, state, output, 0.001)
    assert np.degrees(state["surface"]).tolist() == pytest.approx([-25.0, 22.0, -22.0])
    assert len(state["surface"]) == SURFACES
