"""MP4 index: the packets of an MP4 or MOV file without reading it whole.

By FFmpeg's index, which has no times of presentation, and the file's header, which has them. What
they say is compared with the first and the last packets."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.base.input_files import open_file
from telemetry.recording.video_files.mp4_boxes import shown_after
from telemetry.recording.video_files.packet_table import PACKETS, read_packets

_AT_BEGIN, _AT_END = 32, 8
"""Packets that are compared."""

_ENTRIES = np.dtype(
    [
        ("dts", np.int64),
        ("position", np.int64),
        ("size", np.int64),
        ("is_key", np.bool_),
        ("is_discarded", np.bool_),
    ]
)
"""FFmpeg's index, a row per packet."""


def may_have_index(container: Any) -> bool:
    """Whether a container is of the kind that says at its beginning or end what is in it."""
    return "mp4" in container.format.name.split(",")


def read_index(path: Path, container: Any, stream: Any) -> npt.NDArray[Any] | None:
    """The table that reading all packets would give, or None where only that can tell. Leaves the
    container anywhere. Raises OSError."""
    told = getattr(stream, "index_entries", ())  # the oldest PyAV we take has none
    entries = np.fromiter(
        ((one.timestamp, one.pos, one.size, one.is_keyframe, one.is_discard) for one in told),
        _ENTRIES,
    )
    with open_file(path) as file:
        shifts = shown_after(file, stream.id, len(entries))
        file_bytes = file.seek(0, 2)
    if shifts is None or not len(entries):
        return None
    dts, position, size = entries["dts"], entries["position"], entries["size"]
    table = np.zeros(len(entries), PACKETS)
    table["pts"], table["dts"], table["position"] = dts + shifts, dts, position
    table["is_key"], table["is_shown"] = entries["is_key"], ~entries["is_discarded"]
    table["duration"][:-1] = np.diff(dts)
    table = table[(size > 0) & (position < file_bytes)]
    return table if len(table) and _fits(table, container, stream) else None


def _fits(table: npt.NDArray[Any], container: Any, stream: Any) -> bool:
    """Whether the first and last packets are those of the table, whose times of presentation are
    put right by what is common to all."""
    container.seek(int(table["dts"][0]), stream=stream)
    first = read_packets(container, stream, _AT_BEGIN)
    begin = max(len(table) - _AT_END, 0)
    container.seek(int(table["dts"][begin]), stream=stream, any_frame=True)
    last = read_packets(container, stream)[-len(table[begin:]) :]
    if not len(first) or len(last) != len(table) - begin:
        return False
    table["pts"] += first["pts"][0] - table["pts"][0]
    table["duration"][-1] = last["duration"][-1]
    head = table[: len(first)]
    return np.array_equal(head, first) and np.array_equal(table[begin:], last)
