"""Camera truth of every pixel (depth, segment, flow), worked out when it is asked for."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.perception.pixel_truth import PIXEL_TRUTH
from simulation.worlds.picture_taker import TakenPicture
from simulation.worlds.pixel_rays import PixelRays
from telemetry.review.cameras.lens import Lens

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RowPoses:
    """Where a camera was when each row was exposed: NED (rows, 3), and the rotations (rows, 3, 3)
    of NED into its axes."""

    position: Array
    to_camera: Array

    def at(self, rows: Array) -> tuple[Array, Array]:
        """The same at any rows, (n,), also between two and beyond them."""
        if len(self.position) < 2:
            return self.position[[0] * len(rows)], self.to_camera[[0] * len(rows)]
        low = np.clip(rows.astype(np.int64), 0, len(self.position) - 2)
        share = np.clip(rows - low, -_FURTHEST, _FURTHEST)
        position, to_camera = (
            poses[low] + share.reshape(-1, *(1,) * (poses.ndim - 1)) * (poses[low + 1] - poses[low])
            for poses in (self.position, self.to_camera)
        )
        return position, to_camera


_FURTHEST = 64.0
"""Rows before the first or behind the last that a movement is followed to."""
_ROUNDS = 3


@dataclass(frozen=True, slots=True, eq=False)
class FrameGeometry:
    """A picture as geometry: what was taken, when its rows were where, and through which lens."""

    taken: TakenPicture
    rows: RowPoses
    rays: PixelRays
    lens: Lens

    def flow_px(self, before: RowPoses | None) -> npt.NDArray[np.float32]:
        """By how many pixels, (height, width, 2) to the right and down, what each pixel sees has
        moved in the picture since the one whose rows were exposed at `before`; NaN without one,
        and for what stood where that showed nothing. Something may have hidden it then."""
        width, height = self.rays.size
        if before is None:
            return np.full((height, width, 2), np.nan, np.float32)
        column, row = (grid.ravel() for grid in np.meshgrid(np.arange(width), np.arange(height)))
        seen, near = self._directions(row)
        position = self.rows.at(row.astype(float))[0]
        then = row.astype(float)
        for _ in range(_ROUNDS if len(before.position) > 1 else 1):
            # In which row it was seen then depends on where the camera was at that row.
            place, to_camera = before.at(np.nan_to_num(then))
            way = seen + (position - place) * near[:, None]
            pixels = self.lens.pixels(np.einsum("nij,nj->ni", to_camera, way)[:, [1, 2, 0]])
            then = pixels[:, 1]
        moved = np.column_stack([column, row]) - pixels
        return moved.reshape(height, width, 2).astype(np.float32)

    def _directions(self, row: npt.NDArray[np.int64]) -> tuple[Array, Array]:
        """NED directions (n, 3) of what pixels see, each as long as it is ahead of the camera over
        its depth, and one over the depth (n,)."""
        width, height = self.rays.size
        shape = (height, width)
        ways = np.stack(
            [
                np.ones(shape),
                np.broadcast_to(self.rays.right, shape),
                np.broadcast_to(self.rays.down, shape),
            ],
            axis=-1,
        ).reshape(-1, 3)
        to_camera = self.rows.at(row.astype(float))[1]
        near = 1.0 / self.taken.depth_m().ravel().astype(np.float64)
        return np.einsum("nji,nj->ni", to_camera, ways), near


class CameraTruth(Mapping[str, npt.NDArray[Any]]):
    """Arrays by name, each worked out when it is first asked for.

    `depth_m` (height, width): how far ahead along the line of sight, which is not the distance;
    inf for the sky. `segment` (height, width): the number in `WorldScene.segments`, -1 for the sky.
    `flow_px` (height, width, 2): see FrameGeometry. `gain` (1,), `white_balance` (2,) of red and
    blue, `is_damaged` (1,): how the picture was developed and sent. NaN, or -1, where the lens
    shows nothing.
    """

    large = frozenset(PIXEL_TRUTH)
    """Those of every pixel, which take as long as the picture, or longer."""

    def __init__(
        self,
        frame: FrameGeometry,
        before: RowPoses | None,
        gain: float,
        white_balance: tuple[float, float],
        is_damaged: bool,
    ) -> None:
        self._makers: dict[str, Callable[[], npt.NDArray[Any]]] = {
            "depth_m": frame.taken.depth_m,
            "segment": frame.taken.segments,
            "flow_px": lambda: frame.flow_px(before),
            "gain": lambda: np.array([gain]),
            "white_balance": lambda: np.array(white_balance),
            "is_damaged": lambda: np.array([is_damaged]),
        }

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    @cached_property
    def _made(self) -> dict[str, npt.NDArray[Any]]:
        return {}
