"""Metadata of a board in memory, changed and restored to the bit, over good links and bad."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.session.config import SessionConfig, SessionState
from telemetry.protocol.wire.dialect import Dialect
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from telemetry.vehicle.temporary_metadata import MetadataState, TemporaryMetadata
from tests.telemetry.protocol.session.fakes import MemoryBoard, Pair, small_board

BOARD = "000102"
NAMES = ("AttitudeState", "SystemStats", "GCSReceiver")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def _faster(metadata: Metadata) -> Metadata:
    return replace(metadata, flight=UpdatePolicy(UpdateMode.PERIODIC, 20))


class Bench:
    """A connected pair with who changes metadata at the station's end."""

    def __init__(self, catalogue: Catalogue, board: MemoryBoard, folder: Path, **wire: Any):
        self.board = board
        self.pair = Pair(catalogue, board, **wire)
        self.pair.run(20.0)
        assert self.pair.station.state is SessionState.CONNECTED
        self.originals = OriginalMetadataStore(folder)
        self.temporary = TemporaryMetadata(self.pair.station, catalogue, self.originals, BOARD)

    def change(self) -> None:
        for name in NAMES:
            self.temporary.change(self.board.named(name), _faster)
        self.settle()

    def restore(self) -> None:
        self.temporary.restore()
        self.settle()

    def settle(self) -> None:
        for _ in range(4000):
            if self.temporary.is_settled:
                return
            self.pair.station_events.clear()
            self.pair.run(0.005)
            self.temporary.take(self.pair.station_events)
        raise AssertionError([entry.state for entry in self.temporary.objects])

    def states(self) -> set[MetadataState]:
        return {entry.state for entry in self.temporary.objects}

    def metadata(self, name: str) -> bytes:
        return self.board.values[(self.board.named(name).object_id + 1, 0)]


def _all(bench: Bench) -> list[bytes]:
    return [bench.metadata(name) for name in NAMES]


@pytest.mark.slow
@pytest.mark.parametrize("loss", [0.0, 0.15])
def test_what_is_changed_is_restored_to_the_bit(
    loss: float, catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = Bench(catalogue, small_board(catalogue), tmp_path, loss=loss)
    before = _all(bench)
    bench.change()
    assert all(now != then for now, then in zip(_all(bench), before, strict=True))
    assert Metadata.unpack(bench.metadata("AttitudeState")).flight.period_ms == 20
    assert bench.temporary.differs
    for _ in range(5):  # over a bad link it may take several times
        bench.restore()
    assert bench.states() == {MetadataState.RESTORED}
    assert not bench.temporary.differs
    assert _all(bench) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_shorter_metadata_of_dronin_is_kept_as_it_is(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    dialect = Dialect("multi", 7)
    board = MemoryBoard(catalogue.release("dRonin-20180729"), 7)
    bench = Bench(catalogue, board, tmp_path, flight_config=SessionConfig(dialect=dialect))
    gyros = board.named("Gyros").object_id + 1
    before = board.values[(gyros, 0)]
    bench.temporary.change(board.named("Gyros"), _faster)
    bench.settle()
    assert board.values[(gyros, 0)] != before
    assert len(bench.originals.of(BOARD)[gyros - 1].metadata) == 7
    bench.restore()
    assert board.values[(gyros, 0)] == before


@pytest.mark.slow
def test_another_process_restores_what_this_one_changed(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = Bench(catalogue, small_board(catalogue), tmp_path)
    before = _all(bench)
    bench.change()
    later = Bench(catalogue, bench.board, tmp_path)
    assert later.states() == {MetadataState.UNRESTORED}
    with pytest.raises(ValueError, match="changed already; restore it first"):
        later.temporary.change(later.board.named("SystemStats"), _faster)
    later.restore()
    assert _all(later) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_board_that_refuses_the_change_has_nothing_to_restore(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = Bench(catalogue, small_board(catalogue), tmp_path)
    bench.board.refused = {bench.board.named(name).object_id + 1 for name in NAMES}
    bench.change()
    assert bench.states() == {MetadataState.REFUSED}
    assert {entry.problem for entry in bench.temporary.objects} == {"the board refused the change"}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_board_that_does_not_take_the_original_is_still_changed(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = Bench(catalogue, small_board(catalogue), tmp_path)
    bench.change()
    bench.board.refused = {bench.board.named("SystemStats").object_id + 1}
    bench.restore()
    tried = {entry.name: entry.attempts for entry in bench.temporary.objects}
    assert tried.pop("SystemStats") == 3, "a bad moment is no refusal, and a refusal is no loop"
    assert set(tried.values()) == {1}
    unrestored = [
        entry.name for entry in bench.temporary.objects if entry.state is MetadataState.UNRESTORED
    ]
    assert unrestored == ["SystemStats"]
    assert [original.name for original in bench.originals.of(BOARD).values()] == ["SystemStats"]


@pytest.mark.slow
def test_giving_back_is_verified_by_reading(catalogue: Catalogue, tmp_path: Path) -> None:
    """A board that acknowledges and does nothing is found out."""

    class Liar(MemoryBoard):
        lies = False

        def write(self, object_id: int, instance: int, payload: bytes) -> bool:
            return (
                True if self.lies and object_id & 1 else super().write(object_id, instance, payload)
            )

    honest = small_board(catalogue)
    liar = Liar(honest.definitions.values())
    bench = Bench(catalogue, liar, tmp_path)
    bench.change()
    liar.lies = True
    bench.restore()
    assert bench.states() == {MetadataState.UNRESTORED}
    assert {entry.problem for entry in bench.temporary.objects} == {
        "reading it back gave something else"
    }
    liar.lies = False
    bench.restore()
    assert bench.states() == {MetadataState.RESTORED}


@pytest.mark.slow
def test_a_link_that_is_cut_leaves_it_changed_until_it_is_back(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = Bench(catalogue, small_board(catalogue), tmp_path)
    before = _all(bench)
    bench.change()
    bench.pair.is_cut = True
    bench.restore()
    assert bench.states() == {MetadataState.UNRESTORED}
    bench.pair.is_cut = False
    bench.restore()
    assert _all(bench) == before


@pytest.mark.slow
def test_one_is_given_back_and_the_others_stay(catalogue: Catalogue, tmp_path: Path) -> None:
    bench = Bench(catalogue, small_board(catalogue), tmp_path)
    before = _all(bench)
    bench.change()
    bench.temporary.restore(NAMES[0])
    bench.settle()
    same = [now == then for now, then in zip(_all(bench), before, strict=True)]
    assert same == [True] + [False] * (len(NAMES) - 1)
