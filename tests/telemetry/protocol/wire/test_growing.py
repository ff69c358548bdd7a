import numpy as np

from telemetry.protocol.wire.growing import GrowingArray


def test_pieces_stand_one_behind_the_other_also_beyond_the_room() -> None:
    array = GrowingArray(np.int32, 3)
    pieces = [np.arange(2), np.arange(0), np.arange(2), np.arange(50)]
    for piece in pieces:
        array.add(piece)
    assert array.items.tolist() == np.concatenate(pieces).tolist()
    assert len(array) == 54
    assert array.items.dtype == np.dtype(np.int32)
