"""Flow view: what a controller that sees by optic flow is told, and what it may say."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simulation.scenarios.coaxial_flight import CoaxialCommand

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class FlowView:
    """What it knows at one moment.

    `flow` and `vertical_flow` (cameras,) are how fast what a camera sees moves to the right and
    down in its picture, in counts (127 are a pixel per picture), low-passed; the part of its own
    turning about the vertical is taken out of `flow`. `azimuths_rad` (cameras,) say where the
    cameras look, from the nose to the right. `height_m` is measured, with noise. `pictures`
    (cameras, rows, columns) are what flow was found in, grey, 0 to 255.
    """

    time_s: float
    azimuths_rad: Array
    flow: Array
    vertical_flow: Array
    yaw_rate_radps: float
    height_m: float
    pictures: Array


def ahead_and_right(flow: Array, azimuths_rad: Array) -> Array:
    """The speeds (2,) ahead and to the right, by the mean distance, that flow to the right (n,) in
    cameras that look there tells; what turning adds to all of them cancels."""
    share = 2.0 / len(flow)
    ahead, right = flow @ np.sin(azimuths_rad), -(flow @ np.cos(azimuths_rad))
    return share * np.array([ahead, right])


FlowController = Callable[[FlowView], CoaxialCommand]
