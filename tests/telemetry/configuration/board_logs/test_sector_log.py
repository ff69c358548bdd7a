"""The files of Tau Labs' and dRonin's boards: whole to the byte, and none taken for another."""

import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from telemetry.configuration.board_logs.entry_log import EntryLog
from telemetry.configuration.board_logs.errors import BoardLogError, EraseNotKnownError
from telemetry.configuration.board_logs.exchange import BoardExchange
from telemetry.configuration.board_logs.opening import open_board_log
from telemetry.configuration.board_logs.sector_log import SectorLog
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType
from telemetry.recording.logs.reader import read_log
from tests.boards.emulated_log_files import SECTOR, FileBoard
from tests.boards.emulated_log_flash import LogBench, LogFlash
from tests.boards.slow_link import LinkKind, SlowBench

FAMILIES = [("dRonin-next-2021-06", False), ("TauLabs-20151123", True)]
TIMES_S = (*np.arange(0.0, 20.0, 0.5), 120.0, 121.0)


def _file(catalogue: Catalogue, release: str, rate: float) -> bytes:
    """A file as the module writes it: text, then frames with 16 bits of milliseconds."""
    known = {d.name: d for d in catalogue.release(release)}
    gyros, stats = known["Gyros"], known["SystemStats"]
    data = b"dRonin git hash:\ntag:01234567 20180729\n0123456789abcdef0123456789abcdef01234567\n"
    for t_s in TIMES_S:
        stamp = (round(t_s * 1000) + 60_000) % 65_536
        for definition, values in (
            (stats, {"FlightTime": round(t_s * 1000) + 5_000}),
            (gyros, {"x": rate * t_s}),
        ):
            payload = stamp.to_bytes(2, "little") + pack_values(definition, values)
            data += Dialect("multi", 7).encode(
                FrameType.OBJ_TS, definition.object_id, 0, definition.single_instance, payload
            )
    return data


@pytest.fixture(params=FAMILIES, ids=["dRonin", "Tau Labs"])
def board(request: pytest.FixtureRequest, catalogue: Catalogue) -> FileBoard:
    release, is_tau_labs = request.param
    files = {4: _file(catalogue, release, 1.0), 5: _file(catalogue, release, 2.0) + bytes(77)}
    return FileBoard(catalogue, release, files, is_tau_labs=is_tau_labs)


def _log(bench: SlowBench, folder: Path) -> SectorLog:
    return SectorLog(BoardExchange(bench.vehicle, bench.clock, bench.pause), folder)


def test_a_file_opens_with_its_columns_at_their_times(
    catalogue: Catalogue, board: FileBoard, tmp_path: Path
) -> None:
    bench = SlowBench(catalogue, board)
    log = _log(bench, tmp_path)
    assert [(f.number, f.is_counted) for f in log.flights()] == [(4, False), (5, False)]
    assert log.download(4).is_downloaded
    assert len(board.asked) == len(set(board.asked))
    written = log.write(4, tmp_path)
    track = read_log(written.path, catalogue).recording.track("Gyros")
    assert track is not None
    assert track.times - track.times[0] == pytest.approx(np.array(TIMES_S), abs=1e-3)
    assert track.values("x").ravel() == pytest.approx(np.array(TIMES_S))
    assert written.contents.times.boot_s == pytest.approx(5.0, abs=1e-3)


@pytest.mark.parametrize("left", [0, 1, 64, 127])
def test_the_last_sector_ends_where_the_file_does(
    catalogue: Catalogue, board: FileBoard, tmp_path: Path, left: int
) -> None:
    data = board.files[4]
    frames = data[: len(data) - len(data) % SECTOR] + bytes(range(1, left + 1))
    board.files[4] = frames
    log = _log(SlowBench(catalogue, board), tmp_path)
    log.download(4)
    assert log.data(4) == frames


def test_losses_and_kills(catalogue: Catalogue, board: FileBoard, tmp_path: Path) -> None:
    bench = SlowBench(catalogue, board, LinkKind(loss=0.05, seed=3))
    wild, kills = random.Random(2), [5, 12, 20]

    def pause(_: float) -> None:
        bench.step()
        if kills and len(board.asked) >= kills[0] and wild.random() < 0.3:
            kills.pop(0)
            raise KeyboardInterrupt

    while kills:
        with suppress(KeyboardInterrupt):
            SectorLog(BoardExchange(bench.vehicle, bench.clock, pause), tmp_path).download(4)
            break
    log = _log(bench, tmp_path)
    log.download(4)
    assert log.data(4) == board.files[4]
    log.download(5)
    assert log.data(5)[: len(board.files[5])] == board.files[5]


def test_what_somebody_else_has_begun_to_read_is_not_taken_for_ours(
    catalogue: Catalogue, board: FileBoard, tmp_path: Path
) -> None:
    bench = SlowBench(catalogue, board)

    def pause(_: float) -> None:
        bench.step()
        if len(board.asked) > 6:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        SectorLog(BoardExchange(bench.vehicle, bench.clock, pause), tmp_path / "theirs").download(5)
    log = _log(bench, tmp_path / "ours")
    log.download(4)
    assert log.data(4) == board.files[4]


def test_armed_nothing_is_read_or_erased_and_undownloaded_stays(
    catalogue: Catalogue, board: FileBoard, tmp_path: Path
) -> None:
    log = _log(SlowBench(catalogue, board), tmp_path)
    board.is_armed = True
    with pytest.raises(BoardLogError, match="Disarm"):
        log.download(4)
    board.is_armed = False
    log.download(4)
    with pytest.raises(BoardLogError, match="flight 5 is not downloaded"):
        log.erase()
    if "FORMAT" in log.store.definition.field_named("Operation").options:
        board.erases = False
        with pytest.raises(EraseNotKnownError, match="flight 5 is gone"):
            log.erase(given_up=[5])
        assert log.store.entries(4)
        board.erases = True
        log.erase(given_up=[5])
        assert not board.files
        assert log.flights() == ()
    else:  # Tau Labs of 2015
        with pytest.raises(BoardLogError, match="no command that erases"):
            log.erase(given_up=[5])


@pytest.mark.parametrize(
    ("first", "last", "count"), [(0xFFFF, 0xFFFF, 0), (9, 3, 0), (7, 7, 1), (0, 4096, None)]
)
def test_numbers_of_files_as_they_may_be_told(
    catalogue: Catalogue, board: FileBoard, tmp_path: Path, first: int, last: int, count: int | None
) -> None:
    board.say(MinFileId=first, MaxFileId=last)
    log = _log(SlowBench(catalogue, board), tmp_path)
    if count is None:
        with pytest.raises(BoardLogError, match="4097 flights, which cannot be"):
            log.flights()
    else:
        assert len(log.flights()) == count


def test_which_way_a_board_keeps_its_log(
    catalogue: Catalogue, board: FileBoard, tmp_path: Path
) -> None:
    assert type(open_board_log(SlowBench(catalogue, board).vehicle, tmp_path)) is SectorLog
    bench = LogBench(catalogue, LogFlash())
    assert type(open_board_log(bench.vehicle, tmp_path)) is EntryLog
