"""Log filling: how fast entries fill the slots of a board's flash.

Facts: LibrePilot's `pios_debuglog.c`. A slot holds a header and 200 bytes of data. The first object
of a block has the header of the slot, each further one a header of its own before it within the
data; one that does not fit begins the next block.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

HEADER_BYTES: Final = 17
DATA_BYTES: Final = 200
_ENTRIES = 4000
"""So many are packed to find how full blocks get."""
_GOLDEN = 0.618034
"""Phases that are multiples of it are spread evenly, however many there are."""


@dataclass(frozen=True, slots=True)
class LoggedStream:
    """Entries of one size, regularly."""

    size_bytes: int
    per_s: float


def slots_per_s(streams: Iterable[LoggedStream]) -> float:
    """Slots that are filled each second: some seconds of entries are packed as the board does.
    Which phases the objects really have is not known, so it is right to a few per cent."""
    logged = [stream for stream in streams if stream.per_s > 0.0]
    if not logged:
        return 0.0
    window_s = _ENTRIES / sum(stream.per_s for stream in logged)
    arrivals = sorted(
        ((count + number * _GOLDEN % 1.0) / stream.per_s, stream.size_bytes)
        for number, stream in enumerate(logged)
        for count in range(int(window_s * stream.per_s) + 1)
    )
    return _slots_of(size for t, size in arrivals if t < window_s) / window_s


def _slots_of(sizes: Iterable[int]) -> float:
    """How many slots these entries fill, the last one in part."""
    full, used = 0, 0
    for size in sizes:
        further = used + HEADER_BYTES + size
        if used and further > DATA_BYTES:
            full += 1
            used = size
        else:
            used = further if used else size
    return full + min(1.0, used / DATA_BYTES)
