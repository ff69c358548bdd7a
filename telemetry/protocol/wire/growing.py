"""Growing array: pieces of a column one behind the other.

All lie in one array, whose memory the system hands out in large pages: to keep many small pieces
and to join them in the end takes longer than to work them out.
"""

from typing import Any

import numpy as np
import numpy.typing as npt


class GrowingArray:
    """Takes pieces; room that is not used takes no memory."""

    def __init__(self, dtype: npt.DTypeLike, room: int) -> None:
        self._room: npt.NDArray[Any] = np.empty(room, dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def items(self) -> npt.NDArray[Any]:
        """All pieces so far. A view."""
        return self._room[: self._count]

    def add(self, piece: npt.NDArray[Any]) -> None:
        """Have it behind the others."""
        start, self._count = self._count, self._count + len(piece)
        if self._count > len(self._room):
            larger = np.empty(2 * self._count, self._room.dtype)
            larger[:start] = self._room[:start]
            self._room = larger
        self._room[start : self._count] = piece
