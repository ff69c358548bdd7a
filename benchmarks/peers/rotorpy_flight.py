"""RotorPy: its `Multirotor`, which integrates each step by scipy's RK45."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from rotorpy.vehicles.multirotor import Multirotor

from benchmarks.peers import manoeuvre as m
from benchmarks.peers.manoeuvre import FlownManoeuvre, Vector


def _vehicle(mass_kg: float, inertia: tuple[float, ...]) -> Multirotor:
    numbers = {
        "mass": mass_kg,
        **dict(zip(("Ixx", "Iyy", "Izz"), inertia, strict=True)),
        **dict.fromkeys(("Ixy", "Ixz", "Iyz"), 0.0),
        "num_rotors": 4,
        "rotor_pos": {f"r{i}": np.array([x, y, 0.0]) for i, (x, y) in enumerate(m.ROTORS_M)},
        "rotor_directions": np.array(m.SPINS),
        "rotor_speed_min": 0.0,
        "rotor_speed_max": 1e4,
        "k_eta": m.THRUST_NS2,
        "k_m": m.TORQUE_NMS2,
        "tau_m": m.MOTOR_TAU_S,
    }
    return Multirotor(numbers, aero=False)


class _Flight:
    def __init__(self, vehicle: Multirotor, state: Mapping[str, object]) -> None:
        still = {"q": np.array([0.0, 0, 0, 1]), "v": np.zeros(3), "w": np.zeros(3)}
        self._vehicle = vehicle
        self._state: dict[str, Any] = {
            "wind": np.zeros(3),
            "rotor_speeds": np.zeros(4),
            **still,
            **state,
        }

    def step(self, speeds: Vector) -> None:
        control = {"cmd_motor_speeds": speeds}
        self._state = self._vehicle.step(self._state, control, m.STEP_S)

    def fall(self, _number: int) -> None:
        self.step(np.zeros(4))

    def fly(self, number: int) -> None:
        self.step(m.commanded_radps(number * m.STEP_S))

    def state(self) -> tuple[object, object]:
        return self._state["x"], np.roll(self._state["q"], 1)


def brick() -> FlownManoeuvre:
    """Its rotors stand."""
    start = {
        "x": np.array(m.BRICK_START_M),
        "v": np.array(m.BRICK_VELOCITY_MPS),
        "w": np.array(m.BRICK_RATES_RADPS),
    }
    flight = _Flight(_vehicle(m.BRICK_KG, m.BRICK_KGM2), start)
    return m.fly(flight.fall, flight.state, m.BRICK_S)


def _quadrotor() -> _Flight:
    start = {"x": np.array(m.QUADROTOR_START_M), "rotor_speeds": np.full(4, m.HOVER_RADPS)}
    return _Flight(_vehicle(m.QUADROTOR_KG, m.QUADROTOR_KGM2), start)


def quadrotor() -> FlownManoeuvre:
    """With the motor lag of its own."""
    flight = _quadrotor()
    return m.fly(flight.fly, flight.state, m.QUADROTOR_S)


def speed() -> float:
    """Of the quadrotor."""
    flight, speeds = _quadrotor(), np.full(4, m.HOVER_RADPS)

    def advance(steps: int) -> None:
        for _ in range(steps):
            flight.step(speeds)

    return m.steps_per_s(advance)


if __name__ == "__main__":
    m.print_flown(speed(), brick=brick(), quadrotor=quadrotor())
