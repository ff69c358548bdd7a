"""The controller of seed 001 (figure 3) for its experiments: cascaded PID and inverted propulsion.

Velocity asks for acceleration (PI), acceleration for thrust and tilt, tilt for angular
acceleration (PD), and the wrench for rotor forces, speeds and motor voltages by the propulsion
model solved for its input. It stands outside of the simulator, where the board of a real aircraft
would be, and can be late: commands take effect a whole number of steps after the measurement.

Attitude and velocity are the truth, because the seed's figure is not about its estimator; body
rates are measured by the gyro, whose noise is what excites the aircraft.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import euler_of
from simulation.records.interface import CHANNELS, IMU_PERIOD, STEP_S, STEP_US
from simulation.scenarios.bare_flight import BareFlight

PERIOD_STEPS: Final = 10
"""100 Hz, as the seed's repository sets for its controllers."""
_DT: Final = PERIOD_STEPS * STEP_S
_MOST_TILT: Final = math.radians(35.0)


@dataclass(frozen=True, slots=True)
class Gains:
    """Attitude 1/s2 and 1/s, yaw 1/s2 and 1/s, velocity 1/s and 1/s2, vertical ones likewise.

    The defaults are those of the seed's repository (controller.yaml, hector-yaml-9ba44416), whose
    attitude loop is critically damped at 10 rad/s.
    """

    attitude_p: float = 100.0
    attitude_d: float = 20.0
    yaw_p: float = 4.0
    yaw_d: float = 5.0
    velocity_p: float = 2.0
    velocity_i: float = 1.0
    climb_p: float = 5.0
    climb_i: float = 1.0


class Cascade:
    """Turns a wanted NED velocity into pulses; heading is held at north."""

    def __init__(self, parameters: Any, gains: Gains) -> None:
        """`parameters` is the aircraft's PARAMETERS record; the controller knows its own."""
        # As plain numbers: those of a record take five times as long to read.
        self._p = {name: parameters[name].tolist() for name in parameters.dtype.names}
        self._gains = gains
        self._held = [0.0, 0.0, 0.0]  # m/s2: what the integrals ask for
        self._count = int(parameters["rotor_count"])
        hover = parameters["mass"] * GRAVITY / self._count
        speed = self._rotor_speed(hover)
        per_force = parameters["k_t"] + parameters["gamma"] / (
            2.0 * parameters["alpha"] * speed + parameters["beta"]
        )
        arms = parameters["rotor_position"][: self._count]
        spins = parameters["rotor_spin"][: self._count]
        rows = [np.ones(self._count), -arms[:, 1], arms[:, 0], -spins * per_force]
        self._forces_of_wrench = np.linalg.pinv(np.array(rows))

    def pulses(self, output: Any, rates: tuple[float, float, float], wanted: Any) -> list[float]:
        """Pulses in us for all channels. `rates` in rad/s; `wanted` NED velocity in m/s."""
        roll, pitch, yaw = euler_of(output["true_quaternion"].tolist())
        push, tilt = self._thrust_and_tilt(output["true_velocity"].tolist(), wanted, yaw)
        g, inertia = self._gains, self._p["inertia"]
        upright = max(math.cos(roll) * math.cos(pitch), 0.5)
        wrench = (
            push / upright,
            inertia[0] * (g.attitude_p * (tilt[0] - roll) - g.attitude_d * rates[0]),
            inertia[1] * (g.attitude_p * (tilt[1] - pitch) - g.attitude_d * rates[1]),
            inertia[2] * (-g.yaw_p * yaw - g.yaw_d * rates[2]),
        )
        return self._pulses_of(wrench, float(output["battery_voltage"]))

    def _thrust_and_tilt(
        self, velocity: list[float], wanted: Any, yaw: float
    ) -> tuple[float, tuple[float, float]]:
        """Upward force in N, roll and pitch in rad for the acceleration that is needed."""
        g = self._gains
        gains = ((g.velocity_p, g.velocity_i),) * 2 + ((g.climb_p, g.climb_i),)
        errors = [wanted[axis] - velocity[axis] for axis in range(3)]
        north, east, down = (
            p * error + held for (p, _), error, held in zip(gains, errors, self._held, strict=True)
        )
        up = max(GRAVITY - down, 0.3 * GRAVITY)
        excess = math.hypot(north, east) / (up * math.tan(_MOST_TILT))
        if excess > 1.0:  # tilted as far as allowed: nothing is gained by summing errors up
            north, east = north / excess, east / excess
            errors[:2] = 0.0, 0.0
        for axis, (_, i) in enumerate(gains):
            self._held[axis] += i * errors[axis] * _DT
        forward = north * math.cos(yaw) + east * math.sin(yaw)
        right = east * math.cos(yaw) - north * math.sin(yaw)
        pitch = math.atan2(-forward, up)
        roll = math.atan2(right * math.cos(pitch), up)
        return float(self._p["mass"]) * up, (roll, pitch)

    def _pulses_of(self, wrench: tuple[float, ...], battery_v: float) -> list[float]:
        low, high = self._p["speed_controller_us"]
        channels = self._p["rotor_channel"]
        pulses = [low] * CHANNELS
        for i, force in enumerate((self._forces_of_wrench @ wrench).tolist()):
            duty = self._voltage(max(force, 0.0)) / max(battery_v, 1.0)
            pulses[channels[i]] = low + min(duty, 1.0) * (high - low)
        return pulses

    def _rotor_speed(self, force: float) -> float:
        """Speed in rad/s for a thrust at rest: alpha W^2 + beta W = F."""
        alpha, beta = self._p["alpha"], self._p["beta"]
        return float((math.sqrt(beta * beta + 4.0 * alpha * force) - beta) / (2.0 * alpha))

    def _voltage(self, force: float) -> float:
        """Motor voltage that holds a thrust: torque, current, and the motor's law for U,
        I^2 R + I psi W = U (alpha_m + beta_m I)."""
        p = self._p
        speed = self._rotor_speed(force)
        torque = max(p["k_t"] * force + p["gamma"] * speed, 0.0)
        current = torque / p["psi"] + p["no_load_current"]
        drop = current * (p["resistance"] * current + p["psi"] * speed)
        return float(drop / (p["alpha_m"] + p["beta_m"] * current)) if current > 0.0 else 0.0


