"""Growing line of the scene: where an aircraft was, in blocks.

A line that grows is so uploaded in part only.
"""

from collections.abc import Callable

import numpy as np

from widgets.scene3d.scene import Floats, Floats32, LinePoints, Rgb, SpaceLine

_BLOCK = 1024


class GrowingLine:
    """A line to which points are appended."""

    def __init__(self, width_px: float) -> None:
        self._width_px = width_px
        self._key: object = None
        self._blocks: list[LinePoints] = []
        self._read = 0

    @property
    def count(self) -> int:
        """Of its points."""
        return self._read

    def update(
        self,
        key: object,
        count: int,
        read: Callable[[int, int], tuple[Floats, Floats32 | Rgb]],
    ) -> None:
        """Have it `count` points long. `read` gives points (n, 3) and their colours from one number
        to another. Points of an equal `key` are only ever appended."""
        if key != self._key or count < self._read:
            self._key, self._blocks, self._read = key, [], 0
        if count == self._read:
            return
        done = max(self._read - 1, 0) // _BLOCK * _BLOCK  # the block that was not full
        del self._blocks[done // _BLOCK :]
        for start in range(done, max(count - 1, 1), _BLOCK):
            points, colours = read(start, min(start + _BLOCK + 1, count))  # joined to the next one
            self._blocks.append(LinePoints(points.astype(np.float32), colours))
        self._read = count

    def lines(self, past: int) -> tuple[SpaceLine, ...]:
        """All of it, the first `past` points strong and the rest faint."""
        strong = max(past - 1, 0)
        return tuple(
            SpaceLine(block, self._width_px, min(max(strong - number * _BLOCK, 0), _BLOCK))
            for number, block in enumerate(self._blocks)
        )
