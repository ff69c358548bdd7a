"""Object snapshot: the frames a station would have fetched, for the head of a flight's log.

For a flight that is recorded without a station.
"""

from simulation.autopilot.board import SimulatedBoard
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType


def settings_frames(board: SimulatedBoard, dialect: Dialect) -> bytes:
    """All settings objects and all metaobjects of a board, one frame each."""
    frames = []
    for entry in board.objects():
        if entry.definition.settings:
            frames.append(entry.frame(dialect))
        metaobject_id = entry.definition.object_id + 1
        metadata = board.read(metaobject_id, 0) or b""
        frames.append(dialect.encode(FrameType.OBJ, metaobject_id, 0, True, metadata))
    return b"".join(frames)
