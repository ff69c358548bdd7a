"""What servos move: a tricopter's tail rotor, elevons, a V-tail; and the lower rotor's wake."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.performance import rotor_in_calm, rotor_in_flow
from simulation.files.parameter_file import ParameterError
from simulation.physics.rigid_body import derivative
from simulation.physics.rotor_wake import IN_WAKE, hover_velocity
from simulation.physics.servos import move_servos
from simulation.records.flight import (
    ATTITUDE,
    ELEVATOR,
    LEFT_AILERON,
    MOTION,
    RIGHT_AILERON,
    ROTOR,
    STATE,
    VELOCITY,
)
from tests.simulation.flights import settle_wake

SPEED = 300.0
TAIL = 2


def state_of() -> Any:
    state: Any = np.zeros(1, STATE)[0]
    state["air_density_ratio"] = 1.0
    return state


def wrench_of(p: Any, state: Any, ahead_mps: float = 0.0) -> Any:
    motion, wrench = np.zeros(MOTION), np.zeros(6)
    motion[ATTITUDE], motion[VELOCITY] = 1.0, ahead_mps
    motion[ROTOR : ROTOR + int(p["rotor_count"])] = SPEED
    derivative(p, state, motion, np.zeros(MOTION), wrench)
    return wrench


def test_a_tilted_tail_pulls_sideways_and_turns_the_nose_the_other_way() -> None:
    """T sin t to the right at 0.36 m behind, T cos t up; its torque leans with it."""
    p = load_aircraft("tricopter").parameters
    upright, leaning = state_of(), state_of()
    leaning["servo"][0] = angle = math.radians(20.0)
    change = wrench_of(p, leaning) - wrench_of(p, upright)
    force = float(p["alpha"] * SPEED**2 + p["beta"] * SPEED)
    assert change[1] == pytest.approx(force * math.sin(angle))
    assert change[2] == pytest.approx(force * (1.0 - math.cos(angle)))
    reaction = leaning["motor_torque"][TAIL]
    assert change[5] == pytest.approx(
        -0.36 * force * math.sin(angle) + reaction * (1.0 - math.cos(angle))
    )


def test_a_tail_that_is_turned_resists_as_a_gyroscope() -> None:
    """-w x H with H = J W down (it turns clockwise) and w = t' ahead: J W t' about y."""
    p = load_aircraft("tricopter").parameters
    still, turning = state_of(), state_of()
    turning["servo_speed"][0] = rate = 2.0
    change = wrench_of(p, turning) - wrench_of(p, still)
    assert change[4] == pytest.approx(p["rotor_inertia"] * SPEED * rate)
    assert change[[0, 1, 2, 3, 5]] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("name", "pulses", "expected"),
    [
        ("skywalker-x8", {0: 2000.0, 1: 1000.0}, (30.0, 30.0, 30.0, 0.0)),
        ("skywalker-x8", {0: 2000.0, 1: 2000.0}, (0.0, 30.0, -30.0, 0.0)),
        ("electric-aerosonde", {3: 2000.0, 4: 1000.0}, (22.5, 0.0, 0.0, 0.0)),
        ("electric-aerosonde", {3: 2000.0, 4: 2000.0}, (0.0, 0.0, 0.0, 22.5)),
    ],
)
def test_two_panels_are_both_surfaces(
    name: str, pulses: dict[int, float], expected: tuple[float, ...]
) -> None:
    """Elevator and aileron of elevons, elevator and rudder of a V-tail: the half sum, and the half
    difference (Beard & McLain 4.3)."""
    p, state = load_aircraft(name).parameters, state_of()
    outputs = np.full(12, 1500.0)
    outputs[list(pulses)] = list(pulses.values())
    for _ in range(60):
        move_servos(p, state, {"actuator_command": outputs}, 0.01)
    surface = state["surface"]
    found = (surface[ELEVATOR], surface[LEFT_AILERON], surface[RIGHT_AILERON], state["rudder"])
    assert np.degrees(found) == pytest.approx(expected, abs=1e-6)


def test_a_rudder_does_what_its_derivatives_say() -> None:
    """q S (C_Y, b C_l, b C_n) times the deflection, linear in it."""
    p = load_aircraft("electric-aerosonde").parameters
    state, deflected = state_of(), state_of()
    deflected["rudder"] = angle = 0.1
    change = wrench_of(p, deflected, 25.0) - wrench_of(p, state, 25.0)
    push = 0.5 * 1.225 * 25.0**2 * 0.55
    assert change[1] == pytest.approx(push * 0.19 * angle)
    assert change[5] == pytest.approx(push * 2.8956 * -0.069 * angle, rel=1e-3)


def test_the_lower_rotor_of_a_pair_takes_what_leishman_and_syal_say() -> None:
    """Equal thrusts: u (u + 0.922) = 1 and (1 + 0.922 + u) / 2 = 1.281 times the induced power."""
    u = -IN_WAKE / 2.0 + math.sqrt(IN_WAKE**2 / 4.0 + 1.0)
    assert (1.0 + IN_WAKE + u) / 2.0 == pytest.approx(1.281, abs=5e-4)


@pytest.mark.parametrize(("name", "is_paired"), [("y6", True), ("ar100x6", False)])
def test_only_what_stands_below_another_works_in_its_wake(name: str, is_paired: bool) -> None:
    p, state = load_aircraft(name).parameters, state_of()
    state["motion"][ATTITUDE] = 1.0
    state["motion"][ROTOR : ROTOR + 6] = SPEED
    settle_wake(p, state)
    upper, lower = state["induced"][:2]
    force = float(p["alpha"] * SPEED**2 + p["beta"] * SPEED)
    assert upper == pytest.approx(hover_velocity(p, force, 1.0))
    assert state["ring_inflow"][1] == pytest.approx(IN_WAKE * upper if is_paired else 0.0)
    assert (lower < upper) == is_paired
    alone = rotor_in_flow(p, SPEED, 0.0)
    mean, torque = rotor_in_calm(p, SPEED)
    below = rotor_in_flow(p, SPEED, IN_WAKE * upper if is_paired else 0.0)
    assert mean == pytest.approx((alone.thrust_n + below.thrust_n) / 2.0)
    assert torque == pytest.approx((alone.torque_nm + below.torque_nm) / 2.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('base = "tricopter"\n[tilt_servo]\nrotor = 4', "Give one of"),
        ('base = "electric-aerosonde"\nwithout = ["surfaces.left_ruddervator"]', ""),
        (
            'base = "electric-aerosonde"\nwithout = ["surfaces.left_ruddervator", '
            '"surfaces.right_ruddervator"]',
            "No servo moves an elevator",
        ),
        ('base = "electric-aerosonde"\nwithout = ["rotors"]', "which are no tables of its base"),
        ('base = "electric-aerosonde"\nwithout = "wing"', "Write without ="),
    ],
)
def test_a_file_that_leaves_out_too_much_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    if not said:
        assert load_aircraft(path).parameters["servo_count"] == 3
        return
    with pytest.raises(ParameterError, match=said):
        load_aircraft(path)
