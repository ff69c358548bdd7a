"""Rolling shutter motion: how a camera moves while its rows are exposed, one behind the other."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from simulation.worlds.pixel_rays import PixelRays

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Points = tuple[Floats, Floats, Floats]


class PosesOverTime(Protocol):
    """Where a camera is and how it looks, at times in seconds."""

    def poses(self, times_s: Array) -> tuple[Array, Array]:
        """NED positions (n, 3), rotations (n, 3, 3) of NED into the camera's axes."""


@dataclass(frozen=True, slots=True, eq=False)
class RowMotion:
    """Of each row, as seen from the camera in its middle: `turn` (rows, 3, 3) takes vectors of a
    row's axes into those of the middle, `shift` (rows, 3) is where the camera stood, in metres."""

    turn: Floats
    shift: Floats

    def every(self, step: int) -> "RowMotion":
        """That of every so manyth row."""
        return RowMotion(self.turn[::step], self.shift[::step])

    def points(self, rays: PixelRays, nearness: Floats | None = None) -> Points:
        """Ahead, right and down of what pixels see, in the middle's axes, each divided by how far
        ahead of its row's camera it is. `nearness` is one over those metres, 0 for the sky;
        without it only the turn counts."""
        ahead, right, down = (
            self.turn[:, axis, 1, None] * rays.right
            + (self.turn[:, axis, 2, None] * rays.down + self.turn[:, axis, 0, None])
            for axis in range(3)
        )
        turned = ahead, right, down
        return turned if nearness is None else self.moved(turned, nearness)

    def moved(self, turned: Points, nearness: Floats) -> Points:
        """Points that were only turned, with what the movement does to them."""
        ahead, right, down = (
            along + self.shift[:, axis, None] * nearness for axis, along in enumerate(turned)
        )
        return ahead, right, down


def row_times(rows: int, shutter_s: float) -> Array:
    """When each row is exposed, in seconds after the middle one. `shutter_s`: from the first to
    the last."""
    return ((np.arange(rows) + 0.5) / rows - 0.5) * shutter_s


def row_motion(position: Array, to_camera: Array, middle: tuple[Array, Array]) -> RowMotion:
    """From the poses of all rows, (rows, 3) and (rows, 3, 3), and the one that they are compared
    with: a position and a rotation of NED into the camera's axes."""
    turn = middle[1] @ to_camera.transpose(0, 2, 1)
    shift = (position - middle[0]) @ middle[1].T
    return RowMotion(turn.astype(np.float32), shift.astype(np.float32))
