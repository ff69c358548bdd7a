import pytest

from telemetry.protocol.wire.crc import CRC_TABLE, crc8
from telemetry.protocol.wire.frame import MAX_LENGTH, FrameType, encode


def test_crc_table_starts_as_on_the_aircraft() -> None:
    assert CRC_TABLE[:16].hex(" ") == "00 07 0e 09 1c 1b 12 15 38 3f 36 31 24 23 2a 2d"


@pytest.mark.parametrize(
    ("frame_type", "object_id", "body", "expected"),
    [
        (FrameType.OBJ_REQ, 0xD23852DC, "0000", "3c210a00dc5238d20000a4"),
        (
            FrameType.OBJ_ACK,
            0xD23852DC,
            "01000000304100004041000050c10000a04001",
            "3c221b00dc5238d201000000304100004041000050c10000a04001d7",
        ),
        (
            FrameType.OBJ_ACK,
            0x99C63292,
            "0000703aab74000000000200",
            "3c2214009232c6990000703aab74000000000200dc",
        ),
    ],
)
def test_frames_equal_those_seen_on_the_wire(
    frame_type: int, object_id: int, body: str, expected: str
) -> None:
    encoded = encode(frame_type, object_id, bytes.fromhex(body))
    assert crc8(encoded) == 0
    assert encoded.hex() == expected


def test_a_body_that_no_receiver_takes_is_refused() -> None:
    encode(FrameType.OBJ, 2, bytes(MAX_LENGTH - 8))
    with pytest.raises(ValueError, match="carries 260 bytes"):
        encode(FrameType.OBJ, 2, bytes(MAX_LENGTH - 7))
