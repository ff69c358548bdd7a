"""Motor and propeller against formulas written down a second time, with numpy."""

import math
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.performance import hover, steady_speed
from simulation.physics.propulsion import (
    ground_effect,
    is_in_vortex_ring,
    motor_current,
    motor_torque,
    static_torque,
    supply_current,
    thrust,
)
from simulation.physics.rigid_body import derivative
from simulation.records.flight import (
    ATTITUDE,
    MOTION,
    MOTOR_DC,
    MOTOR_LAG,
    MOTOR_LAG_ROOT,
    PARAMETERS,
    RATES,
    ROTOR,
    STATE,
    VELOCITY,
)
from tests.simulation.flights import parked, settle_wake, thrown

_TUNNEL = {"alpha": 1.538e-5, "beta": 0.0, "c_t1": -2.5224e-4, "c_t2": 1.3077e-2}


def _curve(inflow: float, speed: float, branch: float) -> float:
    """Seed 001, eq. 8: C_T(J) W^2 with J = v1 / W; `branch` is the sign of C_T2's term."""
    j = inflow / speed
    polynomial = np.polynomial.Polynomial([1.538e-5, -2.5224e-4, branch * 1.3077e-2])
    return float(polynomial(j)) * speed**2


@pytest.mark.parametrize("inflow", [-8.0, -3.0, -0.5, 0.0, 0.5, 8.0])
def test_thrust_is_the_wind_tunnel_polynomial(inflow: float) -> None:
    expected = _curve(inflow, 500.0, -1.0 if inflow > 0 else 1.0)
    assert thrust(_TUNNEL, 500.0, inflow, 1.0) == pytest.approx(expected, rel=1e-12)


def test_without_the_sign_branch_falling_would_cost_thrust() -> None:
    wrong = _curve(-8.0, 500.0, -1.0)
    assert wrong != pytest.approx(thrust(_TUNNEL, 500.0, -8.0, 1.0), rel=1e-2)
    assert thrust(_TUNNEL, 500.0, -8.0, 1.0) > thrust(_TUNNEL, 500.0, 0.0, 1.0)


def test_thrust_is_the_curve_of_the_bench_and_scales_with_density() -> None:
    """Seed 000, eq. 13: F = alpha n^2 + beta n."""
    p = {"alpha": 3e-5, "beta": 4e-4, "c_t1": 0.0, "c_t2": 0.0}
    assert thrust(p, 300.0, 5.0, 1.0) == pytest.approx(np.polyval([3e-5, 4e-4, 0.0], 300.0))
    assert thrust(p, 300.0, 0.0, 0.8) == pytest.approx(0.8 * thrust(p, 300.0, 0.0, 1.0))


def test_thrust_never_pulls() -> None:
    assert thrust(_TUNNEL, 50.0, 30.0, 1.0) == 0.0


def test_torque_is_thrust_plus_friction_and_never_free() -> None:
    p = {"k_t": 0.0158, "gamma": 1.6e-5}
    assert static_torque(p, 3.0, 300.0) == pytest.approx(0.0158 * 3.0 + 1.6e-5 * 300.0)
    only_gamma = {"k_t": 0.0, "gamma": 1.8e-4}
    assert static_torque(only_gamma, 3.0, 300.0) == pytest.approx(1.8e-4 * 300.0)
    fitted_in_flight = {"k_t": 0.0153, "gamma": -7.0e-5}
    assert static_torque(fitted_in_flight, 0.15, 100.0) > 0.0


def test_hector_hovers_where_its_authors_found_it() -> None:
    """485.2 rad/s, 3.621 N, 0.0215 Nm, 2.97 A at 7.03 V per rotor, 84 W; 789 rad/s at 14.8 V."""
    p = load_aircraft("hector-seed").parameters
    point = hover(p)
    assert point.speed_radps == pytest.approx(485.2, rel=5e-4)
    assert point.thrust_n == pytest.approx(3.621, rel=5e-4)
    assert point.torque_nm == pytest.approx(0.0215, rel=2e-3)
    assert point.voltage_v == pytest.approx(7.03, rel=1e-3)
    assert motor_current(p, point.voltage_v, point.speed_radps) == pytest.approx(2.97, rel=2e-3)
    assert point.power_w == pytest.approx(84.0, rel=5e-3)
    assert steady_speed(p, 14.8) == pytest.approx(789.0, rel=1e-3)


