"""The two controllers LibrePilot builds everything from, with its parameters' meaning."""

from typing import Any

from simulation.compiled import njit_part
from simulation.rotation import clamp

INTEGRAL, DERIVATIVE, LAST = range(3)


@njit_part
def weighted_pid(gains: Any, memory: Any, errand: Any, limits: Any) -> float:
    """PID with weighted setpoint and derivative on the measurement, output within `limits`.

    `gains` is [Kp, Ki, Kd, Beta], `memory` [integral, derivative, last measurement], `errand`
    (setpoint, measurement, dt). The integral stops where the output would leave its limits.
    """
    target, measured, dt = errand
    slope = -gains[2] * (measured - memory[LAST]) / dt
    memory[LAST] = measured
    memory[DERIVATIVE] += 0.3 * (slope - memory[DERIVATIVE])
    free = gains[0] * (gains[3] * target - measured) + memory[DERIVATIVE]
    memory[INTEGRAL] += gains[1] * dt * (target - measured)
    if gains[1] > 0.0:
        memory[INTEGRAL] = clamp(memory[INTEGRAL], limits[0] - free, limits[1] - free)
    return clamp(free + memory[INTEGRAL], limits[0], limits[1])


@njit_part
def prime(gains: Any, memory: Any, errand: Any, output: float) -> None:
    """Start the controller so that its first output is `output`: a bumpless transfer."""
    target, measured, _ = errand
    memory[LAST] = measured
    memory[DERIVATIVE] = 0.0
    memory[INTEGRAL] = output - gains[0] * (gains[3] * target - measured)
