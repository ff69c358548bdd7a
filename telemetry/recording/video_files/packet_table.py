"""Packet table: the packets of a stream as columns, and how they are read one after the other."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

NO_TIME: Final = -(2**62)

PACKETS: Final = np.dtype(
    [
        ("pts", np.int64),
        ("dts", np.int64),
        ("duration", np.int64),
        ("position", np.int64),
        ("is_key", np.bool_),
        ("is_shown", np.bool_),
    ]
)
"""A row per packet, in the order of decoding: times in ticks of the stream or NO_TIME, and where in
the file it stands, -1 if that is not known."""


def read_packets(container: Any, stream: Any, most: int | None = None) -> npt.NDArray[Any]:
    """All packets of a stream from where the container stands, or so many; raises OSError."""
    rows: list[tuple[Any, ...]] = []
    packets = container.demux(stream)
    while len(rows) != most and (packet := next_packet(packets)) is not None:
        if packet.size:
            numbers = (ticks(packet.pts), ticks(packet.dts), packet.duration or 0)
            place = -1 if packet.pos is None else packet.pos
            rows.append((*numbers, place, packet.is_keyframe, not packet.is_discard))
    return np.array(rows, PACKETS)


def next_packet(packets: Iterator[Any]) -> Any | None:
    """The next packet, None at the end and where damage leaves none. Raises OSError."""
    import av

    try:
        return next(packets, None)
    except OSError:
        raise
    except av.error.FFmpegError:
        return None


def ticks(time: int | None) -> int:
    """A time of a packet as the table has it."""
    return NO_TIME if time is None else time
