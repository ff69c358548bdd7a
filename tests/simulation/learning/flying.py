"""Environments that tests fly, and a policy written by hand."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from simulation.learning import LapwingVectorEnv

Array = npt.NDArray[Any]
GRAVITY = 9.81


def vector(task: str, count: int, **options: Any) -> LapwingVectorEnv:
    """So many of them, with the task's own time limit."""
    envs = gymnasium.make_vec(
        f"lapwing/{task}-v0",
        num_envs=count,
        vectorization_mode="vector_entry_point",
        **options,
    )
    assert isinstance(envs, LapwingVectorEnv)
    return envs


def single(task: str, **options: Any) -> "gymnasium.Env[Array, Array]":
    """One of them, as gymnasium makes it."""
    return gymnasium.make(f"lapwing/{task}-v0", **options)


def towards(way: Array, velocity: Array, q_wxyz: Array) -> Array:
    """Rates and thrust that fly the way (n, 3), NED, with the nose to the north."""
    wanted = np.clip(way[:, :2] - 1.6 * velocity[:, :2], -3.0, 3.0) / GRAVITY
    roll, pitch, yaw = (2.0 * q_wxyz[:, i] for i in (1, 2, 3))
    turned = 5.0 * np.stack([wanted[:, 1] - roll, -wanted[:, 0] - pitch, -0.4 * yaw], axis=1)
    thrust = 0.35 * (velocity[:, 2:] - way[:, 2:])
    return np.hstack([np.degrees(turned) / (120.0, 120.0, 90.0), thrust]).astype(np.float32)
