"""Connections with their real thread. What is waited for comes within milliseconds."""

import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue

import pytest

from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.base.installation import ROOT
from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.link import Link, LinkError, NotThere
from telemetry.protocol.links.memory import MemoryLink, pair
from telemetry.protocol.objects.catalogue import Catalogue, DefinitionSet, load_catalogue
from telemetry.protocol.session.config import Role, SessionState
from telemetry.protocol.session.session import Session
from telemetry.protocol.session.statistics import Counters
from telemetry.recording.logs.opl_writer import OplWriter, WriteFailed
from telemetry.recording.logs.reader import read_log
from telemetry.vehicle import connection as connection_module
from telemetry.vehicle import recorder as recorder_module
from telemetry.vehicle.commands import RESTART_S
from telemetry.vehicle.connection import BoardFolders, Connection, connect
from telemetry.vehicle.conversation import Report
from telemetry.vehicle.link_meter import LinkRates
from telemetry.vehicle.link_status import link_status, reason_for
from telemetry.vehicle.live_commands import LiveCommands
from telemetry.vehicle.metadata_change import sent_every
from telemetry.vehicle.recorder import LEAST_FREE_BYTES, RETRY_S, Recorder
from telemetry.vehicle.vehicle import LinkState, Vehicle
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board
from tests.telemetry.recording.logs.books import attitude, frame, stats
from tests.telemetry.vehicle.doomed_recorder import NOTES
from tests.telemetry.vehicle.fakes import FLIGHT_STATS_ID, Clock
from tests.waiting import wait_until

START = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)


