"""The ring of cameras that looks at a scene and tells the flow around the aircraft."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.compiler.decorators import IS_COMPILING
from simulation.compiler.program import reference_to
from simulation.perception.flow.picture_flow import INT8, FlowArithmetic
from simulation.perception.flow.ring_layout import (
    BELOW_M,
    LAYOUTS,
    RingLayout,
)
from simulation.perception.flow.ring_pictures import HALF, RING, take_pictures
from simulation.perception.grey_scene import SeenScene

Array = npt.NDArray[np.float64]


class FlowRing:
    """Eight cameras on a circle, read as a layout says, and I2A over what they see.

    Flow is in counts of 1 / 127 pixel (`arithmetic` REAL: in pixels). Nothing but poses and the
    scene decides what it tells.
    """

    def __init__(
        self,
        seen: SeenScene,
        layout: RingLayout = LAYOUTS["A"],
        arithmetic: FlowArithmetic = INT8,
        below_m: float = BELOW_M,
    ) -> None:
        """`below_m`: so far below the place that `look` is given."""
        self.layout = layout
        self._seen = seen
        self._array = np.zeros(1, RING)
        self._record: Any = self._array[0]
        self._fill(layout, arithmetic)
        azimuths = np.array(layout.azimuths_rad)
        ahead, aside = np.cos(azimuths), np.sin(azimuths)
        zero, one = np.zeros_like(ahead), np.ones_like(ahead)
        self._places = np.stack(
            [layout.radius_m * ahead, layout.radius_m * aside, below_m * one], axis=1
        )
        self._turns = np.stack([ahead, -aside, zero, aside, ahead, zero, zero, zero, one], axis=1)
        self._turns = self._turns.reshape(-1, 3, 3)
        self._count = len(azimuths)
        self._given = reference_to(self._array) if IS_COMPILING else self._plain()

    def _fill(self, layout: RingLayout, arithmetic: FlowArithmetic) -> None:
        record, flow, side = self._record, self._record["flow"], layout.sensor_px
        flow["cameras"], flow["rows"] = len(layout.azimuths_rad), layout.rows
        flow["columns"], flow["shift"] = layout.columns, 1
        flow["limit"] = arithmetic.limit_counts
        record["grid"] = self._seen.grid.memory if IS_COMPILING else 0
        record["backs"] = self._seen.backs.memory if IS_COMPILING else 0
        record["looks"] = self._seen.grey.looks.ctypes.data
        record["texels"] = self._seen.grey.texels.ctypes.data
        record["sky"], record["longest"] = self._seen.grey.sky, math.inf
        record["side"], record["whole"] = side, int(arithmetic.limit_counts > 0)
        record["binned"] = side // layout.rows, side // layout.columns
        half = math.tan(layout.field_of_view_rad / 2.0)
        record["width"] = 2.0 * half / side
        middles = (np.arange(side) + 0.5) / side * 2.0 - 1.0
        record["way"][: side * side] = _ways(middles * half)
        edges = np.arange(0, side + 1, HALF) / side * 2.0 - 1.0
        record["between"] = len(edges)
        record["between_way"][: len(edges) ** 2] = _ways(edges * half)
        record["chord"] = [_shortest_mean(edges[::step] * half) for step in (1, 2)]

    def _plain(self) -> dict[str, Any]:
        """The record for plain Python."""
        members: dict[str, Any] = {name: self._record[name] for name in RING.names or ()}
        grey = self._seen.grey
        return members | {
            "grid": self._seen.grid.memory,
            "backs": self._seen.backs.memory,
            "looks": grey.looks.ravel().tolist(),
            "texels": grey.texels.tolist(),
        }

    def look(self, position: npt.ArrayLike, turn: Array) -> None:
        """Take the next picture of each camera. `position` of the centre of mass, NED; `turn`
        (3, 3) turns body axes into NED. Raises ValueError for what is no number."""
        record = self._record
        place = np.asarray(position)
        if not (np.isfinite(place).all() and np.isfinite(turn).all()):
            raise ValueError("The ring's position or attitude is no number.")
        record["place"][: self._count] = place + self._places @ turn.T
        record["turn"][: self._count] = turn @ self._turns
        take_pictures.run(self._given)

    @property
    def has_flow(self) -> bool:
        """Whether there were two pictures."""
        return int(self._record["flow"]["frame"]) > 1

    @property
    def flow(self) -> Array:
        """(cameras, 2): the newest flow to the right and down."""
        return np.array(self._record["flow"]["flow"][: self._count])

    @property
    def saturated(self) -> npt.NDArray[np.bool_]:
        """(cameras, 2): what is at the limit, and may be more."""
        return np.array(self._record["flow"]["saturated"][: self._count] != 0)

    @property
    def pictures(self) -> Array:
        """(cameras, rows, columns): the newest, grey, 0 to 255."""
        flow, layout = self._record["flow"], self.layout
        newest = flow["pictures"][(int(flow["frame"]) - 1) % 2, : self._count]
        size = layout.rows * layout.columns
        return np.array(newest[:, :size]).reshape(-1, layout.rows, layout.columns)


def _ways(across: Array) -> Array:
    """(n * n, 3): directions of length 1, row by row, of the points of a square in front of a
    camera, `across` and down."""
    ways = np.ones((len(across), len(across), 3))
    ways[..., 1], ways[..., 2] = across[None, :], across[:, None]
    ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
    return np.asarray(ways.reshape(-1, 3))


def _shortest_mean(across: Array) -> float:
    """How long a mean of the four directions to the corners of one of those squares is at least:
    the square of its length is a mean of their products."""
    ways = _ways(across).reshape(len(across), len(across), 3)
    corners = np.stack([ways[:-1, :-1], ways[:-1, 1:], ways[1:, :-1], ways[1:, 1:]], axis=2)
    return math.sqrt(float((corners @ corners.swapaxes(-1, -2)).min()))
