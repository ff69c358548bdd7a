"""Temporary metadata through a live vehicle's commands: several users, crashes, lost links."""

from dataclasses import replace
from pathlib import Path

import pytest

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.session.config import SessionConfig
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.conversation import Conversation, ConversationSetup
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.metadata_change import sent_every
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board
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
        self.originals = OriginalMetadataStore(folder)
        setup = ConversationSetup(
            catalogue,
            Recording("test"),
            self.commands,
            self.clock,
            self.clock.now,
            SessionConfig(),
            self.originals,
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
    change = station.commands.change_metadata(NAME, sent_every(40))
    assert change.state == "waiting"
    station.pass_time(1.0)
    assert change.is_active
    assert station.on_board().flight.period_ms == 40
    assert len(list(tmp_path.iterdir())) == 1
    change.restore()
    station.pass_time(1.0)
    assert change.state == "ended"
    assert station.raw() == before
    assert not list(tmp_path.iterdir())


def test_the_last_of_several_users_restores(station: Station) -> None:
    before = station.raw()
    slow = station.commands.change_metadata(NAME, sent_every(50))
    quick = station.commands.change_metadata(NAME, sent_every(20))
    station.pass_time(1.0)
    ours = station.commands.change_metadata(
        NAME, lambda metadata: replace(metadata, flight_readonly=True)
    )
    station.pass_time(1.0)
    assert all(change.is_active for change in (slow, quick, ours))
    assert station.on_board().flight.period_ms == 20
    assert station.on_board().flight_readonly
    quick.restore()
    station.pass_time(1.0)
    assert station.on_board().flight.period_ms == 50
    assert station.on_board().flight_readonly
    ours.restore()
    station.pass_time(1.0)
    assert not station.on_board().flight_readonly
    slow.restore()
    slow.restore()
    station.pass_time(1.0)
    assert station.raw() == before


def test_what_was_changed_for_good_meanwhile_stays(station: Station, tmp_path: Path) -> None:
    change = station.commands.change_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    lasting = replace(station.on_board(), logging=UpdatePolicy(UpdateMode.PERIODIC, 4))
    ticket = station.commands.set_metadata(NAME, lasting)
    station.pass_time(1.0)
    assert ticket.state == "done"
    change.restore()
    station.pass_time(1.0)
    assert station.on_board() == lasting
    assert not list(tmp_path.iterdir())


def test_who_asks_while_it_is_being_restored_gets_it(station: Station) -> None:
    before = station.raw()
    first = station.commands.change_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    first.restore()
    second = station.commands.change_metadata(NAME, sent_every(30))
    station.pass_time(1.0)
    assert second.is_active
    assert station.on_board().flight.period_ms == 30
    second.restore()
    station.pass_time(1.0)
    assert station.raw() == before


def test_disconnecting_restores(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    change = station.commands.change_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    station.disconnect()
    assert station.raw() == before
    assert change.state == "ended"
    assert not list(tmp_path.iterdir())


def test_after_a_crash_the_next_connection_restores(
    catalogue: Catalogue, board: MemoryBoard, tmp_path: Path
) -> None:
    crashed = Station(catalogue, board, tmp_path)
    before = crashed.raw()
    crashed.commands.change_metadata(NAME, sent_every(40))
    crashed.pass_time(1.0)
    assert crashed.raw() != before  # and here its process is killed
    later = Station(catalogue, board, tmp_path)
    assert later.raw() == before
    assert not list(tmp_path.iterdir())


def test_who_asks_anew_after_a_crash_still_leaves_it_as_it_was_at_first(
    catalogue: Catalogue, board: MemoryBoard, tmp_path: Path
) -> None:
    crashed = Station(catalogue, board, tmp_path)
    before = crashed.raw()
    crashed.commands.change_metadata(NAME, sent_every(40))
    crashed.pass_time(1.0)
    later = Station(catalogue, board, tmp_path)
    change = later.commands.change_metadata(NAME, sent_every(30))
    later.pass_time(1.0)
    assert later.on_board().flight.period_ms == 30
    change.restore()
    later.pass_time(1.0)
    assert later.raw() == before


def test_a_board_that_refuses_is_left_alone(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    station.board.refused = {station.board.named(NAME).object_id + 1}
    change = station.commands.change_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    assert change.state == "ended"
    assert "the board refused the change" in change.text
    assert station.raw() == before
    assert not list(tmp_path.iterdir())


def test_a_board_that_does_not_take_the_original_is_not_pestered(
    station: Station,
) -> None:
    change = station.commands.change_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    station.board.refused = {station.board.named(NAME).object_id + 1}
    change.restore()
    station.pass_time(5.0)
    asked = len(station.link.written)
    station.pass_time(0.4)
    assert len(station.link.written) - asked < 100
    assert _unrestored(station) == [NAME]


def test_an_object_the_aircraft_has_not(station: Station) -> None:
    change = station.commands.change_metadata("Nonsense", sent_every(40))
    station.pass_time(1.0)
    assert change.state == "ended"
    assert change.text == "This aircraft has no Nonsense."


def test_a_reboot_ends_changes_with_nothing_to_restore(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    change = station.commands.change_metadata(NAME, sent_every(40))
    stats = station.board.named("SystemStats")
    for milliseconds in (90_000, 1_000):
        row = stats.default_row()
        row["FlightTime"] = milliseconds
        station.board.values[stats.object_id, 0] = row.tobytes()
        station.link.flight.publish(stats.object_id)
        station.pass_time(1.0)
    assert change.state == "ended"
    assert "started anew" in change.text
    station.pass_time(3.0)
    assert station.raw() == before
    assert not list(tmp_path.iterdir())


def test_an_unreadable_file_refuses_all_changes(station: Station, tmp_path: Path) -> None:
    before = station.raw()
    key = next(iter(_keys(station)))
    (tmp_path / f"{key}.json").write_text("nonsense", encoding="utf-8")
    change = station.commands.change_metadata(NAME, sent_every(40))
    station.pass_time(1.0)
    assert change.state == "ended"
    assert "could not be read" in change.text
    assert station.raw() == before


def test_a_log_refuses() -> None:
    change = RefusedCommands("Replaying a log: nothing is sent.").change_metadata(
        NAME, sent_every(40)
    )
    assert (change.state, change.text) == ("ended", "Replaying a log: nothing is sent.")
    change.restore()


def test_a_rate_that_is_high_enough_stays() -> None:
    fast = sent_every(20)(Metadata())
    assert (fast.flight.mode, fast.flight.period_ms) == (UpdateMode.PERIODIC, 20)
    assert sent_every(50)(fast) == fast
    assert sent_every(10)(fast).flight.period_ms == 10


def _keys(station: Station) -> set[str]:
    """The board's key, learned by a change that is restored again."""
    change = station.commands.change_metadata("SystemStats", sent_every(400))
    station.pass_time(1.0)
    keys = {path.stem for path in station.folder.glob("*.json")}
    change.restore()
    station.pass_time(1.0)
    return keys


def _unrestored(station: Station) -> list[str]:
    folder = station.folder
    return [
        change.name
        for path in folder.glob("*.json")
        for change in station.originals.of(path.stem).values()
    ]