def test_dc_motor_is_the_solution_of_its_circuit() -> None:
    """I^2 - 2 t I - U alpha / R = 0, and with alpha = 0, beta = 1 Ohm's law without braking."""
    p = load_aircraft("hector-seed").parameters
    for voltage, speed in [(3.0, 100.0), (10.0, 500.0), (2.0, 700.0)]:
        t = (voltage * p["beta_m"] - p["psi"] * speed) / (2 * p["resistance"])
        roots = np.roots([1.0, -2.0 * t, -voltage * p["alpha_m"] / p["resistance"]])
        assert motor_current(p, voltage, speed) == pytest.approx(float(roots.max()), rel=1e-9)
    plain = {"psi": 0.02, "resistance": 0.4, "alpha_m": 0.0, "beta_m": 1.0}
    assert motor_current(plain, 10.0, 300.0) == pytest.approx((10.0 - 6.0) / 0.4)
    assert motor_current(plain, 5.0, 300.0) == 0.0


def _lagging(model: int) -> Any:
    p = np.zeros(1, PARAMETERS)[0]
    p["motor_model"] = model
    p["motor_tau"] = (0.0125, 0.025)
    p["full_speed"], p["full_voltage"] = 800.0, 12.0
    p["rotor_inertia"], p["efficiency"] = 1e-5, 0.8
    return p


@pytest.mark.parametrize(
    ("model", "wish"), [(MOTOR_LAG, 400.0), (MOTOR_LAG_ROOT, 800.0 * math.sqrt(0.5))]
)
def test_lagging_motor_approaches_its_speed_with_two_time_constants(
    model: int, wish: float
) -> None:
    p = _lagging(model)
    load = 0.01
    for speed, tau in [(wish - 50.0, 0.0125), (wish + 50.0, 0.025)]:
        torque = motor_torque(p, 6.0, speed, load)
        acceleration = (torque - load) / p["rotor_inertia"]
        assert acceleration == pytest.approx((wish - speed) / tau)
    assert motor_torque(p, 6.0, wish, load) == pytest.approx(load)


def test_lagging_motor_takes_its_power_from_the_battery() -> None:
    p, s = _lagging(MOTOR_LAG), np.zeros(1, STATE)[0]
    s["motor_torque"] = 0.02
    current = supply_current(p, s, (0, 400.0), 1.0 / 11.0)
    assert current == pytest.approx(0.02 * 400.0 / (0.8 * 11.0))
    s["motor_torque"] = -0.02
    assert supply_current(p, s, (0, 400.0), 1.0 / 11.0) == 0.0


def _still(p: Any) -> tuple[Any, Any]:
    """A state in still air of sea level and its motion: level, rotors at 400 rad/s."""
    s = np.zeros(1, STATE)[0]
    s["air_density_ratio"] = 1.0
    s["motion"][ATTITUDE] = 1.0
    s["motion"][2] = -100.0
    s["motion"][ROTOR : ROTOR + int(p["rotor_count"])] = 400.0
    return s, s["motion"]


def _wrench(p: Any, s: Any, x: Any) -> tuple[Any, Any]:
    slope, wrench = np.zeros(MOTION), np.zeros(6)
    settle_wake(p, s)
    s["thrust_gain"] = (1.0 + s["thrust_gain"]) / (1.0 + s["buffet"]) - 1.0  # nothing wanders
    derivative(p, s, x, slope, wrench)
    return slope, wrench


def _bare(name: str) -> Any:
    p = load_aircraft(name).parameters.copy()
    p["drag_force"] = p["drag_moment"] = p["k_d"] = p["flapping"] = 0.0
    return p