class Aircraft:
    """An aircraft in a thread of its own, reachable through memory links, one after the other."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.board: MemoryBoard = small_board(catalogue)
        self.opened = 0
        self.published = "AttitudeState"
        self.failure: LinkError | None = None
        self._catalogue = catalogue
        self._far: MemoryLink | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self, address: str) -> Link:
        self.land()
        if self.failure is not None:
            raise self.failure
        self.opened += 1
        near, self._far = pair(address)
        self._stopping.clear()
        self._thread = threading.Thread(target=self._fly, args=(self._far,))
        self._thread.start()
        return near

    def unplug(self) -> None:
        assert self._far is not None
        self._far.close()

    def land(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _fly(self, link: MemoryLink) -> None:
        flight = Session(Role.FLIGHT, self._catalogue, board=self.board)
        flight.start(monotonic_s())
        published = self.board.named(self.published).object_id
        while not self._stopping.is_set():
            try:
                flight.receive(link.read(0.002), monotonic_s())
                flight.publish(published)
                flight.publish(FLIGHT_STATS_ID)
                flight.tick(monotonic_s())
                link.write(flight.bytes_to_send())
            except LinkError:
                return


@pytest.fixture
def aircraft(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> Iterator[Aircraft]:
    monkeypatch.setattr(connection_module, "BACKOFF_S", (0.01, 0.02))
    aircraft = Aircraft(catalogue)
    yield aircraft
    aircraft.land()


@pytest.fixture
def vehicle(aircraft: Aircraft, catalogue: Catalogue, tmp_path: Path) -> Iterator[Vehicle]:
    vehicle = connect("test:quad", aircraft.open, catalogue, tmp_path)
    yield vehicle
    vehicle.close()


def is_connected(vehicle: Vehicle) -> Callable[[], bool]:
    return lambda: vehicle.status.state is LinkState.CONNECTED


def test_connect_record_disconnect(vehicle: Vehicle, catalogue: Catalogue, tmp_path: Path) -> None:
    wait_until(is_connected(vehicle))
    assert vehicle.is_live
    assert vehicle.status.fetched == vehicle.status.total > 10
    assert vehicle.commands.refusal() is None
    vehicle.close()
    vehicle.close()
    assert "connection test:quad" not in {thread.name for thread in threading.enumerate()}
    assert vehicle.status.word == "Disconnected"
    assert not vehicle.is_live
    assert not vehicle.timeline.can_live
    refused = vehicle.commands.send("MixerSettings", {})
    assert refused.state == "failed"
    assert refused.text.startswith("Not sent: disconnected.")
    (file,) = tmp_path.glob("*.opl")
    reading = read_log(file, catalogue)
    assert reading.info.crc_errors == reading.info.junk_bytes == 0
    assert {"MixerSettings", "GCSTelemetryStats"} <= set(reading.recording.names())


@pytest.mark.slow
def test_an_unplugged_link_is_opened_again_into_the_same_recording(
    vehicle: Vehicle, aircraft: Aircraft, tmp_path: Path
) -> None:
    wait_until(is_connected(vehicle))
    track = vehicle.recording.track("AttitudeState")
    assert track is not None
    count = track.count
    aircraft.unplug()
    wait_until(lambda: aircraft.opened == 2)
    wait_until(is_connected(vehicle))
    wait_until(lambda: track.count > count + 5)
    assert (track.times[1:] >= track.times[:-1]).all()
    texts = [event.text for event in vehicle.recording.events() if event.kind == "link"]
    assert any("closed at the other end" in text for text in texts)
    assert len(list(tmp_path.glob("*.opl"))) == 1


def test_disconnecting_is_honoured_while_reconnecting(vehicle: Vehicle, aircraft: Aircraft) -> None:
    wait_until(is_connected(vehicle))
    aircraft.failure = LinkError("Nothing listens there.")
    aircraft.unplug()
    wait_until(lambda: vehicle.status.state is LinkState.RECONNECTING)
    assert vehicle.status.quality_percent is None
    wait_until(lambda: vehicle.status.reason == "Nothing listens there.")
    vehicle.close()
    assert vehicle.status.state is LinkState.DISCONNECTED
    assert aircraft.opened == 1


def test_a_first_try_that_fails_goes_on_trying(
    aircraft: Aircraft, catalogue: Catalogue, tmp_path: Path
) -> None:
    aircraft.failure = LinkError("ttyUSB0 is not there.")
    vehicle = connect("test:quad", aircraft.open, catalogue, tmp_path)
    wait_until(lambda: vehicle.status.reason == "ttyUSB0 is not there.")
    assert vehicle.status.state is LinkState.CONNECTING
    assert vehicle.commands.refusal() == "Not sent: connecting. ttyUSB0 is not there."
    assert list(tmp_path.iterdir()) == []
    aircraft.failure = None
    wait_until(is_connected(vehicle))
    vehicle.close()


def test_an_address_that_cannot_be_read_is_not_tried_again(
    aircraft: Aircraft, catalogue: Catalogue
) -> None:
    aircraft.failure = AddressError("'x' is not an address.")
    vehicle = connect("x", aircraft.open, catalogue, None)
    wait_until(lambda: vehicle.status.state is LinkState.DISCONNECTED)
    assert vehicle.status.reason == "'x' is not an address."
    vehicle.close()


def test_an_internal_error_is_reported_and_survived(
    aircraft: Aircraft, catalogue: Catalogue, caplog: pytest.LogCaptureFixture
) -> None:
    failures = [RuntimeError("a bug")]

    def open_link(address: str) -> Link:
        if failures:
            raise failures.pop()
        return aircraft.open(address)

    vehicle = connect("test:quad", open_link, catalogue, None)
    wait_until(is_connected(vehicle))
    vehicle.close()
    assert "a bug" in caplog.text


class SmallDisk:
    """A writer on a disk with room for a few records."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._left = 5

    def write(self, t_s: float, chunk: bytes, sent: bool = False) -> None:
        self._left -= 1
        if self._left < 0:
            raise WriteFailed(f"Recording stopped, {self.path.name} takes no more: disk full.")

    def close(self) -> None:
        """Nothing is held."""


def test_a_full_disk_ends_the_recording_but_not_the_flight(
    aircraft: Aircraft, catalogue: Catalogue, tmp_path: Path
) -> None:
    recorder = Recorder(tmp_path, "test:quad", START, make_writer=SmallDisk, free_bytes=lambda _: 0)
    connection = Connection("test:quad", aircraft.open, catalogue, recorder)
    connection.start()
    vehicle = connection.vehicle
    wait_until(lambda: vehicle.status.recording_error)
    assert vehicle.status.recording_file == ""
    assert "takes no more" in vehicle.status.recording_error
    wait_until(is_connected(vehicle))
    ticket = vehicle.commands.request("MixerSettings")
    wait_until(lambda: ticket.is_finished)
    assert ticket.state == "done"
    vehicle.close()


