"""Ways to carry sensors, and what comes of it."""

import hashlib
import math
from collections.abc import Callable

from simulation.perception.given_path import Pose
from simulation.perception.mounted_sensor import SuiteSample

UPRIGHT = (1.0, 0.0, 0.0, 0.0)


def still(x: float = 0.0, y: float = 0.0, z: float = -1.5) -> Callable[[float], Pose]:
    """At rest, level, facing north."""
    return lambda _: ((x, y, z), UPRIGHT)


def turning(rate: float) -> Callable[[float], Pose]:
    """On the spot, clockwise from above, rad/s."""
    return lambda t: ((0.0, 0.0, -1.5), yawed(rate * t))


def yawed(angle: float) -> tuple[float, float, float, float]:
    """Level, the nose that far from north, radians."""
    return math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)


def winding(t: float) -> Pose:
    """Forward and back, while it turns and rolls."""
    yaw, roll = 0.8 * t, 0.3 * math.sin(3.0 * t)
    cy, sy, cr, sr = math.cos(yaw / 2), math.sin(yaw / 2), math.cos(roll / 2), math.sin(roll / 2)
    return (math.sin(t), 0.4 * math.cos(2 * t), -1.4), (cy * cr, cy * sr, sy * sr, sy * cr)


def digest(samples: list[SuiteSample]) -> str:
    """Of everything that was sent, and of the truth."""
    found = hashlib.sha256()
    for each in samples:
        sample = each.sample
        found.update(f"{each.description.name} {sample.time_us} {sample.number}".encode())
        for name in ("ranges_m", "intensities", "values"):
            if (array := getattr(sample, name, None)) is not None:
                found.update(array.tobytes())
        for array in each.truth.values.values():
            found.update(array.tobytes())
    return found.hexdigest()
