"""Settings from last time: shown within a second over a slow radio, verified, never sent before.

The fetch asks for settings one by one, since firmware tells its version by FirmwareIAPObj
(LibrePilot, flight/modules/System/systemmod.c) and nothing that tells its settings from others.
"""

from pathlib import Path

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.protocol.session.config import SessionConfig, SessionState
from telemetry.recording.recording import Recording
from telemetry.vehicle.board_memory import BoardMemory, content_store
from telemetry.vehicle.conversation import NOT_VERIFIED, Conversation, ConversationSetup, Report
from telemetry.vehicle.link_status import link_status
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.sticks import Sticks
from tests.simulated_board import SimulatedBoardLink
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board
from tests.telemetry.vehicle.fakes import AircraftLink, Clock

BANK = "StabilizationSettingsBank1"
RADIO = Faults(latency_s=0.03, bytes_per_s=5760.0)
"""57,600 baud: ten bits a byte."""


class Visit:
    """One connection to a board, in simulated time; the folder outlives it."""

    def __init__(self, catalogue: Catalogue, folder: Path, board: MemoryBoard | None) -> None:
        self.clock = Clock()
        self.recording = Recording("test:board")
        self.commands = LiveCommands(lambda: None, self.clock)
        self.reports: list[Report] = []
        self.memory = BoardMemory(content_store(folder), catalogue, self.recording)
        self.link: AircraftLink | FaultyLink
        if board is None:
            inner = SimulatedBoardLink(
                self.clock, catalogue, AutopilotConfig(load_preset("ar100b"))
            )
            self.link = FaultyLink(inner, RADIO, self.clock, 1)
        else:
            self.link = AircraftLink(self.clock, catalogue, board)
        setup = ConversationSetup(
            catalogue,
            self.recording,
            self.commands,
            self.clock,
            self.clock.now,
            SessionConfig(),
            memory=self.memory,
        )
        self.conversation = Conversation(self.link, setup, self.reports.append)
        self.conversation.start()

    def run_until(self, state: SessionState, most_s: float = 30.0) -> float:
        """Converse until the session is in `state`; return how long it took."""
        began_s = self.clock.now
        while not self.reports or self.reports[-1].session.state is not state:
            self.conversation.step()
            assert self.clock.now - began_s < most_s
        return self.clock.now - began_s

    def seconds_to_settings(self) -> float:
        """Until all settings that the simulated board has are shown."""
        began_s = self.clock.now
        while self.recording.track("VtolPathFollowerSettings") is None:
            self.conversation.step()
            assert self.clock.now - began_s < 30.0
        return self.clock.now - began_s


@pytest.fixture
def board(catalogue: Catalogue) -> MemoryBoard:
    made = small_board(catalogue)
    tell_firmware(made, b"one")
    return made


def tell_firmware(board: MemoryBoard, words: bytes) -> None:
    who = board.named("FirmwareIAPObj")
    values = {"Description": list(words.ljust(100, b"\0")), "CPUSerial": [7, 1, 2] + [0] * 9}
    board.values[(who.object_id, 0)] = pack_values(who, values)


def set_roll(board: MemoryBoard, roll: int) -> None:
    bank = board.named(BANK)
    row = row_of(bank, board.values[(bank.object_id, 0)])
    board.values[(bank.object_id, 0)] = pack_values(bank, {"RollMax": roll}, row)


def roll_in(recording: Recording) -> object:
    sample = recording.latest(BANK, 1e9)
    return None if sample is None else sample["RollMax"]


def visit_once(catalogue: Catalogue, folder: Path, board: MemoryBoard) -> None:
    visit = Visit(catalogue, folder, board)
    visit.run_until(SessionState.CONNECTED)
    visit.conversation.say_goodbye()


@pytest.mark.slow
def test_over_57600_baud_settings_show_within_a_second_the_second_time(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    first = Visit(catalogue, tmp_path, None)
    assert first.seconds_to_settings() > 2.0
    first.run_until(SessionState.CONNECTED)
    second = Visit(catalogue, tmp_path, None)
    assert second.seconds_to_settings() < 1.0
    second.run_until(SessionState.CONNECTED)
    assert not second.memory.unverified


def test_what_is_from_last_time_says_so_until_the_board_has_told_it_again(
    catalogue: Catalogue, tmp_path: Path, board: MemoryBoard
) -> None:
    set_roll(board, 33)
    visit_once(catalogue, tmp_path, board)
    set_roll(board, 44)  # by another station meanwhile
    again = Visit(catalogue, tmp_path, board)
    again.run_until(SessionState.FETCHING)
    while roll_in(again.recording) is None:
        again.conversation.step()
    assert roll_in(again.recording) == 33
    assert again.memory.unverified
    again.run_until(SessionState.CONNECTED)
    assert roll_in(again.recording) == 44, "the board has the last word"
    told = [report for report in again.reports if report.from_last_time]
    assert told, "it was marked"
    assert link_status(told[0], 5.0, was_connected=False).word.startswith("From last time")
    assert again.reports[-1].from_last_time == 0


def test_nothing_is_sent_that_is_made_of_it(
    catalogue: Catalogue, tmp_path: Path, board: MemoryBoard
) -> None:
    visit_once(catalogue, tmp_path, board)
    again = Visit(catalogue, tmp_path, board)
    while not again.memory.unverified:
        again.conversation.step()
    ticket = again.commands.send(BANK, {"PitchMax": 20})
    again.commands.set_sticks(Sticks(arm=True, throttle=0.5))
    receiver = board.named("GCSReceiver")
    before = board.values[(receiver.object_id, 0)]
    again.conversation.step()
    assert again.memory.unverified
    assert (ticket.state, ticket.text) == ("failed", NOT_VERIFIED)
    assert board.values[(receiver.object_id, 0)] == before
    again.run_until(SessionState.CONNECTED)
    ticket = again.commands.send(BANK, {"PitchMax": 20})
    for _ in range(50):
        again.conversation.step()
    assert ticket.state == "done", "the negative control: verified, it goes out"


@pytest.mark.parametrize("differs", ["firmware", "board", "file"])
def test_another_firmware_board_or_a_changed_file_recalls_nothing(
    catalogue: Catalogue, tmp_path: Path, board: MemoryBoard, differs: str
) -> None:
    visit_once(catalogue, tmp_path, board)
    (path,) = tmp_path.glob("*.json")
    if differs == "firmware":
        tell_firmware(board, b"two")
    elif differs == "board":
        path.rename(tmp_path / "00ff.json")
    else:
        text = path.read_text()
        path.write_text(text.replace('"digest": "', '"digest": "0'))
    again = Visit(catalogue, tmp_path, board)
    again.run_until(SessionState.CONNECTED)
    assert not any(report.from_last_time for report in again.reports)


def test_only_settings_are_kept(catalogue: Catalogue, tmp_path: Path, board: MemoryBoard) -> None:
    visit_once(catalogue, tmp_path, board)
    (path,) = tmp_path.glob("*.json")
    content = content_store(tmp_path).get(path.stem)
    assert content is not None
    names = {one.name for one in content.settings}
    assert BANK in names
    assert not names & {"FlightStatus", "AttitudeState", "SystemAlarms", "Waypoint"}
