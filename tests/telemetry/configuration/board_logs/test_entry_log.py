"""Retrieval from an emulated board over a slow link: complete, each entry once, at its speed."""

import os
import random
import resource
from contextlib import suppress
from pathlib import Path

import pytest

from telemetry.configuration.board_logs.entries import read_block
from telemetry.configuration.board_logs.entry_log import EntryLog
from telemetry.configuration.board_logs.errors import BoardLogError, BoardLogStopped
from telemetry.configuration.board_logs.exchange import BoardExchange
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.commands import Write
from tests.boards.emulated_log_flash import HEAD, LogBench, LogFlash
from tests.boards.slow_link import LinkKind
from tests.telemetry.configuration.board_logs.flown import flown

ENTRIES = 2000 if os.environ.get("LAPWING_ALL_WAYS") else 200
FRAMES_UP, FRAMES_DOWN = 16 + 11, 11 + 228
RETRY_S = 0.25


def _log(bench: LogBench, folder: Path) -> EntryLog:
    return EntryLog(BoardExchange(bench.vehicle, bench.clock, bench.pause), folder)


def _own_time_s(bytes_per_s: float, delay_s: float) -> float:
    return (FRAMES_UP + FRAMES_DOWN) / bytes_per_s + 2 * delay_s


def _is_complete(log: EntryLog, flash: LogFlash, flight: int) -> bool:
    on_board = {number: row for (f, number), row in flash.slots.items() if f == flight}
    return log.store.entries(flight) == on_board


@pytest.mark.slow
@pytest.mark.parametrize(("bytes_per_s", "delay_s"), [(5760.0, 0.01), (15_500.0, 0.002)])
def test_a_lossless_link_is_used_to_four_fifths(
    catalogue: Catalogue, tmp_path: Path, bytes_per_s: float, delay_s: float
) -> None:
    flash = flown(catalogue, ENTRIES)
    bench = LogBench(catalogue, flash, LinkKind(bytes_per_s, delay_s))
    log = _log(bench, tmp_path)
    kept, began_s = log.flight(0).kept, bench.clock.now
    flight = log.download(0)
    took_s = bench.clock.now - began_s
    assert flight.is_downloaded
    assert _is_complete(log, flash, 0)
    assert took_s < 1.2 * (flight.entries - kept) * _own_time_s(bytes_per_s, delay_s)
    asked = bench.log_board.asked
    assert [n for n in range(flight.entries) if asked[0, n] > 1] == []
    assert log.progress.done == log.progress.total == flight.entries
    assert log.progress.left_s == 0.0


