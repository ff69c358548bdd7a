"""Video file damage by a camera's card."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from telemetry.recording.video_files.avi import read_layout

_HEADER_BYTES = 12
"""Of a frame; they stay, so that a reader finds the frame and then cannot trust it."""


def damage_frames(path: Path, numbers: Iterable[int], random: np.random.Generator) -> None:
    """Put random bytes in the place of a good part of these frames of an AVI file. OSError is
    passed on."""
    with path.open("r+b") as file:
        layout = read_layout(file)
        stream = layout.first(b"vids") if layout is not None else None
        chunks = stream.chunks if stream is not None else []
        for number in numbers:
            chunk = chunks[number]
            room = max(chunk.size - _HEADER_BYTES, 0)
            start = int(room * random.uniform(0.0, 0.5))
            length = min(int(room * random.uniform(0.2, 0.5)) + 1, room - start)
            file.seek(chunk.offset + _HEADER_BYTES + start)
            file.write(random.bytes(length))


def truncate(path: Path, share: float) -> None:
    """Leave only that share of a file: the camera lost its power. OSError is passed on."""
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))
