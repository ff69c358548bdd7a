"""A station and an aircraft wired to each other over a network that fails."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, read_value, row_of
from telemetry.protocol.session.config import Role, SessionState
from telemetry.protocol.session.events import ObjectReceived, ObjectSent, StateChanged
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.protocol.wire.frame import FrameType, encode
from tests.telemetry.protocol.session.fakes import MemoryBoard, Pair, small_board


def fetched_values(pair: Pair) -> dict[tuple[int, int], bytes]:
    return {
        (e.definition.object_id, e.instance): e.payload
        for e in pair.station_events
        if isinstance(e, ObjectReceived)
    }


@pytest.mark.slow
def test_states_come_in_order(catalogue: Catalogue) -> None:
    pair = Pair(catalogue, small_board(catalogue))
    pair.run(2.0)
    states = [e.state for e in pair.station_events if isinstance(e, StateChanged)]
    assert states == [SessionState.CONNECTING, SessionState.FETCHING, SessionState.CONNECTED]
    assert pair.flight.is_connected


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000), loss=st.floats(0.0, 0.15), doubling=st.floats(0.0, 0.5))
def test_whatever_the_network_does_every_setting_arrives(
    catalogue: Catalogue, seed: int, loss: float, doubling: float
) -> None:
    board = small_board(catalogue)
    pair = Pair(catalogue, board, loss=loss, doubling=doubling, delay_s=0.03, seed=seed)
    for _ in range(30):
        pair.run(1.0, step_s=0.01)
        if pair.station.state is SessionState.CONNECTED:
            break
    found = fetched_values(pair)
    for definition in board.definitions.values():
        if definition.settings:
            address = (definition.object_id, 0)
            assert found.get(address) == board.values[address]


def test_all_instances_are_walked(catalogue: Catalogue) -> None:
    board = small_board(catalogue)
    action = board.named("PathAction")
    board.write(action.object_id, 11, bytes(action.size))
    pair = Pair(catalogue, board)
    pair.run(2.0)
    found = {
        instance for object_id, instance in fetched_values(pair) if object_id == action.object_id
    }
    assert found == set(range(12))
    assert pair.station.status.fetched == pair.station.status.total


def test_a_write_reaches_the_board_and_is_told_after_the_ack(pair: Pair) -> None:
    bank = pair.board.named("StabilizationSettingsBank1")
    payload = pack_values(bank, {"RollPI.Kp": 4.5})
    write = pair.station.write(bank, 0, payload)
    assert not [e for e in pair.of(ObjectSent) if e == ObjectSent(bank, 0, payload)]
    pair.run(0.2)
    assert write.outcome is TransactionOutcome.DONE
    assert pair.board.values[(bank.object_id, 0)] == payload
    assert ObjectSent(bank, 0, payload) in pair.station_events


def test_a_refused_write_is_not_told_as_sent_and_is_read_back(pair: Pair) -> None:
    bank = pair.board.named("StabilizationSettingsBank1")
    pair.board.refused.add(bank.object_id)
    pair.station_events.clear()
    write = pair.station.write(bank, 0, pack_values(bank, {"RollPI.Kp": 4.5}))
    pair.run(0.2)
    assert write.outcome is TransactionOutcome.REFUSED
    assert [e for e in pair.of(ObjectSent) if e.definition == bank] == []  # type: ignore[attr-defined]
    held = pair.board.values[(bank.object_id, 0)]
    assert ObjectReceived(bank, 0, held) in pair.station_events


def test_silence_loses_the_link_and_it_comes_back(pair: Pair) -> None:
    pair.is_cut = True
    pair.run(4.0)
    assert pair.station.state is SessionState.CONNECTED
    pair.run(2.0)
    assert pair.station.state is SessionState.LOST
    status = pair.board.named("FlightStatus")
    changed = pack_values(status, {"Armed": "Armed"})
    pair.board.values[(status.object_id, 0)] = changed
    pair.is_cut = False
    pair.run(6.0)
    assert pair.station.state is SessionState.CONNECTED
    assert ObjectReceived(status, 0, changed) in pair.station_events


def test_going_silent_during_fetch_ends_in_a_lost_link(catalogue: Catalogue) -> None:
    pair = Pair(catalogue, MemoryBoard(catalogue.release(DEFAULT_RELEASE)), delay_s=0.05)
    pair.run(0.6)
    assert pair.station.state is SessionState.FETCHING
    assert 0 < pair.station.status.fetched < pair.station.status.total
    pair.is_cut = True
    pair.run(9.0, step_s=0.02)
    assert pair.station.state is SessionState.LOST
    pair.is_cut = False
    pair.run(12.0, step_s=0.02)
    assert pair.station.state is SessionState.CONNECTED
    assert pair.station.status.fetched == pair.station.status.total


def test_a_write_while_the_link_breaks_is_cancelled(pair: Pair) -> None:
    bank = pair.board.named("StabilizationSettingsBank1")
    write = pair.station.write(bank, 0, pack_values(bank, {}))
    pair.station.stop(pair.now)
    assert write.outcome is TransactionOutcome.CANCELLED


def test_a_flood_is_taken_whole(pair: Pair) -> None:
    attitude = pair.board.named("AttitudeState")
    frame = encode(FrameType.OBJ, attitude.object_id, b"\0\0" + bytes(attitude.size))
    events = pair.station.receive(frame * 5000, pair.now)
    assert sum(isinstance(e, ObjectReceived) for e in events) == 5000
    assert pair.station.status.counters.crc_errors == 0


def test_damage_is_counted_and_nothing_wrong_is_shown(pair: Pair) -> None:
    attitude = pair.board.named("AttitudeState")
    sent = set()
    stream = bytearray()
    for number in range(400):
        payload = pack_values(attitude, {"Roll": float(number)})
        sent.add(payload)
        stream += encode(FrameType.OBJ, attitude.object_id, b"\0\0" + payload)
        stream += encode(FrameType.OBJ_REQ, attitude.object_id, b"\0\0")
    for index in range(19, len(stream), 20):
        stream[index] ^= 0xFF
    events = pair.station.receive(bytes(stream), pair.now)
    assert {e.payload for e in events if isinstance(e, ObjectReceived)} <= sent
    assert pair.station.status.counters.crc_errors > 300


def test_saving_is_verified_by_reading_back(pair: Pair) -> None:
    bank = pair.board.named("StabilizationSettingsBank1")
    payload = pack_values(bank, {"RollPI.Kp": 4.5})
    pair.station.write(bank, 0, payload)
    job = pair.station.persist("Save", bank)
    pair.run(0.5)
    assert job.outcome is TransactionOutcome.DONE
    assert pair.board.stored[(bank.object_id, 0)] == payload


def test_saving_what_reads_back_differently_is_not_verified(pair: Pair) -> None:
    pair.board.forgets_on_save = True
    job = pair.station.persist("Save", pair.board.named("StabilizationSettingsBank1"))
    pair.run(0.5)
    assert job.outcome is TransactionOutcome.DIFFERENT


def test_what_the_board_cannot_do_fails(pair: Pair) -> None:
    job = pair.station.persist("Load", pair.board.named("StabilizationSettingsBank1"))
    pair.run(0.5)
    assert job.outcome is TransactionOutcome.FAILED


def test_jobs_wait_for_each_other(pair: Pair) -> None:
    bank, mixer = pair.board.named("StabilizationSettingsBank1"), pair.board.named("MixerSettings")
    jobs = [pair.station.persist("Save", each) for each in (bank, mixer, bank)]
    pair.run(1.0)
    assert [job.outcome for job in jobs] == [TransactionOutcome.DONE] * 3


@pytest.mark.slow
def test_a_lost_ack_of_a_job_is_made_good_by_its_report(catalogue: Catalogue) -> None:
    for seed in range(6):
        pair = Pair(catalogue, small_board(catalogue), loss=0.2, seed=seed)
        pair.run(6.0)
        job = pair.station.persist("Save", pair.board.named("MixerSettings"))
        pair.run(4.0)
        assert job.outcome in (TransactionOutcome.DONE, TransactionOutcome.SILENT)


def test_station_statistics_are_true(pair: Pair) -> None:
    pair.station.receive(b"\x00" * 7, pair.now)
    pair.run(5.0)
    definition = pair.board.named("GCSTelemetryStats")
    row = row_of(definition, pair.board.values[(definition.object_id, 0)])
    assert read_value(definition, row, "Status") == "Connected"
    assert read_value(definition, row, "RxSyncErrors") == 7
    assert 0 < int(row["TxBytes"]) <= pair.station.status.counters.tx_bytes
    assert 0 < int(row["RxBytes"]) <= pair.station.status.counters.rx_bytes
    assert float(row["RxDataRate"]) > 0.0


def test_flight_statistics_are_zero_until_connected(catalogue: Catalogue) -> None:
    board = small_board(catalogue)
    flight = Session(Role.FLIGHT, catalogue, board=board)
    stats = board.named("FlightTelemetryStats")
    flight.receive(b"\0" * 9, 0.0)
    flight.start(0.0)
    flight.tick(0.0)
    assert flight.bytes_to_send()[10:-1] == pack_values(stats, {"Status": "Disconnected"})


def test_an_observer_listens_and_never_speaks(catalogue: Catalogue) -> None:
    attitude = catalogue.find("AttitudeState", DEFAULT_RELEASE)
    observer = Session(Role.OBSERVER, catalogue)
    observer.start(0.0)
    frame = encode(FrameType.OBJ_ACK, attitude.object_id, b"\0\0" + bytes(attitude.size))
    events = observer.receive(frame, 0.5)
    assert ObjectReceived(attitude, 0, bytes(attitude.size)) in events
    assert observer.state is SessionState.CONNECTED
    observer.tick(9.0)
    assert observer.state is SessionState.LOST
    assert observer.bytes_to_send() == b""
    with pytest.raises(ValueError, match="GCS"):
        observer.write(attitude, 0, bytes(attitude.size))


def test_an_id_of_another_release_corrects_a_hasty_judgement(catalogue: Catalogue) -> None:
    names = ("FlightTelemetryStats", "GCSTelemetryStats", "ObjectPersistence")
    pair = Pair(catalogue, MemoryBoard(catalogue.find(name, DEFAULT_RELEASE) for name in names))
    pair.run(6.0)
    assert pair.station.state is SessionState.CONNECTED
    judged = catalogue.release(pair.station.status.release)
    attitude = catalogue.find("AttitudeState", DEFAULT_RELEASE)
    assert attitude not in judged
    frame = encode(FrameType.OBJ, attitude.object_id, b"\0\0" + bytes(attitude.size))
    pair.station.receive(frame, pair.now)
    assert attitude in catalogue.release(pair.station.status.release)


def test_a_deadline_is_never_left_behind(pair: Pair) -> None:
    """A worker sleeps until the deadline; one in the past would keep it spinning."""
    for _ in range(400):
        pair.is_cut = 3.0 < pair.now - 100.0 < 15.0
        pair.run(0.05)
        deadline = pair.station.next_deadline()
        assert deadline is not None
        assert deadline > pair.now
