import pytest

from telemetry.protocol.wire.dialect import Dialect, DialectDetector, InstanceId, Parts
from telemetry.protocol.wire.frame import Frame, FrameType
from tests.telemetry.protocol.wire.streams import decode

ALWAYS = Dialect("always", 8)
MULTI = Dialect("multi", 7)


@pytest.mark.parametrize("dialect", [ALWAYS, MULTI])
@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("frame_type", [FrameType.OBJ, FrameType.OBJ_ACK])
def test_a_value_survives_the_way_over_the_wire(
    dialect: Dialect, single: bool, frame_type: FrameType
) -> None:
    instance = 0 if single else 3
    encoded = dialect.encode(frame_type, 0x20, instance, single, b"payload")
    (frame,), _ = decode(encoded)
    assert dialect.split(frame, 7, single) == Parts(instance, b"payload")
    assert dialect.split(frame, 6, single) is None
    assert dialect.split(frame, 12, single) is None


@pytest.mark.parametrize("frame_type", [FrameType.OBJ_REQ, FrameType.ACK, FrameType.NACK])
@pytest.mark.parametrize(
    ("dialect", "single", "size"), [(ALWAYS, True, 11), (ALWAYS, False, 11), (MULTI, True, 9)]
)
def test_requests_and_answers_have_the_sizes_seen_on_the_wire(
    frame_type: FrameType, dialect: Dialect, single: bool, size: int
) -> None:
    encoded = dialect.encode(frame_type, 0x20, 0, single)
    assert len(encoded) == size
    (frame,), _ = decode(encoded)
    assert dialect.split(frame, 7, single) == Parts(0, b"")


def test_a_nack_of_the_multi_dialect_names_no_instance() -> None:
    assert len(MULTI.encode(FrameType.NACK, 0x20, 2, single_instance=False)) == 9
    assert len(MULTI.encode(FrameType.ACK, 0x20, 2, single_instance=False)) == 11


def test_a_timestamp_stands_between_instance_and_payload() -> None:
    frame = Frame(FrameType.OBJ_ACK_TS, 0x20, bytes.fromhex("0000 3412 aabbcc"))
    assert ALWAYS.split(frame, 3, True) == Parts(0, b"\xaa\xbb\xcc", 0x1234)
    short = Frame(FrameType.OBJ_TS, 0x20, bytes.fromhex("3412 aabbcc"))
    assert MULTI.split(short, 3, True) == Parts(0, b"\xaa\xbb\xcc", 0x1234)


@pytest.mark.parametrize("size", [7, 8, 19])
@pytest.mark.parametrize("instance", [b"", b"\0\0"])
def test_metadata_is_known_by_its_length(size: int, instance: bytes) -> None:
    frame = Frame(FrameType.OBJ, 0x21, instance + bytes(size))
    parts = Dialect().split(frame, 8, True, is_meta=True)
    assert parts is not None
    assert len(parts.payload) == size


def test_metadata_of_an_impossible_length_is_refused() -> None:
    frame = Frame(FrameType.OBJ, 0x21, bytes(12))
    assert Dialect().split(frame, 12, True, is_meta=True) is None


@pytest.mark.parametrize(("instance_id", "size"), [("always", 8), ("multi", 7), ("multi", 19)])
def test_the_dialect_is_learned_from_the_stream(instance_id: InstanceId, size: int) -> None:
    spoken = Dialect(instance_id, size)
    detector = DialectDetector()
    assert (detector.instance_id, detector.metadata_bytes) == ("?", None)
    stream = spoken.encode(FrameType.OBJ, 0x20, 0, True, bytes(5)) * 3
    stream += spoken.encode(FrameType.OBJ, 0x21, 0, True, bytes(size))
    for frame in decode(stream)[0]:
        detector.observe(frame, 5, True, is_meta=frame.object_id == 0x21)
    assert detector.dialect == spoken
    assert (detector.instance_id, detector.metadata_bytes) == (instance_id, size)


def test_multi_instance_objects_and_requests_tell_nothing() -> None:
    detector = DialectDetector()
    frame = Frame(FrameType.OBJ, 0x20, bytes(7))
    detector.observe(frame, 5, False)
    detector.observe(Frame(FrameType.OBJ_REQ, 0x20, b""), 0, True)
    assert detector.instance_id == "?"
    assert detector.dialect == ALWAYS


def test_without_metadata_its_size_follows_the_instance_id() -> None:
    detector = DialectDetector()
    detector.observe(Frame(FrameType.OBJ, 0x20, bytes(5)), 5, True)
    assert detector.dialect == Dialect("multi", 7)
