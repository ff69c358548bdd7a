"""Metadata borrowed through a live vehicle's commands: several borrowers, crashes, lost links."""

from dataclasses import replace
from pathlib import Path

import pytest

from telemetry.objects.catalogue import Catalogue
from telemetry.objects.definition import UpdateMode
from telemetry.objects.metadata import Metadata
from telemetry.recording.recording import Recording
from telemetry.session.config import SessionConfig
from telemetry.vehicle.commands import LiveCommands, RefusedCommands
from telemetry.vehicle.conversation import Conversation, ConversationSetup
from telemetry.vehicle.metadata_loan import sent_every
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from tests.telemetry.session.fakes import MemoryBoard, small_board
from tests.telemetry.vehicle.fakes import AircraftLink, Clock

NAME = "AttitudeState"


class Station:
    """One run of the station against a board: connects, then does as it is told."""

    def __init__(self, catalogue: Catalogue, board: MemoryBoard, folder: Path) -> None:
        self.board = board
        self.clock = Clock()
        self.link = AircraftLink(self.clock, catalogue, board)
        self.commands = LiveCommands(lambda: None, self.clock)
        self.folder = folder
        self.ledger = OriginalMetadataStore(folder)
        setup = ConversationSetup(
            catalogue,
            Recording("test"),
            self.commands,
            self.clock,
            self.clock.now,
            SessionConfig(),
            self.ledger,
        )
        self.conversation = Conversation(self.link, setup, lambda report: None)
        self.conversation.start()
        self.pass_time(3.0)

    def pass_time(self, seconds: float) -> None:
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.conversation.step()

    def disconnect(self) -> None:
        self.conversation.run(lambda: True, lambda seconds: None)

    def on_board(self, name: str = NAME) -> Metadata:
        return Metadata.unpack(self.raw(name))

    def raw(self, name: str = NAME) -> bytes:
        return self.board.values[self.board.named(name).object_id + 1, 0]


@pytest.fixture
def board(catalogue: Catalogue) -> MemoryBoard:
    return small_board(catalogue)


@pytest.fixture
def station(catalogue: Catalogue, board: MemoryBoard, tmp_path: Path) -> Station:
    return Station(catalogue, board, tmp_path)


