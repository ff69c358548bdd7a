"""Settings that are changed for a while: on disk first, never saved on board, given back."""

from pathlib import Path

import pytest

from telemetry.configuration.settings.temporary_settings import (
    TakenState,
    TemporarySettings,
    store_in,
)
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.recording.sample import Value
from telemetry.vehicle.vehicle import LinkState
from tests.telemetry.configuration.settings.bench import Bench

WRITE_ACKED = 0x22
OBJECT, PATH = "StabilizationSettingsBank1", "RollRatePID.Kp"


class Borrower:
    """Whoever takes settings at a bench, with the disk in between."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.bench = bench
        self.temporary = TemporarySettings(bench.vehicle, store_in(folder))
        self.told: list[str] = []
        self.bench.run(self._notice)

    def _notice(self) -> bool:
        self.temporary.poll()
        return bool(self.bench.settings.aircraft.serial)

    def settle(self) -> None:
        def is_settled() -> bool:
            told = self.temporary.poll()
            if told:
                self.told.append(told)
            return all(entry.ticket is None for entry in self.temporary.entries)

        self.bench.run(is_settled)


@pytest.fixture
def borrower(catalogue: Catalogue, tmp_path: Path) -> Borrower:
    return Borrower(Bench(catalogue), tmp_path)


def test_is_taken_read_back_and_given_back_without_being_saved(
    borrower: Borrower, tmp_path: Path
) -> None:
    bench = borrower.bench
    before = bench.on_board(OBJECT, PATH)
    taken = borrower.temporary.take("test", OBJECT, PATH, 0.007)
    assert list(tmp_path.glob("*.json")), "on disk before it is on board"
    assert bench.on_board(OBJECT, PATH) == before
    borrower.settle()
    assert taken.is_taken
    assert bench.on_board(OBJECT, PATH) == pytest.approx(0.007)
    assert bench.stored(OBJECT) is None, "never saved"
    borrower.temporary.give_back("test")
    borrower.settle()
    assert bench.on_board(OBJECT, PATH) == before
    assert taken.state is TakenState.RETURNED
    assert not list(tmp_path.glob("*.json"))


def test_after_a_crash_the_next_connection_gives_it_back(
    borrower: Borrower, tmp_path: Path
) -> None:
    before = borrower.bench.on_board(OBJECT, PATH)
    borrower.temporary.take("test", OBJECT, PATH, 0.007)
    borrower.settle()
    after = Borrower(borrower.bench, tmp_path)  # another station, the same disk and board
    after.settle()
    assert borrower.bench.on_board(OBJECT, PATH) == before


def test_without_the_disk_the_next_station_knows_nothing(
    borrower: Borrower, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The negative control of the test above."""
    borrower.temporary.take("test", OBJECT, PATH, 0.007)
    borrower.settle()
    Borrower(borrower.bench, tmp_path_factory.mktemp("other")).settle()
    assert borrower.bench.on_board(OBJECT, PATH) == pytest.approx(0.007)


def test_what_somebody_else_has_changed_is_left_alone(borrower: Borrower) -> None:
    borrower.temporary.take("test", OBJECT, PATH, 0.007)
    borrower.settle()
    borrower.bench.put(OBJECT, PATH, 0.009)
    borrower.temporary.give_back()
    borrower.settle()
    assert borrower.bench.on_board(OBJECT, PATH) == pytest.approx(0.009)
    assert borrower.temporary.entries == ()


def test_another_owner_is_refused_with_the_name_of_the_first(borrower: Borrower) -> None:
    borrower.temporary.take("take off", OBJECT, PATH, 0.007)
    second = borrower.temporary.take("speed", OBJECT, PATH, 0.008)
    assert "in use: take off" in second.problem
    borrower.settle()
    assert borrower.bench.on_board(OBJECT, PATH) == pytest.approx(0.007)


