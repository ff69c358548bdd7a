"""How an aircraft answers: the table of `uavtalk.md` 2.1, frame by frame."""

import pytest

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.session import Session
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.frame import FrameType, encode
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board

UNKNOWN = 0xDEADBEE0
ALL = 0xFFFF
REQ, OBJ, OBJ_ACK, ACK, NACK = (
    FrameType.OBJ_REQ,
    FrameType.OBJ,
    FrameType.OBJ_ACK,
    FrameType.ACK,
    FrameType.NACK,
)


@pytest.fixture
def board(catalogue: Catalogue) -> MemoryBoard:
    board = small_board(catalogue)
    waypoint = board.named("Waypoint")
    board.write(waypoint.object_id, 2, bytes(waypoint.size))
    return board


def answers(
    catalogue: Catalogue, board: MemoryBoard, kind: FrameType, object_id: int, body: bytes
) -> list[tuple[int, int, int]]:
    """(type, id, instance) of every frame that comes back."""
    session = Session(Role.FLIGHT, catalogue, board=board)
    session.receive(encode(kind, object_id, body), 1.0)
    decoder = FrameDecoder()
    frames = decoder.feed(session.bytes_to_send())
    return [(f.type, f.object_id, int.from_bytes(f.body[:2], "little")) for f in frames]


def at(instance: int, payload: bytes = b"") -> bytes:
    return instance.to_bytes(2, "little") + payload


REQUESTS = [
    ("AttitudeState", 0, [(OBJ, 0)]),
    ("AttitudeState", ALL, [(OBJ, 0)]),
    ("AttitudeState", 3, [(NACK, 3)]),
    ("Waypoint", 1, [(OBJ, 1)]),
    ("Waypoint", 7, [(NACK, 7)]),
    ("Waypoint", ALL, [(OBJ, 2), (OBJ, 1), (OBJ, 0)]),
    ("FlightTelemetryStats", 0, [(OBJ, 0)]),
]


@pytest.mark.parametrize(("name", "instance", "expected"), REQUESTS)
def test_requests(
    catalogue: Catalogue,
    board: MemoryBoard,
    name: str,
    instance: int,
    expected: list[tuple[int, int]],
) -> None:
    object_id = board.named(name).object_id
    found = answers(catalogue, board, REQ, object_id, at(instance))
    assert found == [(kind, object_id, number) for kind, number in expected]


@pytest.mark.parametrize(
    ("instance", "expected"), [(0, [(OBJ, 0)]), (ALL, [(OBJ, 0)]), (1, [(NACK, 1)])]
)
def test_requests_of_metaobjects(
    catalogue: Catalogue, board: MemoryBoard, instance: int, expected: list[tuple[int, int]]
) -> None:
    meta_id = board.named("Waypoint").object_id + 1
    found = answers(catalogue, board, REQ, meta_id, at(instance))
    assert found == [(kind, meta_id, number) for kind, number in expected]


@pytest.mark.parametrize("kind", [REQ, OBJ_ACK])
def test_unknown_ids_are_refused_but_not_for_all_instances(
    catalogue: Catalogue, board: MemoryBoard, kind: FrameType
) -> None:
    assert answers(catalogue, board, kind, UNKNOWN, at(0)) == [(NACK, UNKNOWN, 0)]
    assert answers(catalogue, board, kind, UNKNOWN, at(ALL)) == []


WRITES = [
    (OBJ_ACK, 0, [(ACK, 0)]),
    (OBJ_ACK, 5, [(ACK, 5)]),
    (OBJ_ACK, 999, [(ACK, 999)]),
    (OBJ_ACK, 1000, [(NACK, 1000)]),
    (OBJ_ACK, ALL, []),
    (OBJ, 0, []),
    (OBJ, 1000, []),
]


@pytest.mark.parametrize(("kind", "instance", "expected"), WRITES)
def test_writes(
    catalogue: Catalogue,
    board: MemoryBoard,
    kind: FrameType,
    instance: int,
    expected: list[tuple[int, int]],
) -> None:
    waypoint = board.named("Waypoint")
    payload = bytes([7]) * waypoint.size
    found = answers(catalogue, board, kind, waypoint.object_id, at(instance, payload))
    assert found == [(answer, waypoint.object_id, number) for answer, number in expected]
    if instance < 1000:
        assert board.read(waypoint.object_id, instance) == payload
        assert board.instance_count(waypoint.object_id) == max(3, instance + 1)


def test_a_metaobject_has_one_instance(catalogue: Catalogue, board: MemoryBoard) -> None:
    meta_id = board.named("Waypoint").object_id + 1
    assert answers(catalogue, board, OBJ_ACK, meta_id, at(1, bytes(8))) == [(NACK, meta_id, 1)]
    assert answers(catalogue, board, OBJ_ACK, meta_id, at(0, bytes(8))) == [(ACK, meta_id, 0)]


def test_a_refused_write_is_a_nack(catalogue: Catalogue, board: MemoryBoard) -> None:
    settings = board.named("SystemSettings")
    board.refused.add(settings.object_id)
    found = answers(catalogue, board, OBJ_ACK, settings.object_id, at(0, bytes(settings.size)))
    assert found == [(NACK, settings.object_id, 0)]


def test_a_wrong_length_gets_no_answer_and_the_next_frame_is_read(
    catalogue: Catalogue, board: MemoryBoard
) -> None:
    settings = board.named("SystemSettings")
    session = Session(Role.FLIGHT, catalogue, board=board)
    broken = encode(OBJ_ACK, settings.object_id, at(0, bytes(settings.size - 1)))
    good = encode(REQ, settings.object_id, at(0))
    session.receive(b"junk" + broken + good, 1.0)
    frames = FrameDecoder().feed(session.bytes_to_send())
    assert [frame.type for frame in frames] == [OBJ]
    assert session.status.counters.misfits == 1
    assert session.status.counters.junk_bytes == 4


def test_an_acknowledged_object_is_repeated_once(catalogue: Catalogue, board: MemoryBoard) -> None:
    session = Session(Role.FLIGHT, catalogue, board=board)
    settings = board.named("SystemSettings")
    sent = []
    session.publish(settings.object_id, 0, acked=True)
    for step in range(100):
        session.tick(step * 0.01)
        sent += [step * 0.01] * len(FrameDecoder().feed(session.bytes_to_send()))
    assert sent == pytest.approx([0.0, 0.25])


def test_an_acknowledgement_ends_the_repeating(catalogue: Catalogue, board: MemoryBoard) -> None:
    session = Session(Role.FLIGHT, catalogue, board=board)
    settings = board.named("SystemSettings")
    session.publish(settings.object_id, 0, acked=True)
    session.tick(0.0)
    session.bytes_to_send()
    session.receive(encode(ACK, settings.object_id, at(0)), 0.1)
    session.tick(5.0)
    assert session.bytes_to_send() == b""


def test_publishing_what_the_firmware_lacks_is_an_error(
    catalogue: Catalogue, board: MemoryBoard
) -> None:
    session = Session(Role.FLIGHT, catalogue, board=board)
    with pytest.raises(ValueError, match="DEADBEE0"):
        session.publish(UNKNOWN)
