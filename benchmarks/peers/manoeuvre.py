"""Manoeuvre that every simulator flies, in numbers, and the loop in which it is timed.

World axes are east, north, up, body axes forward, left, up, as most of the others have them;
quaternions turn body into world, scalar first. Needs numpy alone.

*Brick*: a body without air around it, thrown up and tumbling about all three axes. What is judged
is the integration alone.
*Quadrotor*: the Crazyflie of gym-pybullet-drones (commit 90b178a) without drag. Its motors follow
commanded speeds with one time constant; the commands climb, roll, pitch and yaw it, open loop.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

STEP_S = 0.001
SAMPLE_STEPS = 20
GRAVITY = 9.81

BRICK_S = 10.0
BRICK_KG = 1.0
BRICK_KGM2 = (0.02, 0.03, 0.04)
BRICK_START_M = (0.0, 0.0, 100.0)
BRICK_VELOCITY_MPS = (5.0, 10.0, 40.0)
BRICK_RATES_RADPS = (6.0, 0.2, -3.0)

QUADROTOR_S = 3.0
QUADROTOR_KG = 0.027
QUADROTOR_KGM2 = (1.4e-5, 1.4e-5, 2.17e-5)
QUADROTOR_START_M = (0.0, 0.0, 50.0)
ARM_M = 0.0281
# Front left, front right, rear right, rear left; spin +1 is clockwise seen from above.
ROTORS_M = ((ARM_M, ARM_M), (ARM_M, -ARM_M), (-ARM_M, -ARM_M), (-ARM_M, ARM_M))
SPINS = (1, -1, 1, -1)
THRUST_NS2 = 2.8816e-8
TORQUE_NMS2 = THRUST_NS2 * 0.025127
MOTOR_TAU_S = 0.072
HOVER_RADPS = (QUADROTOR_KG * GRAVITY / 4 / THRUST_NS2) ** 0.5
_BLOCK = 500
_TIMED_S = 1.0
# From when, and what each rotor's commanded speed is, as a part of hover.
_COMMANDS = (
    (0.0, (1.05, 1.05, 1.05, 1.05)),
    (0.5, (1.01, 0.99, 0.99, 1.01)),  # rolls to the right
    (0.7, (0.99, 1.01, 1.01, 0.99)),
    (0.9, (0.99, 0.99, 1.01, 1.01)),  # and pitches forward
    (1.1, (1.01, 1.01, 0.99, 0.99)),
    (1.3, (1.02, 0.98, 1.02, 0.98)),  # and yaws
    (2.0, (1.0, 1.0, 1.0, 1.0)),
)


def commanded_radps(t: float) -> Vector:
    """The four rotor speeds commanded at `t` seconds."""
    parts = next(parts for since, parts in reversed(_COMMANDS) if t >= since - 1e-9)
    speeds: Vector = HOVER_RADPS * np.array(parts)
    return speeds


def rotor_speeds(t: float, before: Vector, elapsed_s: float) -> Vector:
    """The speeds that follow the command of `t`, `elapsed_s` after they were `before`: exact."""
    command = commanded_radps(t)
    return np.asarray(command + (before - command) * np.exp(-elapsed_s / MOTOR_TAU_S))


@dataclass(frozen=True, slots=True)
class FlownManoeuvre:
    """Samples every 20 ms: position (n, 3) in m, quaternion (n, 4)."""

    position: Vector
    quaternion: Vector


Step = Callable[[int], None]
State = Callable[[], tuple[object, object]]


def fly(step: Step, state: State, seconds: float) -> FlownManoeuvre:
    """Call `step` with the number of each step; `state` gives position and quaternion."""
    rows = [state()]
    for number in range(round(seconds / STEP_S)):
        step(number)
        if (number + 1) % SAMPLE_STEPS == 0:
            rows.append(state())
    position, quaternion = (np.array(column, float) for column in zip(*rows, strict=True))
    return FlownManoeuvre(position, quaternion)


def steps_per_s(advance: Callable[[int], object]) -> float:
    """Steps per second of processor time; `advance` is given how many to do."""
    advance(_BLOCK)
    steps, began_s = 0, time.process_time()
    while (used_s := time.process_time() - began_s) < _TIMED_S:
        advance(_BLOCK)
        steps += _BLOCK
    return steps / used_s


def print_flown(steps_per_s: float, **flown: FlownManoeuvre) -> None:
    """The last line of a peer's process."""
    rows = {name: [one.position.tolist(), one.quaternion.tolist()] for name, one in flown.items()}
    print(json.dumps({"steps_per_s": steps_per_s, "flown": rows}))
