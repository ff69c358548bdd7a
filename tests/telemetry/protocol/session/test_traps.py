"""Each trap of `uavtalk.md` section 1 that concerns sessions, in its order there."""

import pytest

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values, read_value, row_of
from telemetry.protocol.session.config import Role, SessionConfig, SessionState
from telemetry.protocol.session.events import (
    ObjectReceived,
    PersistenceFinished,
    Rebooted,
    TransactionFinished,
    UnknownObject,
)
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType, encode
from tests.telemetry.protocol.session.fakes import MemoryBoard, Pair, frames_of, small_board

FAMILIES = [
    ("LibrePilot-next-2019-02", Dialect("always", 8)),
    ("LibrePilot-16.09", Dialect("always", 8)),
    ("OpenPilot-15.02.02", Dialect("always", 8)),
    ("OpenPilot-13.06", Dialect("multi", 7)),
    ("TauLabs-20151123", Dialect("multi", 7)),
    ("dRonin-20180729", Dialect("multi", 7)),
    ("OpenPilot-11.08", Dialect("multi", 19)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("release", "dialect"), FAMILIES)
def test_1_to_3_every_family_is_understood(
    catalogue: Catalogue, release: str, dialect: Dialect
) -> None:
    board = MemoryBoard(catalogue.release(release), dialect.metadata_bytes)
    pair = Pair(catalogue, board, flight_config=SessionConfig(dialect=dialect))
    pair.run(8.0, step_s=0.01)
    status = pair.station.status
    assert status.state is SessionState.CONNECTED
    assert status.dialect == dialect
    wanted_ids = {d.object_id for d in board.definitions.values() if d.settings}
    received = {e.definition.object_id: e.payload for e in pair.of(ObjectReceived)}
    assert wanted_ids <= received.keys()
    assert all(board.values[(object_id, 0)] == received[object_id] for object_id in wanted_ids)
    metas = [object_id for object_id in received if object_id & 1]
    assert len(metas) > len(board.definitions) * 0.9
    assert all(len(received[object_id]) == dialect.metadata_bytes for object_id in metas)
    other = set(catalogue.release(release)) - set(catalogue.release(status.release))
    assert not other


def test_4_access_flags_say_0_for_read_and_write() -> None:
    assert Metadata.unpack(bytes.fromhex("1000e80300000000")).flight_readonly is False
    assert Metadata.unpack(bytes.fromhex("0100e80300000000")).flight_readonly is True


def test_5_a_silent_object_ends_by_timeout(catalogue: Catalogue) -> None:
    pair = Pair(catalogue, small_board(catalogue))
    pair.run(2.0)
    pair.is_cut = True
    request = pair.station.request(catalogue.find("SystemSettings", DEFAULT_RELEASE))
    pair.run(2.5)
    assert request.outcome is TransactionOutcome.SILENT
    assert TransactionFinished(request) in pair.station_events


def test_5_saving_an_unknown_object_ends_by_timeout(pair: Pair, catalogue: Catalogue) -> None:
    absent = catalogue.find("HwSettings", DEFAULT_RELEASE)
    job = pair.station.persist("Save", absent)
    pair.run(1.5)
    assert job.outcome is TransactionOutcome.OPEN
    pair.run(1.5)
    assert job.outcome is TransactionOutcome.SILENT
    assert PersistenceFinished(job) in pair.station_events


def test_6_a_second_instance_of_a_single_instance_object_is_never_sent(pair: Pair) -> None:
    settings = pair.board.named("SystemSettings")
    with pytest.raises(ValueError, match="one instance only"):
        pair.station.write(settings, 1, bytes(settings.size))
    with pytest.raises(ValueError, match="one instance only"):
        pair.station.request(settings, 1)
    with pytest.raises(ValueError, match="bytes"):
        pair.station.write(settings, 0, b"\0")
    assert pair.station.bytes_to_send() == b""
    pair.run(1.0)  # and nothing of it is left behind


def test_7_connected_is_repeated_while_the_aircraft_lags(catalogue: Catalogue) -> None:
    board = small_board(catalogue)
    station = Session(Role.GCS, catalogue)
    stats = board.named("FlightTelemetryStats")
    lagging = encode(
        FrameType.OBJ,
        stats.object_id,
        b"\0\0" + pack_values(stats, {"Status": "HandshakeAck"}),
    )
    said = []
    station.start(0.0)
    for step in range(300):
        now = step * 0.01
        station.receive(lagging if step in (50, 100, 150, 200) else b"", now)
        station.tick(now)
        for frame in FrameDecoder().feed(station.bytes_to_send()):
            if frame.object_id == board.named("GCSTelemetryStats").object_id:
                row = row_of(board.named("GCSTelemetryStats"), frame.body[2:])
                said.append(read_value(board.named("GCSTelemetryStats"), row, "Status"))
    assert said[0] == "HandshakeReq"
    assert said.count("Connected") >= 4
    assert "HandshakeReq" not in said[said.index("Connected") :]


def test_7_periodic_objects_are_taken_without_handshake(catalogue: Catalogue) -> None:
    attitude = catalogue.find("AttitudeState", DEFAULT_RELEASE)
    station = Session(Role.GCS, catalogue)
    station.start(0.0)
    frame = encode(FrameType.OBJ, attitude.object_id, b"\0\0" + bytes(attitude.size))
    events = station.receive(frame, 0.1)
    assert ObjectReceived(attitude, 0, bytes(attitude.size)) in events
    assert station.state is SessionState.CONNECTING


class Stutterer(Pair):
    """A pair whose aircraft answers requests with OBJ and NACK, and sends everything twice."""

    def run(self, seconds: float, step_s: float = 0.005) -> None:
        answer = self.flight.bytes_to_send

        def stuttering() -> bytes:
            out = b""
            for frame in frames_of(answer()):
                nack = encode(FrameType.NACK, int.from_bytes(frame[4:8], "little"), frame[8:10])
                is_object = frame[1] == FrameType.OBJ
                out += (frame * 2) + (nack * 2 if is_object else b"")
            return out

        self.flight.bytes_to_send = stuttering  # type: ignore[method-assign]
        super().run(seconds, step_s)
        self.flight.bytes_to_send = answer  # type: ignore[method-assign]


def test_8_a_late_nack_undoes_nothing_and_twice_is_fine(catalogue: Catalogue) -> None:
    pair = Stutterer(catalogue, small_board(catalogue))
    pair.run(4.0)
    assert pair.station.state is SessionState.CONNECTED
    received = {e.definition.name for e in pair.of(ObjectReceived)}
    assert {"SystemSettings", "MixerSettings", "SystemSettingsMeta"} <= received
    settings = pair.board.named("SystemSettings")
    write = pair.station.write(settings, 0, bytes(settings.size))
    pair.run(1.0)
    assert write.outcome is TransactionOutcome.DONE


def test_9_unknown_ids_are_counted_and_lived_with(pair: Pair) -> None:
    stranger = encode(FrameType.OBJ, 0x0BADF00C, b"\0\0\1\2\3")
    events = pair.station.receive(stranger * 3, pair.now)
    assert events == [UnknownObject(0x0BADF00C)]
    assert pair.station.status.unknown_objects == 1
    assert pair.station.status.counters.unknown_frames == 3
    assert pair.station.state is SessionState.CONNECTED


def test_10_a_reboot_fetches_everything_again(pair: Pair) -> None:
    pair.send_flight_time(90_000)
    pair.run(0.5)
    assert pair.of(Rebooted) == []
    settings = pair.board.named("MixerSettings")
    changed = bytes([1]) * settings.size
    pair.board.values[(settings.object_id, 0)] = changed
    pair.reboot()
    pair.station_events.clear()
    pair.send_flight_time(1_200)
    pair.run(3.0)
    assert len(pair.of(Rebooted)) == 1
    assert ObjectReceived(settings, 0, changed) in pair.station_events
    assert pair.station.state is SessionState.CONNECTED


def test_10_time_that_wavers_is_no_reboot(pair: Pair) -> None:
    for milliseconds in (90_000, 89_500, 90_100):
        pair.send_flight_time(milliseconds)
        pair.run(0.1)
    assert pair.of(Rebooted) == []


def test_11_chunks_may_be_cut_anywhere(catalogue: Catalogue) -> None:
    pair = Pair(catalogue, small_board(catalogue))
    pair.run(2.0)
    for name in ("AttitudeState", "SystemStats"):
        pair.flight.publish(pair.board.named(name).object_id)
    data = pair.flight.bytes_to_send()
    whole = [type(e) for e in pair.station.receive(data, pair.now)]
    single = [
        type(e) for i in range(len(data)) for e in pair.station.receive(data[i : i + 1], pair.now)
    ]
    assert whole == single == [ObjectReceived, ObjectReceived]
