"""Everything a station would have fetched, as frames, for the head of a flight that is recorded
without one."""

from simulation.autopilot.board import Board
from telemetry.wire.dialect import Dialect
from telemetry.wire.frame import FrameType


def settings_frames(board: Board, dialect: Dialect) -> bytes:
    """All settings objects and all metaobjects of a board, one frame each."""
    frames = []
    for entry in board.objects():
        object_id = entry.definition.object_id
        if entry.definition.settings:
            frames.append(_frame(board, dialect, object_id, entry.definition.single_instance))
        frames.append(_frame(board, dialect, object_id + 1, is_single=True))
    return b"".join(frames)


def _frame(board: Board, dialect: Dialect, object_id: int, is_single: bool) -> bytes:
    payload = board.read(object_id, 0) or b""
    return dialect.encode(FrameType.OBJ, object_id, 0, is_single, payload)
