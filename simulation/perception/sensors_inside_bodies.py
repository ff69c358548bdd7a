"""Sensors inside of bodies when a flight begins: they see a body from within, and send that."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.mathematics.rotation import to_ned
from simulation.worlds.scene import WorldScene
from simulation.worlds.start_check import bodies_around


def sensors_inside_bodies(
    mounts: Sequence[SensorMount], output: Any, scene: WorldScene
) -> tuple[str, ...]:
    """In sentences, with a remedy; `output` is the record OUTPUT of the aircraft at its start."""
    q = output["true_quaternion"].tolist()
    places = [output["true_position"] + to_ned(q, *mount.position_m) for mount in mounts]
    around = bodies_around([np.asarray(place) for place in places], scene)
    return tuple(
        f"The sensor {mount.name!r} begins inside '{body}' and sees that from within. Choose "
        "another start, or move this one."
        for mount, body in zip(mounts, around, strict=True)
        if body
    )
