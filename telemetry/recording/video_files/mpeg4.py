"""MPEG-4 Part 2 layer and picture headers (XviD, DivX), after ISO/IEC 14496-2, 6.2.3 and 6.2.5."""

import re
from dataclasses import dataclass
from typing import Final

_VOP: Final = b"\x00\x00\x01\xb6"
_LAYER: Final = re.compile(rb"\x00\x00\x01[\x20-\x2f]")
_KINDS: Final = "IPBS"


@dataclass(frozen=True, slots=True)
class Vop:
    """One coded picture in a chunk: bytes `start` to `stop`, headers before it included.

    `kind` is I, P, B or S. `is_coded` is False for one that says "as before", which also stands
    where a picture would be that was packed into the chunk before.
    """

    start: int
    stop: int
    kind: str
    is_coded: bool

    @property
    def leads(self) -> bool:
        """Whether others lean on it."""
        return self.kind != "B"


class _Bits:
    def __init__(self, data: bytes) -> None:
        self._value = int.from_bytes(data, "big")
        self._left = 8 * len(data)

    def take(self, count: int) -> int:
        """The next bits as a number. Raises ValueError at the end."""
        self._left -= count
        if self._left < 0:
            raise ValueError
        return self._value >> self._left & ((1 << count) - 1)


@dataclass(frozen=True, slots=True)
class CodedLayer:
    """What a layer header says: ticks per second of the pictures' own times, and their width and
    height in pixels, 0 where it says none."""

    resolution: int
    size: tuple[int, int] = (0, 0)


def first_layer(data: bytes | memoryview) -> CodedLayer | None:
    """The first layer header in the data; None where there is none, or it is cut short."""
    found = _LAYER.search(data)
    if found is None:
        return None
    bits = _Bits(bytes(data[found.end() : found.end() + 60]))
    try:
        shape, resolution = _shape_and_resolution(bits)
    except ValueError:
        return None
    try:
        return CodedLayer(resolution, (0, 0) if shape else _layer_size(bits, resolution))
    except ValueError:
        return CodedLayer(resolution)


def _shape_and_resolution(bits: _Bits) -> tuple[int, int]:
    bits.take(9)
    version = bits.take(7) >> 3 if bits.take(1) else 1
    if bits.take(4) == 15:
        bits.take(16)
    if bits.take(1):  # control parameters
        bits.take(3)
        if bits.take(1):
            bits.take(79)
    shape = bits.take(2)
    if shape == 3 and version != 1:
        bits.take(4)
    bits.take(1)
    return shape, bits.take(16)


def _layer_size(bits: _Bits, resolution: int) -> tuple[int, int]:
    """The size of a rectangle, behind the resolution."""
    bits.take(1)
    if bits.take(1):  # a fixed rate
        bits.take(_tick_bits(resolution))
    bits.take(1)
    width = bits.take(13)
    bits.take(1)
    return width, bits.take(13)


def _tick_bits(resolution: int) -> int:
    return max((resolution - 1).bit_length(), 1)


def pictures_in(data: bytes, resolution: int | None) -> list[Vop]:
    """The pictures of a chunk, or those that begin in the first bytes of one."""
    starts = []
    at = data.find(_VOP)
    while at >= 0:
        starts.append(at)
        at = data.find(_VOP, at + 4)
    if not starts:
        return []
    ends = [*starts[1:], len(data)]
    begins = [0, *starts[1:]]
    return [
        Vop(begin, end, *_kind(data[start + 4 : start + 24], resolution))
        for begin, start, end in zip(begins, starts, ends, strict=True)
    ]


def _kind(header: bytes, resolution: int | None) -> tuple[str, bool]:
    bits = _Bits(header)
    try:
        kind = _KINDS[bits.take(2)]
        if not resolution:
            return kind, True
        while bits.take(1):  # whole seconds
            pass
        bits.take(2 + _tick_bits(resolution))
        return kind, bool(bits.take(1))
    except ValueError:
        return "P", True
