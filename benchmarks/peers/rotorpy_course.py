"""RotorPy flies the course, by its own controller, in its own wind, felt by its own IMU.

`python -m benchmarks.peers.rotorpy_course FILE.npz`. Its Hummingbird, with the slower motors of its
PX4 quadrotor: 5 ms could not be told from the steps of a log.
"""

import sys
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
from rotorpy.controllers.quadrotor_control import SE3Control
from rotorpy.sensors.imu import Imu
from rotorpy.vehicles import hummingbird_params, px4_sihsim_quadx_params
from rotorpy.vehicles.multirotor import Multirotor
from rotorpy.wind.default_winds import ConstantWind

from benchmarks.peers import course as c
from benchmarks.peers.manoeuvre import Vector

_SEED = 0
_IDLE_RADPS = 100.0
_NUMBERS: dict[str, Any] = {
    **hummingbird_params.quad_params,
    "tau_m": px4_sihsim_quadx_params.quad_params["tau_m"],
    # Softer than for motors of 5 ms.
    "kp_att": 120.0,
    "kd_att": 16.0,
}
_KP_POS, _KD_POS = (2.0, 2.0, 6.0), (2.5, 2.5, 5.0)
_GYRO_BIAS_RADPS = (0.006, -0.004, 0.003)
_ACCEL_BIAS_MPS2 = (0.06, -0.04, 0.08)
# Per root Hz, of a frame that shakes: at 500 Hz 0.3 deg/s and 0.15 m/s2.
_GYRO_NOISE, _ACCEL_NOISE = 3.3e-4, 9.5e-3
_TRUTH = ("mass", "Ixx", "Iyy", "Izz", "k_eta", "k_m", "k_d", "tau_m")
_KEPT = ("position", "velocity", "quaternion", "rates", "gyro", "accel", "command")


class _Flight:
    def __init__(self, numbers: Mapping[str, Any]) -> None:
        exact = {"method": "RK45", "first_step": c.STEP_S, "rtol": 1e-6}
        self._vehicle = Multirotor(numbers, enable_ground=True, integrator_kwargs=exact)
        self._controller = SE3Control(numbers)
        self._controller.kp_pos, self._controller.kd_pos = np.array(_KP_POS), np.array(_KD_POS)
        self._imu = _imu()
        idle = np.full(4, _IDLE_RADPS)
        self._on_its_way = deque([idle] * round(c.DEAD_TIME_S / c.STEP_S))
        self._course = c.course()
        self._state: dict[str, Any] = {
            "x": np.zeros(3),
            "v": np.zeros(3),
            "q": np.array([0.0, 0.0, 0.0, 1.0]),
            "w": np.zeros(3),
            "wind": ConstantWind(*c.WIND_MPS).update(0.0, None),
            "rotor_speeds": idle,
        }

    def step(self, number: int) -> tuple[Vector, ...]:
        """What is so, measured and commanded as the step begins."""
        state, acting = self._state, {"cmd_motor_speeds": self._on_its_way.popleft()}
        felt = self._imu.measurement(state, self._vehicle.statedot(state, acting, c.STEP_S))
        command = self._command(number, felt["gyro"])
        self._on_its_way.append(command)
        self._state = self._vehicle.step(state, acting, c.STEP_S)
        quaternion = np.roll(state["q"], 1)
        is_so = (state["x"].copy(), state["v"].copy(), quaternion, state["w"])
        return (*is_so, felt["gyro"], felt["accel"], command)

    def _command(self, number: int, gyro: Vector) -> Vector:
        """Rotor speeds in rad/s; what is fed back is the gyro with its noise."""
        if number * c.STEP_S < c.IDLE_S:
            return np.full(4, _IDLE_RADPS)
        wanted = self._course
        reference = {
            "x": wanted.position[number, :3],
            "x_dot": wanted.velocity[number, :3],
            "x_ddot": wanted.acceleration[number, :3],
            "yaw": wanted.position[number, 3],
            "yaw_dot": wanted.velocity[number, 3],
        }
        sensed = {**self._state, "w": gyro}
        speeds = self._controller.update(number * c.STEP_S, sensed, reference)["cmd_motor_speeds"]
        limits = _NUMBERS["rotor_speed_min"], _NUMBERS["rotor_speed_max"]
        clipped: Vector = np.clip(speeds, *limits)
        return clipped


def _imu() -> Imu:
    kinds = {
        "accelerometer_params": (_ACCEL_BIAS_MPS2, _ACCEL_NOISE),
        "gyroscope_params": (_GYRO_BIAS_RADPS, _GYRO_NOISE),
    }
    errors = {
        name: {
            "initial_bias": np.array(bias),
            "noise_density": np.full(3, noise),
            "random_walk": np.zeros(3),
        }
        for name, (bias, noise) in kinds.items()
    }
    return Imu(**errors, sampling_rate=round(1 / c.STEP_S))


def main(path: str) -> None:
    """Save a row a step of each of `_KEPT`, and those of the vehicle's numbers in `_TRUTH`."""
    np.random.seed(_SEED)
    flight = _Flight(_NUMBERS)
    rows = [flight.step(number) for number in range(round(c.COURSE_S / c.STEP_S))]
    saved: dict[str, Any] = dict(zip(_KEPT, map(np.array, zip(*rows, strict=True)), strict=True))
    np.savez(path, **saved, **{name: _NUMBERS[name] for name in _TRUTH})


if __name__ == "__main__":
    main(sys.argv[1])