def test_drag_of_the_discs_acts_at_the_hubs() -> None:
    """H = -k_d W v_perp with v_perp at each hub, and its moment r x H."""
    p = _bare("ar100b")
    p["k_d"] = 2e-5
    s, x = _still(p)
    x[VELOCITY : VELOCITY + 3] = (3.0, -2.0, 0.0)
    x[RATES : RATES + 3] = (0.4, -0.3, 0.7)
    _, with_drag = _wrench(p, s, x)
    p["k_d"] = 0.0
    _, without = _wrench(p, s, x)
    expected = np.zeros(6)
    for arm in p["rotor_position"][:4]:
        air = np.array([3.0, -2.0, 0.0]) + np.cross([0.4, -0.3, 0.7], arm)
        force = -2e-5 * 400.0 * np.array([air[0], air[1], 0.0])
        expected += np.concatenate((force, np.cross(arm, force)))
    assert with_drag - without == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_a_flapping_disc_tilts_its_thrust_back_and_turns_its_hub() -> None:
    """By hand: at 6 m/s and 400 rad/s V / (W R) is 0.0789, so 0.3 of it is 1.36 degrees; 22.3 N
    then push back by 0.527 N, 5 cm above the centre of mass, and hubs of 2 Nm/rad lift the nose."""
    p = _bare("ar100b")
    s, x = _still(p)
    x[VELOCITY] = 6.0
    _, rigid = _wrench(p, s, x)
    p["flapping"], p["flap_stiffness"] = 0.3, 2.0
    _, wrench = _wrench(p, s, x)
    back = -rigid[2] * 0.3 * 6.0 / (400.0 * 0.19)
    assert -rigid[2] == pytest.approx(22.3, abs=0.2)
    assert wrench[0] == pytest.approx(-back, rel=1e-9)
    assert back == pytest.approx(0.527, abs=0.01)
    nose_up = 0.05 * back + 4 * 2.0 * 0.3 * 6.0 / (400.0 * 0.19)
    assert wrench[4] - rigid[4] == pytest.approx(nose_up, rel=1e-9)
    assert wrench[2] == rigid[2]


def test_inflow_is_what_each_hub_meets_in_the_moving_air() -> None:
    """Climbing, rolling and a vertical wind all change v1."""
    p = _bare("ar100b")
    p["ground_effect"] = 0.0  # 100 m up it is 2e-7
    s, x = _still(p)
    s["wind"][2] = 1.5  # the air sinks
    x[VELOCITY + 2] = -2.0
    x[RATES] = 3.0
    _, wrench = _wrench(p, s, x)
    forces = []
    for arm in p["rotor_position"][:4]:
        hub = np.array([0.0, 0.0, -2.0 - 1.5]) + np.cross([3.0, 0.0, 0.0], arm)
        forces.append(thrust(p, 400.0, -hub[2], 1.0))
    assert wrench[2] == pytest.approx(-sum(forces), rel=1e-12)
    roll = -sum(float(arm[1]) * f for arm, f in zip(p["rotor_position"], forces, strict=False))
    assert wrench[3] == pytest.approx(roll, rel=1e-9)
    assert wrench[3] < 0.0, "the side that rolls down meets more air from below and lifts more"


def test_the_motors_react_on_the_body_once() -> None:
    """Momentum about the yaw axis is kept: body gains what rotors and propeller torque take."""
    p = _bare("ar100b")
    s, x = _still(p)
    s["voltage"][:4] = (11.0, 3.0, 10.0, 5.0)
    x[ROTOR : ROTOR + 4] = (300.0, 280.0, 320.0, 290.0)
    slope, wrench = _wrench(p, s, x)
    spins = p["rotor_spin"][:4]
    spun_up = float(p["rotor_inertia"] * (spins @ slope[ROTOR : ROTOR + 4]))
    on_air = sum(
        float(spin) * static_torque(p, thrust(p, float(w), 0.0, 1.0), float(w))
        for spin, w in zip(spins, x[ROTOR:], strict=False)
    )
    assert wrench[5] == pytest.approx(-(spun_up + on_air), rel=1e-12)
    assert abs(spun_up) > 0.1 * abs(on_air), "the acceleration's share must be visible here"