def test_it_holds_while_wanted_and_is_restored_to_the_bit(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    loan = station.commands.borrow_metadata(NAME, sent_every(40))
    assert loan.state == "waiting"
    station.pass_time(1.0)
    assert loan.is_held
    assert station.on_board().flight.period_ms == 40
    assert len(list(tmp_path.iterdir())) == 1
    loan.give_back()
    station.pass_time(1.0)
    assert loan.state == "ended"
    assert station.raw() == before
    assert not list(tmp_path.iterdir())


def test_the_last_of_several_borrowers_restores(station: Station) -> None:
    before = station.raw()
    slow = station.commands.borrow_metadata(NAME, sent_every(50))
    quick = station.commands.borrow_metadata(NAME, sent_every(20))
    station.pass_time(1.0)
    ours = station.commands.borrow_metadata(
        NAME, lambda metadata: replace(metadata, flight_readonly=True)
    )
    station.pass_time(1.0)
    assert all(loan.is_held for loan in (slow, quick, ours))
    assert station.on_board().flight.period_ms == 20
    assert station.on_board().flight_readonly
    quick.give_back()
    station.pass_time(1.0)
    assert station.on_board().flight.period_ms == 50
    assert station.on_board().flight_readonly
    ours.give_back()
    station.pass_time(1.0)
    assert not station.on_board().flight_readonly
    slow.give_back()
    slow.give_back()
    station.pass_time(1.0)
    assert station.raw() == before


def test_one_who_borrows_while_it_is_being_given_back_gets_it(station: Station) -> None:
    before = station.raw()
    first = station.commands.borrow_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    first.give_back()
    second = station.commands.borrow_metadata(NAME, sent_every(30))
    station.pass_time(1.0)
    assert second.is_held
    assert station.on_board().flight.period_ms == 30
    second.give_back()
    station.pass_time(1.0)
    assert station.raw() == before


def test_disconnecting_gives_back(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    loan = station.commands.borrow_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    station.disconnect()
    assert station.raw() == before
    assert loan.state == "ended"
    assert not list(tmp_path.iterdir())


def test_after_a_crash_the_next_connection_gives_back(
    catalogue: Catalogue, board: MemoryBoard, tmp_path: Path
) -> None:
    crashed = Station(catalogue, board, tmp_path)
    before = crashed.raw()
    crashed.commands.borrow_metadata(NAME, sent_every(40))
    crashed.pass_time(1.0)
    assert crashed.raw() != before  # and here its process is killed
    later = Station(catalogue, board, tmp_path)
    assert later.raw() == before
    assert not list(tmp_path.iterdir())


def test_who_borrows_anew_after_a_crash_still_leaves_it_as_it_was_at_first(
    catalogue: Catalogue, board: MemoryBoard, tmp_path: Path
) -> None:
    crashed = Station(catalogue, board, tmp_path)
    before = crashed.raw()
    crashed.commands.borrow_metadata(NAME, sent_every(40))
    crashed.pass_time(1.0)
    later = Station(catalogue, board, tmp_path)
    loan = later.commands.borrow_metadata(NAME, sent_every(30))
    later.pass_time(1.0)
    assert later.on_board().flight.period_ms == 30
    loan.give_back()
    later.pass_time(1.0)
    assert later.raw() == before


def test_a_board_that_refuses_is_left_alone(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    station.board.refused = {station.board.named(NAME).object_id + 1}
    loan = station.commands.borrow_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    assert loan.state == "ended"
    assert "the board refused the change" in loan.text
    assert station.raw() == before
    assert not list(tmp_path.iterdir())


def test_a_board_that_does_not_take_it_back_is_owed_and_not_pestered(
    station: Station,
) -> None:
    loan = station.commands.borrow_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    station.board.refused = {station.board.named(NAME).object_id + 1}
    loan.give_back()
    station.pass_time(5.0)
    asked = len(station.link.written)
    station.pass_time(0.4)
    assert len(station.link.written) - asked < 100
    assert _owed(station) == [NAME]


def test_an_object_the_aircraft_has_not(station: Station) -> None:
    loan = station.commands.borrow_metadata("Nonsense", sent_every(40))
    station.pass_time(1.0)
    assert loan.state == "ended"
    assert loan.text == "This aircraft has no Nonsense."


def test_a_reboot_ends_loans_and_owes_nothing(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    loan = station.commands.borrow_metadata(NAME, sent_every(40))
    stats = station.board.named("SystemStats")
    for milliseconds in (90_000, 1_000):
        row = stats.default_row()
        row["FlightTime"] = milliseconds
        station.board.values[stats.object_id, 0] = row.tobytes()
        station.link.flight.publish(stats.object_id)
        station.pass_time(1.0)
    assert loan.state == "ended"
    assert "started anew" in loan.text
    station.pass_time(3.0)
    assert station.raw() == before
    assert not list(tmp_path.iterdir())


def test_an_unreadable_ledger_refuses_all_loans(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    key = next(iter(_keys(station)))
    (tmp_path / f"{key}.json").write_text("nonsense", encoding="utf-8")
    loan = station.commands.borrow_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    assert loan.state == "ended"
    assert "could not be read" in loan.text
    assert station.raw() == before


def test_a_log_refuses() -> None:
    loan = RefusedCommands("Replaying a log: nothing is sent.").borrow_metadata(
        NAME, sent_every(40)
    )
    assert (loan.state, loan.text) == ("ended", "Replaying a log: nothing is sent.")
    loan.give_back()


def test_a_rate_that_is_high_enough_stays() -> None:
    fast = sent_every(20)(Metadata())
    assert (fast.flight.mode, fast.flight.period_ms) == (UpdateMode.PERIODIC, 20)
    assert sent_every(50)(fast) == fast
    assert sent_every(10)(fast).flight.period_ms == 10


def _keys(station: Station) -> set[str]:
    """The board's key, learned by a loan that is given back again."""
    loan = station.commands.borrow_metadata("SystemStats", sent_every(400))
    station.pass_time(1.0)
    keys = {path.stem for path in station.folder.glob("*.json")}
    loan.give_back()
    station.pass_time(1.0)
    return keys


def _owed(station: Station) -> list[str]:
    folder = station.folder
    return [
        loan.name
        for path in folder.glob("*.json")
        for loan in station.ledger.of(path.stem).values()
    ]
