"""MPEG-4 Part 2 picture headers (XviD, DivX), after ISO/IEC 14496-2, 6.2.3 and 6.2.5."""

from dataclasses import dataclass
from typing import Final

_VOP: Final = b"\x00\x00\x01\xb6"
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


def time_resolution(data: bytes) -> int | None:
    """Ticks per second of the pictures' own times, of the first layer header in the data."""
    for layer in range(0x20, 0x30):
        at = data.find(bytes((0, 0, 1, layer)))
        if at >= 0:
            try:
                return _layer_resolution(_Bits(data[at + 4 : at + 64]))
            except ValueError:
                return None
    return None


def _layer_resolution(bits: _Bits) -> int:
    bits.take(9)
    if bits.take(1):
        bits.take(7)
    if bits.take(4) == 15:
        bits.take(16)
    if bits.take(1):  # control parameters
        bits.take(3)
        if bits.take(1):
            bits.take(79)
    if bits.take(2) == 3:
        bits.take(4)
    bits.take(1)
    return bits.take(16)


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
        bits.take(2 + max((resolution - 1).bit_length(), 1))
        return kind, bool(bits.take(1))
    except ValueError:
        return "P", True