def test_gyroscopic_moment_turns_roll_into_pitch() -> None:
    """-w x H with H along z: rolling right with rotors clockwise from above lifts no nose."""
    p = _bare("ar100b")
    p["rotor_spin"] = 1.0
    p["c_t1"] = 0.0
    s, x = _still(p)
    x[RATES] = 2.0
    _, wrench = _wrench(p, s, x)
    spun = np.array([0.0, 0.0, 4 * p["rotor_inertia"] * 400.0])
    assert wrench[3:5] == pytest.approx(-np.cross([2.0, 0.0, 0.0], spun)[:2], rel=1e-9)


def test_ground_effect_is_that_of_half_a_radius_where_nothing_was_measured() -> None:
    """A quarter of the induced velocity is the most; a file may say another k."""
    p = {"ground_effect": 1.0, "rotor_radius": 0.1}
    assert ground_effect(p, 0.05) == ground_effect(p, -1.0) == pytest.approx(1 / 4)
    p["ground_effect"] = 2.0
    assert ground_effect(p, 0.1) == pytest.approx(2.0 / 16.0, rel=1e-12)


def test_ground_effect_lifts_near_the_ground_only_and_not_upside_down() -> None:
    p = _bare("crazyflie")
    s, x = _still(p)
    x[ROTOR : ROTOR + 4] = 1500.0
    far = _wrench(p, s, x)[1][2]
    x[2] = -0.05
    near = _wrench(p, s, x)[1][2]
    x[ATTITUDE : ATTITUDE + 2] = (0.0, 1.0)
    upside_down = _wrench(p, s, x)[1][2]
    assert near == pytest.approx(far / (1.0 - (p["rotor_radius"] / 0.2) ** 2), rel=1e-6)
    assert upside_down == pytest.approx(far, rel=1e-3)


@pytest.mark.parametrize(
    ("sink", "sideways", "told"),
    [(1.0, 0.0, True), (0.2, 0.0, False), (3.0, 0.0, False), (1.0, 1.5, False), (-1.0, 0.0, False)],
)
def test_vortex_ring_is_told_while_sinking_into_the_wake(
    sink: float, sideways: float, told: bool
) -> None:
    """In units of the hover's induced velocity sqrt(T / (2 rho A))."""
    p = load_aircraft("ar100b").parameters
    s, x = _still(p)
    force = thrust(p, 400.0, 0.0, 1.0)
    induced = math.sqrt(force / (2 * 1.225 * math.pi * p["rotor_radius"] ** 2))
    air = (sideways * induced, 0.0, sink * induced)
    assert is_in_vortex_ring(p, s, x[ROTOR:MOTION], air) is told


def test_vortex_ring_is_shown_in_flight() -> None:
    simulator = thrown(parked(), 200.0, velocity=(0.0, 0.0, 5.0))
    simulator.record["state"]["motion"][ROTOR : ROTOR + 4] = 300.0
    simulator.advance(1)
    assert simulator.output["vortex_ring"] == 1


def _sinking(mps: float, seed: int) -> Any:
    """The lift of the rotors in m/s2, sample by sample, while an AR100B sinks steadily."""
    simulator = parked(seed)
    simulator.record["parameters"]["drag_force"] = 0.0
    state, felt = simulator.record["state"], []
    simulator.advance(1)
    for _ in range(60):
        thrown(simulator, 200.0, velocity=(0.0, 0.0, mps))
        state["motion"][ROTOR : ROTOR + 4] = 300.0
        simulator.advance(20)
        felt.append(-float(state["specific_force"][2]))
    return np.array(felt[10:])


def test_vortex_ring_is_felt_as_wandering_lift_that_repeats() -> None:
    """Four rotors that wander by 8 % each make 4 %; without a ring nothing wanders."""
    hovering, ring = _sinking(0.0, 1), _sinking(3.4, 1)
    assert np.std(hovering) < 0.001 * np.mean(hovering)
    assert 0.02 < np.std(ring) / np.mean(ring) < 0.06
    assert (ring == _sinking(3.4, 1)).all()
    assert (ring != _sinking(3.4, 2)).any()


def test_motor_models_are_told_apart_by_their_numbers() -> None:
    assert load_aircraft("hector").parameters["motor_model"] == MOTOR_DC
    assert load_aircraft("crazyflie").parameters["motor_model"] == MOTOR_LAG