def fly(
    flight: BareFlight,
    controller: Cascade,
    wanted: Callable[[float, Any], tuple[float, float, float]],
    seconds: float,
    dead_steps: int,
) -> None:
    """Fly a bare simulator: `wanted` tells the NED velocity for the time in s and the OUTPUT.

    The gyro is averaged over each control period. What the controller says takes effect
    `dead_steps` steps after that.
    """
    simulator = flight.simulator
    output = simulator.output
    simulator.command["external"] = 1
    flight.advance_steps(PERIOD_STEPS)  # until the battery's voltage has been measured
    late: deque[tuple[int, list[float]]] = deque()
    gyro, read = np.zeros(3), output["gyro"]
    step = int(output["step"])
    end = step + round(seconds * 1e6 / STEP_US)
    while step < end:
        if step % PERIOD_STEPS == 0:
            mean = np.radians(gyro / (PERIOD_STEPS // IMU_PERIOD)).tolist()
            pulses = controller.pulses(output, mean, wanted(step * STEP_US / 1e6, output))
            late.append((step + dead_steps, pulses))
            gyro[:] = 0.0
        while late and late[0][0] <= step:
            output["actuator_command"] = late.popleft()[1]
        steps = IMU_PERIOD - step % IMU_PERIOD
        if late:
            steps = min(steps, late[0][0] - step)
        flight.advance_steps(steps)
        step += steps
        if step % IMU_PERIOD == 0:
            gyro += read


def hover_at(height_m: float) -> Callable[[float, Any], tuple[float, float, float]]:
    """What is wanted to climb to a height above the start and stay there, at most 2 m/s."""

    def wanted(_now_s: float, output: Any) -> tuple[float, float, float]:
        missing = height_m + float(output["true_position"][2])
        return 0.0, 0.0, -max(-1.0, min(2.0, missing))

    return wanted
