"""Velocity PID: the controller behind thrust and tilt (pid2 of LibrePilot's pid.c).

Weighted setpoint, derivative of the measurement alone, and an integral that follows the output
back while a limit holds it. `gains` is [Kp, Ki, Kd, Beta], `memory` [integral, derivative, last
measurement], `sample` (setpoint, measurement, dt), `law` (base, sign): the output is base plus sign
times what the controller makes.
"""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import clamp

_INTEGRAL, _DERIVATIVE, _LAST = range(3)
_NONE = 1e-6
"""Gains below are none."""
_DERIVATIVE_SHARE = 0.1
"""The derivative is smoothed over a tenth of Kd/Kp (UpdateParameters of pidcontroldown.cpp)."""
_LEAST_BETA = 0.4


@njit_part
def _proportional(gains: Any, sample: Any) -> float:
    target, measured, _ = sample
    return float(gains[0] * (clamp(gains[3], _LEAST_BETA, 1.0) * target - measured))


@njit_part
def start_pid(gains: Any, memory: Any, sample: Any, law: Any, output: float) -> None:
    """Begin, so that the first output is `output`; without Ki only if the setpoint is met."""
    base, sign = law
    memory[_LAST] = sample[1]
    memory[_DERIVATIVE] = 0.0
    memory[_INTEGRAL] = (output - base) / sign
    if gains[1] * sample[2] > 5e-7:
        memory[_INTEGRAL] -= _proportional(gains, sample)


@njit_part
def run_pid(gains: Any, memory: Any, sample: Any, law: Any, limits: Any) -> float:
    """One run; its output within `limits`."""
    kp, ki, kd = gains[0], gains[1], gains[2]
    target, measured, dt = sample
    base, sign = law
    smooth_s = 0.0
    if kd >= _NONE:
        smooth_s = _DERIVATIVE_SHARE * kd / kp if kp >= _NONE else 1e5
    memory[_DERIVATIVE] *= smooth_s / (smooth_s + dt)
    memory[_DERIVATIVE] -= kd / (smooth_s + dt) * (measured - memory[_LAST])
    memory[_LAST] = measured
    wanted = base + sign * (_proportional(gains, sample) + memory[_INTEGRAL] + memory[_DERIVATIVE])
    output = clamp(wanted, limits[0], limits[1])
    memory[_INTEGRAL] += ki * dt * (target - measured)
    if ki >= _NONE and kp >= _NONE:
        memory[_INTEGRAL] += ki / kp * dt / sign * (output - wanted)
    return output