class Disk:
    """A disk that is full while `is_full`."""

    def __init__(self) -> None:
        self.is_full = False

    def free_bytes(self, _folder: Path) -> int:
        return 0 if self.is_full else LEAST_FREE_BYTES

    def make_writer(self, path: Path) -> OplWriter:
        writer = OplWriter(path)
        write = writer.write

        def write_if_there_is_room(t_s: float, chunk: bytes, sent: bool = False) -> None:
            if self.is_full:
                raise WriteFailed(f"Recording stopped, {path.name} takes no more: disk full.")
            write(t_s, chunk, sent)

        writer.write = write_if_there_is_room  # type: ignore[method-assign]
        return writer


def test_recording_goes_on_in_a_new_file_when_there_is_room(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    disk = Disk()
    recorder = Recorder(
        tmp_path, "test:quad", START, make_writer=disk.make_writer, free_bytes=disk.free_bytes
    )
    recorder.open()
    frames = {0.0: attitude(1), 1.0: attitude(2), 4.0: attitude(3), 9.0: attitude(4)}
    frames |= {20.0: attitude(5), 21.0: attitude(6)}
    for t_s, data in frames.items():
        disk.is_full = 1.0 <= t_s <= 10.0
        recorder.write(t_s, data, sent=False)
        assert bool(recorder.error) == disk.is_full
        assert bool(recorder.file) != disk.is_full
    recorder.close()
    first, second = sorted(tmp_path.glob("*.opl"), key=lambda path: len(path.name))
    assert second.name.endswith("_2.opl")
    rolls = [
        read_log(path, catalogue).recording.series("AttitudeState.Roll") for path in (first, second)
    ]
    assert [(t.tolist(), roll.tolist()) for t, roll in rolls] == [
        ([0.0], [1.0]),
        ([20.0, 21.0], [5.0, 6.0]),
    ]


def test_a_folder_that_was_away_is_used_again(tmp_path: Path) -> None:
    (tmp_path / "stick").write_text("in the way")
    recorder = Recorder(tmp_path / "stick", "test:quad", START)
    recorder.open()
    assert recorder.error
    (tmp_path / "stick").unlink()
    recorder.write(1.0, attitude(1), sent=False)
    assert recorder.error, "not tried again and again"
    recorder.write(RETRY_S, attitude(1), sent=False)
    assert recorder.error == ""
    recorder.close()
    assert len(list((tmp_path / "stick").glob("*.opl"))) == 1


def test_when_a_file_stopped_and_where_it_goes_on_stands_in_the_flight(
    aircraft: Aircraft, catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "RETRY_S", 0.05)
    disk = Disk()
    recorder = Recorder(
        tmp_path, "test:quad", START, make_writer=disk.make_writer, free_bytes=disk.free_bytes
    )
    connection = Connection("test:quad", aircraft.open, catalogue, recorder)
    connection.start()
    vehicle = connection.vehicle
    wait_until(lambda: vehicle.status.recording_file)
    disk.is_full = True
    wait_until(lambda: vehicle.status.recording_error)
    disk.is_full = False
    wait_until(lambda: vehicle.status.recording_file)
    assert vehicle.status.recording_error == ""
    texts = [event.text for event in vehicle.recording.events() if event.kind == "recording"]
    assert "takes no more" in texts[0]
    assert texts[1] == "Recording goes on in a new file"
    vehicle.close()


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    recorder = Recorder(tmp_path / "file", "test:quad", START)
    recorder.open()
    recorder.write(0.0, b"x", sent=False)
    recorder.close()
    assert recorder.error.startswith("Not recorded: ")
    assert recorder.file == ""


def test_recordings_never_overwrite_each_other(tmp_path: Path) -> None:
    names = []
    for _ in range(2):
        recorder = Recorder(tmp_path, "serial:/dev/ttyUSB0@57600", START)
        recorder.open()
        names.append(Path(recorder.file).name)
        recorder.close()
    assert names == [
        "2026-05-04_12-30-00_serial-dev-ttyUSB0-57600.opl",
        "2026-05-04_12-30-00_serial-dev-ttyUSB0-57600_2.opl",
    ]


def noted(folder: Path) -> list[tuple[int, float]]:
    """Bytes and seconds of each whole line that a doomed recorder has noted."""
    notes = folder / NOTES
    lines = notes.read_text(encoding="utf-8").split("\n")[:-1] if notes.exists() else []
    return [(int(count), float(took_s)) for count, took_s in map(str.split, lines)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of other systems")
@pytest.mark.parametrize("kill_after", [6_000, 40_000])
def test_a_killed_process_loses_nothing_that_its_link_had_handed_over(
    kill_after: int, catalogue: Catalogue, tmp_path: Path
) -> None:
    """And asks for more before half a second of its time is gone: in the first seconds, too, while
    every object that arrives is met for the first time. So half a second is lost at most."""
    release = catalogue.release("OpenPilot-14.06")
    objects = [frame(d, bytes(d.size)) for d in release if d.name != "SystemStats"]
    recordings = tmp_path / "recordings"
    module = "tests.telemetry.vehicle.doomed_recorder"
    ends: list[int] = []  # of the counted frames, in the stream
    count = 0
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp:127.0.0.1:{server.getsockname()[1]}"
        command = [sys.executable, "-m", module, address, str(recordings), str(tmp_path)]
        with subprocess.Popen(command, cwd=ROOT) as process, server.accept()[0] as station:

            def has_read_enough() -> bool:
                nonlocal count, objects
                counted = stats(len(ends))
                station.sendall(counted + b"".join(objects[:10]))
                ends.append(count + len(counted))
                count = ends[-1] + sum(map(len, objects[:10]))
                objects = objects[10:] + objects[:10]
                lines = noted(tmp_path)
                return bool(lines) and lines[-1][0] >= kill_after

            wait_until(has_read_enough)
            process.kill()
    lines = noted(tmp_path)
    (file,) = recordings.glob("*.opl")
    _, flight_ms = read_log(file, catalogue).recording.series("SystemStats.FlightTime")
    whole = sum(end <= lines[-1][0] for end in ends)
    assert len(flight_ms) >= whole > 0
    assert flight_ms.tolist() == list(range(len(flight_ms)))
    assert max(later - sooner for (_, sooner), (_, later) in pairwise(lines)) <= 0.5


@pytest.mark.slow
def test_what_a_killed_process_changed_is_restored_by_the_next(
    aircraft: Aircraft, catalogue: Catalogue, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "tests.telemetry.vehicle.killed_process", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        before, after = process.stdout.readline().split()
        process.kill()
    assert before != after
    key = aircraft.board.named("SystemStats").object_id + 1, 0
    aircraft.board.values[key] = bytes.fromhex(after)  # the board flew on as it was left
    vehicle = connect(
        "test:killed",
        aircraft.open,
        catalogue,
        None,
        kept=BoardFolders(tmp_path, tmp_path / "settings"),
    )
    wait_until(lambda: aircraft.board.values[key] == bytes.fromhex(before))
    wait_until(lambda: not list(tmp_path.glob("*.json")))
    vehicle.close()


REASONS = [
    # what the link is busy with, seconds open, what was counted, what is said
    ("Compiling.", 9.0, Counters(), "Compiling."),
    ("", 1.0, Counters(), ""),
    ("", 9.0, Counters(), "another program is connected to it already"),
    ("", 9.0, Counters(rx_bytes=77), "Bytes arrive, but no telemetry"),
    ("", 9.0, Counters(rx_bytes=77, frames=5), "the board does not answer"),
    ("", 9.0, Counters(rx_bytes=77, frames=5, crc_errors=90), "Nearly all that arrives is damaged"),
]


@pytest.mark.parametrize(("progress", "open_for_s", "counters", "said"), REASONS)
def test_a_connection_that_takes_long_says_what_to_look_at(
    catalogue: Catalogue, progress: str, open_for_s: float, counters: Counters, said: str
) -> None:
    idle = Session(Role.GCS, catalogue).status
    session = replace(idle, state=SessionState.CONNECTING, counters=counters)
    report = Report(session, LinkRates(), open_for_s, progress)
    reason = reason_for(LinkState.CONNECTING, report, loss_s=8.0)
    assert said in reason
    assert bool(said) == bool(reason)


def test_why_a_connection_takes_long_is_in_the_status_of_its_vehicle(catalogue: Catalogue) -> None:
    class SlowLink(MemoryLink):
        progress = "Compiling."

    link = SlowLink("slow", SimpleQueue(), SimpleQueue())
    vehicle = connect("test:slow", lambda _: link, catalogue, None)
    wait_until(lambda: vehicle.status.reason == "Compiling.")
    vehicle.close()


@pytest.mark.parametrize("is_asked", [True, False])
def test_the_silence_of_a_restart_that_was_asked_for_is_no_lost_link(
    catalogue: Catalogue, is_asked: bool
) -> None:
    """Not asked for is the negative control; so is a board that has been away for too long."""
    idle = Session(Role.GCS, catalogue).status
    for state, silent_s in ((SessionState.CONNECTED, 1.1), (SessionState.LOST, 5.0)):
        session = replace(idle, state=state, last_heard=1.0)
        report = Report(session, LinkRates(), 9.0, "", 1.0, silent_s)
        status = link_status(report, 4.0, was_connected=True, is_restart_awaited=is_asked)
        assert (status.word == "Restarting") == is_asked
        assert (status.aged(1.0 + silent_s).age_level is Level.OK) == is_asked
    here = Report(replace(idle, state=SessionState.CONNECTED), LinkRates(), 9.0, "", 1.0, 0.2)
    status = link_status(here, 4.0, was_connected=True, is_restart_awaited=is_asked)
    assert status.state is LinkState.CONNECTED


def test_a_restart_is_awaited_for_a_minute() -> None:
    clock = Clock()
    commands = LiveCommands(lambda: None, clock)
    assert not commands.is_restart_awaited(clock.now)
    commands.expect_restart()
    assert commands.is_restart_awaited(clock.now + RESTART_S - 1.0)
    assert not commands.is_restart_awaited(clock.now + RESTART_S)
    commands.end_restart()
    assert not commands.is_restart_awaited(clock.now)


@pytest.mark.slow
@pytest.mark.parametrize("is_asked", [True, False])
def test_a_link_that_a_restart_closes_is_noted_without_alarm(
    vehicle: Vehicle, aircraft: Aircraft, is_asked: bool
) -> None:
    wait_until(is_connected(vehicle))
    if is_asked:
        vehicle.commands.expect_restart()
    aircraft.failure = LinkError("There is no such port.")
    aircraft.unplug()
    away = LinkState.RESTARTING if is_asked else LinkState.RECONNECTING
    wait_until(lambda: vehicle.status.state is away)
    aircraft.failure = None
    wait_until(is_connected(vehicle))
    levels = {event.level for event in vehicle.recording.events() if event.kind == "link"}
    assert (Level.ERROR in levels) == (not is_asked)


@pytest.mark.slow
def test_changed_metadata_is_restored_after_an_unplugged_link_and_at_the_end(
    aircraft: Aircraft, catalogue: Catalogue, tmp_path: Path
) -> None:
    folder = tmp_path / "borrowed"
    name = "SystemStats"
    address = aircraft.board.named(name).object_id + 1, 0
    before = aircraft.board.values[address]
    vehicle = connect(
        "test:quad", aircraft.open, catalogue, None, kept=BoardFolders(folder, folder / "settings")
    )
    wait_until(is_connected(vehicle))
    change = vehicle.commands.change_metadata(name, sent_every(40))
    wait_until(lambda: change.is_active)
    assert aircraft.board.values[address] != before
    aircraft.unplug()
    wait_until(lambda: change.state == "ended")
    assert aircraft.board.values[address] != before
    assert list(folder.glob("*.json"))
    wait_until(lambda: aircraft.board.values[address] == before)
    wait_until(lambda: not list(folder.glob("*.json")))
    wait_until(is_connected(vehicle))
    again = vehicle.commands.change_metadata(name, sent_every(50))
    wait_until(lambda: again.is_active)
    vehicle.close()
    assert aircraft.board.values[address] == before
    assert not list(folder.glob("*.json"))


def test_definitions_of_the_user_s_own_are_kept_beside_the_recording(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    attitude = catalogue.find("AttitudeState")
    first, *rest = attitude.fields
    own = replace(attitude, fields=(replace(first, name="ours"), *rest))
    mine = catalogue.with_own(DefinitionSet("mine", [own]))
    aircraft = Aircraft(mine)
    others = [one for one in aircraft.board.definitions.values() if one != attitude]
    aircraft.board = MemoryBoard((*others, own))
    vehicle = connect("test:quad", aircraft.open, mine, tmp_path)
    wait_until(is_connected(vehicle))
    vehicle.close()
    aircraft.land()
    (log,) = tmp_path.glob("*.opl")
    tracks = read_log(log, catalogue).recording.tracks()
    assert own in [track.definition for track in tracks]


def test_definitions_that_come_in_flight_are_heard_by_from_then_on(
    aircraft: Aircraft, tmp_path: Path
) -> None:
    """And the recording opens whole, with what was not understood when it was written."""
    here = load_catalogue()
    attitude = here.find("AttitudeState")
    own = replace(attitude, name="KiteState")
    mine = DefinitionSet("mine", [own])
    others = [one for one in aircraft.board.definitions.values() if one != attitude]
    aircraft.board = MemoryBoard((*others, own))
    aircraft.published = "KiteState"
    vehicle = connect("test:quad", aircraft.open, here, tmp_path)
    wait_until(lambda: vehicle.status.unknown_ids == {own.object_id})
    assert vehicle.recording.track("KiteState") is None
    here.take([mine])
    wait_until(lambda: vehicle.recording.track("KiteState") is not None)
    wait_until(lambda: not vehicle.status.unknown_ids)
    vehicle.close()
    aircraft.land()
    (log,) = tmp_path.glob("*.opl")
    reading = read_log(log, load_catalogue())
    live, read = vehicle.recording.track("KiteState"), reading.recording.track("KiteState")
    assert live is not None
    assert read is not None
    assert read.count > live.count
    assert reading.info.unknown_frames == 0


@pytest.mark.slow
def test_what_the_station_noted_in_flight_is_in_the_log_of_it(
    vehicle: Vehicle, aircraft: Aircraft, catalogue: Catalogue, tmp_path: Path
) -> None:
    """Devices, hangs and warnings of the station, and the link that was unplugged."""
    wait_until(is_connected(vehicle))
    vehicle.note("device", Level.ERROR, "The gamepad was unplugged")
    vehicle.note("hang", Level.WARNING, "The window did not answer for 2.0 s", 0.001)
    aircraft.unplug()
    wait_until(lambda: aircraft.opened == 2)
    wait_until(is_connected(vehicle))
    vehicle.note("warning", Level.WARNING, "Battery low")
    vehicle.close()
    noted = vehicle.recording.noted()
    assert [event.kind for event in noted] == ["device", "hang", "link", "warning"]
    (file,) = tmp_path.glob("*.opl")
    reading = read_log(file, catalogue)
    assert reading.warnings == ()
    assert reading.recording.noted() == noted
    assert set(noted) <= set(reading.recording.events())


class Socket:
    """Where a board is plugged in, or not, and what it was asked for."""

    def __init__(self) -> None:
        self.absent_for = 0
        self.asked: list[str] = []
        self.link: MemoryLink | None = None

    def open(self, address: str) -> Link:
        self.asked.append(address)
        if self.absent_for:
            self.absent_for -= 1
            raise NotThere("Plug it in.")
        self.link, _ = pair("board")
        self.link.address = "usb:32FF"
        return self.link


def test_a_board_that_is_away_is_looked_for_all_the_time(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "BACKOFF_S", (0.0, 3600.0))  # once, and in an hour
    socket = Socket()
    socket.absent_for = 5
    vehicle = connect("usb:", socket.open, catalogue, None)
    try:
        wait_until(lambda: vehicle.link is not None)
        assert socket.asked == ["usb:"] * 6
    finally:
        vehicle.close()


def test_the_only_board_there_was_is_opened_again_and_no_other(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "BACKOFF_S", (0.0,))
    socket = Socket()
    vehicle = connect("usb:", socket.open, catalogue, None)
    try:
        wait_until(lambda: vehicle.link is not None)
        assert socket.link is not None
        socket.absent_for = 2
        socket.link.close()
        wait_until(lambda: len(socket.asked) >= 4)
        assert socket.asked[:4] == ["usb:", *["usb:32FF"] * 3]
    finally:
        vehicle.close()