def test_nothing_is_changed_if_the_disk_does_not_take_it(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    borrower = Borrower(Bench(catalogue), file)
    before = borrower.bench.on_board(OBJECT, PATH)
    taken = borrower.temporary.take("test", OBJECT, PATH, 0.007)
    borrower.settle()
    assert "Nothing was changed" in taken.problem
    assert borrower.bench.on_board(OBJECT, PATH) == before


def writes(bench: Bench) -> int:
    """How many frames have written the object."""
    wanted = bench.named(OBJECT).object_id
    frames = FrameDecoder().feed(bench.aircraft.written)
    return sum(frame.object_id == wanted and frame.type == WRITE_ACKED for frame in frames)


SEVERAL: dict[str, Value] = {PATH: 0.007, "PitchRatePID.Kp": 0.008}


def test_several_are_written_and_given_back_in_one_write_each(borrower: Borrower) -> None:
    bench = borrower.bench
    before = [bench.on_board(OBJECT, path) for path in SEVERAL]
    written = writes(bench)
    assert borrower.temporary.take_all("test", OBJECT, SEVERAL) == ""
    borrower.settle()
    assert all(entry.is_taken for entry in borrower.temporary.of("test"))
    assert [bench.on_board(OBJECT, path) for path in SEVERAL] == pytest.approx([0.007, 0.008])
    borrower.temporary.give_back("test")
    borrower.settle()
    assert [bench.on_board(OBJECT, path) for path in SEVERAL] == before
    assert writes(bench) - written == 2
    assert borrower.temporary.entries == ()


def arm(bench: Bench, is_armed: bool) -> None:
    bench.put("FlightStatus", "Armed", "Armed" if is_armed else "Disarmed")


def test_after_a_crash_nothing_is_given_back_in_the_air(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    """It may be what the aircraft flies by: who is heard, and what the switch selects."""
    bench = Bench(catalogue)
    first = Borrower(bench, tmp_path)
    before = bench.on_board(OBJECT, PATH)
    first.temporary.take_all("test", OBJECT, SEVERAL)
    first.settle()
    arm(bench, is_armed=True)
    after = Borrower(bench, tmp_path)
    after.settle()
    assert bench.on_board(OBJECT, PATH) == pytest.approx(0.007)
    arm(bench, is_armed=False)
    after.temporary.poll()
    after.settle()
    assert bench.on_board(OBJECT, PATH) == before


@pytest.mark.parametrize("is_armed", [False, True])
def test_the_worker_gives_it_back_when_the_station_leaves_on_the_ground(
    catalogue: Catalogue, tmp_path: Path, is_armed: bool
) -> None:
    bench = Bench(catalogue)
    borrower = Borrower(bench, tmp_path)
    before = bench.on_board(OBJECT, PATH)
    borrower.temporary.take_all("test", OBJECT, SEVERAL)
    borrower.settle()
    arm(bench, is_armed)
    bench.leave()
    assert bench.on_board(OBJECT, PATH) == (pytest.approx(0.007) if is_armed else before)
    assert list(tmp_path.glob("*.json")), "until the next connection has read it back"
    if not is_armed:
        bench.connect()
        bench.run(lambda: bench.vehicle.status.state is LinkState.CONNECTED)
        Borrower(bench, tmp_path).settle()
        assert not list(tmp_path.glob("*.json"))


def test_what_is_changed_for_a_while_cannot_be_saved(borrower: Borrower) -> None:
    """A power cycle would not bring it back any more."""
    bench, commands = borrower.bench, borrower.bench.vehicle.commands
    borrower.temporary.take("test", OBJECT, PATH, 0.007)
    borrower.settle()
    ticket = commands.persist("Save", OBJECT)
    assert "for a flight only" in ticket.text
    borrower.temporary.give_back("test")
    borrower.settle()
    ticket = commands.persist("Save", OBJECT)
    bench.run(lambda: ticket.is_finished)
    assert bench.stored(OBJECT) is not None