@pytest.mark.slow
def test_losses_and_kills_cost_their_time_and_no_entry(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    flash, wild = flown(catalogue, ENTRIES), random.Random(3)
    bench = LogBench(catalogue, flash, LinkKind(loss=0.05, seed=4))
    began_s = bench.clock.now
    kills = sorted(wild.sample(range(ENTRIES), 5))

    def pause(seconds: float) -> None:
        bench.pause(seconds)
        if kills and len(bench.log_board.asked) > kills[0]:
            kills.pop(0)
            raise KeyboardInterrupt

    while kills:
        with suppress(KeyboardInterrupt):
            EntryLog(BoardExchange(bench.vehicle, bench.clock, pause), tmp_path).download(0)
        with next(tmp_path.rglob("*.entries")).open("ab") as torn:
            torn.write(wild.randbytes(wild.randrange(220)))
    log = _log(bench, tmp_path)
    log.download(0)
    assert _is_complete(log, flash, 0)
    entries = len(log.store.entries(0))
    assert next(tmp_path.rglob("*.entries")).stat().st_size == 16 + entries * (8 + 217)
    trips_s = sum(bench.log_board.asked.values()) * _own_time_s(5760.0, 0.01)
    assert bench.clock.now - began_s < 1.2 * (trips_s + bench.slow.lost * RETRY_S)


def test_an_entry_that_comes_late_is_not_taken_for_the_one_before(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    flash = flown(catalogue, 60)
    bench = LogBench(catalogue, flash)
    bench.log_board.fills_after_s = 0.05
    log = _log(bench, tmp_path)
    log.download(0)
    assert _is_complete(log, flash, 0)
    # As the peer's station does: it takes what is answered.
    rows = []
    for number in range(20):
        values = {"Operation": "Retrieve", "Flight": 0, "Entry": number}
        written = bench.vehicle.commands.post(Write("DebugLogControl", values))
        asked = bench.vehicle.commands.request("DebugLogEntry")
        bench.run(lambda w=written, a=asked: w.is_finished and a.is_finished)  # type: ignore[misc]
        track = bench.vehicle.recording.track("DebugLogEntry")
        assert track is not None
        rows.append(track.sample(track.count - 1).row.tobytes())
    assert rows != [flash.slots[0, number] for number in range(20)]


def test_flights_and_lengths_by_few_questions(catalogue: Catalogue, tmp_path: Path) -> None:
    flash = flown(catalogue, 130, 20, 300)
    bench = LogBench(catalogue, flash)
    found = _log(bench, tmp_path).flights()
    lengths = [sum(f == flight for f, _ in flash.slots) for flight in range(3)]
    assert [f.entries for f in found] == lengths  # (3, 0) is the end of flight 2
    assert sum(bench.log_board.asked.values()) < 4 * 10
    assert found[0].from_boot_s is not None
    assert found[1].from_boot_s is not None
    assert found[0].from_boot_s < found[1].from_boot_s
    asked = bench.log_board.asked.copy()
    again = _log(bench, tmp_path).flights()  # most is known by now
    assert [f.entries for f in again] == [f.entries for f in found]
    assert (bench.log_board.asked - asked)[0, 1] == 0


def test_an_entry_that_tells_another_flight_is_fetched_all_the_same(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    """A block that waited for long is written in whatever flight there is then."""
    flash = flown(catalogue, 12, 12)
    flash.slots[1, 0] = HEAD.pack(5, 0x12345678, 9, 3, 0, 4, 2) + bytes(200)
    bench = LogBench(catalogue, flash, LinkKind(100_000.0, 0.001))

    def pause(seconds: float) -> None:
        if bench.log_board.asked[1, 0]:
            bench.log_board.fills_after_s = 0.1
        bench.pause(seconds)

    log = EntryLog(BoardExchange(bench.vehicle, bench.clock, pause), tmp_path)
    assert [flight.number for flight in log.flights()] == [0, 1]


def test_a_board_without_flights(catalogue: Catalogue, tmp_path: Path) -> None:
    log = _log(LogBench(catalogue, LogFlash()), tmp_path)
    assert log.flights() == ()
    with pytest.raises(BoardLogError, match="no flight 0"):
        log.download(0)


def test_another_flight_by_the_same_number_does_not_mix(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = LogBench(catalogue, flown(catalogue, 30))
    _log(bench, tmp_path).download(0)
    bench.log_board.flash = flown(catalogue, 40, seed=2)  # erased and flown again meanwhile
    log = _log(bench, tmp_path)
    log.download(0)
    assert _is_complete(log, bench.log_board.flash, 0)
    assert len(list(tmp_path.rglob("*"))) > len(list(tmp_path.rglob("*.entries")))  # kept aside


def test_it_goes_on_when_the_link_is_back(catalogue: Catalogue, tmp_path: Path) -> None:
    flash = flown(catalogue, 60)
    bench = LogBench(catalogue, flash)
    steps = 0

    def pause(seconds: float) -> None:
        nonlocal steps
        steps += 1
        if steps == 150:
            bench.pass_time(0.001)
            bench.slow.is_silent = True
        if steps == 1000:
            bench.slow.is_silent = False
        bench.pause(seconds)

    log = EntryLog(BoardExchange(bench.vehicle, bench.clock, pause), tmp_path)
    log.download(0)
    assert steps > 1000
    assert _is_complete(log, flash, 0)


def test_another_board_behind_the_same_link_is_noticed(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = LogBench(catalogue, flown(catalogue, 60))
    steps = 0

    def pause(seconds: float) -> None:
        nonlocal steps
        steps += 1
        bench.slow.is_silent = 150 < steps < 1000
        if steps == 500:
            bench.log_board.rename(b"another one!")
        bench.pause(seconds)

    with pytest.raises(BoardLogError, match="Another board"):
        EntryLog(BoardExchange(bench.vehicle, bench.clock, pause), tmp_path).download(0)


def test_stop_keeps_what_was_fetched(catalogue: Catalogue, tmp_path: Path) -> None:
    bench = LogBench(catalogue, flown(catalogue, 60))
    log = _log(bench, tmp_path)
    log.flights()
    log.stop()
    with pytest.raises(BoardLogStopped):
        log.download(0)
    assert 0 < len(log.store.entries(0)) < 60


def test_a_full_disk_is_said_and_loses_nothing(catalogue: Catalogue, tmp_path: Path) -> None:
    flash = flown(catalogue, 60)
    bench = LogBench(catalogue, flash)
    log = _log(bench, tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
    try:
        with pytest.raises(BoardLogError, match="make room"):
            log.download(0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    kept = len(log.store.entries(0))
    assert kept == (5000 - 16) // (8 + 217)
    log = _log(bench, tmp_path)
    log.download(0)
    assert _is_complete(log, flash, 0)


def test_erase_only_what_is_downloaded_or_given_up(catalogue: Catalogue, tmp_path: Path) -> None:
    bench = LogBench(catalogue, flown(catalogue, 20, 20))
    log = _log(bench, tmp_path)
    log.download(1)
    with pytest.raises(BoardLogError, match="flight 0 is not downloaded"):
        log.erase()
    bench.log_board.is_armed = True
    with pytest.raises(BoardLogError, match="disarmed"):
        log.erase(given_up=(0,))
    assert bench.log_board.flash.slots
    bench.log_board.is_armed = False
    log.erase(given_up=(0,))
    assert not bench.log_board.flash.slots
    assert log.flights() == ()
    assert log.store.entries(1) == {}


@pytest.mark.slow
def test_a_board_that_does_not_erase_is_not_called_erased(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = LogBench(catalogue, flown(catalogue, 5))
    bench.log_board.erases_for_s = 1e6
    log = EntryLog(
        BoardExchange(bench.vehicle, lambda: 10.0 * bench.clock.now, bench.pause), tmp_path
    )
    with pytest.raises(BoardLogError, match="does not say that its log is erased"):
        log.erase(given_up=(0, 1))


def test_unknown_objects_are_kept_as_they_are(catalogue: Catalogue, tmp_path: Path) -> None:
    flash = LogFlash()
    for t_us in range(0, 500_000, 10_000):
        flash.log(t_us, 0x12345678, bytes(90))
    flash.say(1e6, "end")
    flash.write_all()
    log = _log(LogBench(catalogue, flash), tmp_path)
    log.download(0)
    blocks = [read_block(log.store.definition, row) for row in log.store.entries(0).values()]
    assert {item.object_id for block in blocks for item in block.items} == {0, 0x12345678}
