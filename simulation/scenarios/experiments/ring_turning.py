"""The ring of cameras turned about the vertical in the middle of a world: flow per rate."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.perception.flow.ring import FlowRing
from simulation.perception.flow.ring_layout import RingLayout
from simulation.perception.grey_scene import SeenScene
from simulation.scenarios.coaxial_flight import CYCLE_S

Array = npt.NDArray[np.float64]

PLACE_M: Final = (10.0, 0.0, -1.5)
"""In the corridor, NED."""


@dataclass(frozen=True, slots=True, eq=False)
class Turning:
    """`flow` (pictures, cameras) across, in counts, while the nose turned right with
    `rate_radps`, and which share of it was at its limit."""

    rate_radps: float
    flow: Array
    saturated: float

    @property
    def per_radps(self) -> float:
        """Mean counts per rad/s; positive for what theory says, to the left."""
        return -float(self.flow.mean()) / self.rate_radps


def turned(seen: SeenScene, layout: RingLayout, rate_radps: float, pictures: int) -> Turning:
    """Take so many pictures while it turns on the spot, one every 16 ms."""
    ring = FlowRing(seen, layout)
    flow, saturated = [], []
    for number in range(pictures):
        ring.look(PLACE_M, about_vertical(rate_radps * CYCLE_S * number))
        if ring.has_flow:
            flow.append(ring.flow[:, 0])
            saturated.append(ring.saturated[:, 0].mean())
    return Turning(rate_radps, np.array(flow), float(np.mean(saturated)))


def about_vertical(right_rad: float) -> Array:
    """Turns body axes into NED, the nose so far to the right of north."""
    cosine, sine = np.cos(right_rad), np.sin(right_rad)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
