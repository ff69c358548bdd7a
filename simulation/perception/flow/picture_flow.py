"""Picture flow of one camera or several, as a microcontroller would find it."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.compiler.program import Program, reference_to
from simulation.compiler.source_digest import sources_digest
from simulation.perception.flow.image_interpolation import CAMERAS, FLOW, PIXELS, find_flow

Pictures = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FlowArithmetic:
    """How flow is computed: with real numbers and in pixels (`limit_counts` 0), or with whole
    numbers and in counts up to a limit, see image_interpolation."""

    name: str
    limit_counts: int


REAL: Final = FlowArithmetic("real", 0)
INT8: Final = FlowArithmetic("int8", 127)
"""Of seed 003's ring."""
INT16: Final = FlowArithmetic("int16", 32767)
ARITHMETICS: Final = (REAL, INT8, INT16)


class PictureFlow:
    """I2A over pictures of one size, at most CAMERAS of PIXELS each; `shift_px` is the reference
    shift. Raises ValueError for sizes that it has no room for."""

    def __init__(
        self,
        size: tuple[int, int, int],
        arithmetic: FlowArithmetic = REAL,
        shift_px: int = 1,
    ) -> None:
        """`size`: cameras, rows, columns."""
        cameras, rows, columns = size
        if not (0 < cameras <= CAMERAS and rows * columns <= PIXELS):
            raise ValueError(f"There is room for {CAMERAS} pictures of {PIXELS} pixels.")
        if shift_px < 1 or min(rows, columns) <= 2 * shift_px:
            raise ValueError(f"{columns} x {rows} pixels are too few for a shift of {shift_px}.")
        self._size = size
        self._array = np.zeros(1, FLOW)
        record: Any = self._array[0]
        record["cameras"], record["rows"], record["columns"] = size
        record["shift"], record["limit"] = shift_px, arithmetic.limit_counts
        self._record = record
        self._is_whole = arithmetic.limit_counts > 0
        self._reference = reference_to(self._array)

    def add(self, pictures: npt.ArrayLike) -> None:
        """Take the next picture of each camera (cameras, rows, columns), grey; with whole numbers
        what is behind the point is cut off."""
        cameras, rows, columns = self._size
        given = np.asarray(pictures, np.float64).reshape(cameras, rows * columns)
        record = self._record
        newest = int(record["frame"]) % 2
        record["pictures"][newest, :cameras, : rows * columns] = (
            np.trunc(given) if self._is_whole else given
        )
        record["frame"] += 1
        _find_flow.run(self._reference)

    @property
    def has_flow(self) -> bool:
        """Whether there were two pictures."""
        return int(self._record["frame"]) > 1

    @property
    def flow(self) -> Pictures:
        """(cameras, 2): the newest motion to the right and down, in pixels or counts."""
        return np.array(self._record["flow"][: self._size[0]])

    @property
    def saturated(self) -> npt.NDArray[np.bool_]:
        """(cameras, 2): what is at the limit, and may be more."""
        return np.array(self._record["saturated"][: self._size[0]] != 0)


_find_flow = Program(find_flow, FLOW, sources=sources_digest(find_flow.__module__))
