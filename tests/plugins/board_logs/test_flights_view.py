"""Flights on board, in the panel over an emulated board: seen, downloaded, opened, erased."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.board_logs.board_flights import BoardFlights
from plugins.board_logs.flights_view import FlightsView
from plugins.board_logs.panel import BoardLogsPanel
from telemetry.configuration.board_logs.opening import open_board_log
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.logs.reader import read_log
from telemetry.vehicle.vehicle import Fleet
from tests.boards.emulated_log_files import FileBoard
from tests.boards.emulated_log_flash import LogBench, LogFlash
from tests.boards.slow_link import LinkKind, SlowBench
from tests.immediate import ImmediateJobs
from tests.telemetry.configuration.settings.bench import Bench
from widgets.theme import load_theme

SECONDS = (3, 8, 5)
LINK = LinkKind(bytes_per_s=100_000.0, delay_s=0.001)


def fly(flash: LogFlash, catalogue: Catalogue) -> None:
    """Three flights of so many seconds, the last of which is being written: attitude at 50 Hz,
    whose roll is its time in seconds, SystemStats at 1 Hz."""
    attitude = catalogue.find("AttitudeState", DEFAULT_RELEASE)
    stats = catalogue.find("SystemStats", DEFAULT_RELEASE)
    t = 10.0
    for seconds in SECONDS:
        flash.say(t * 1e6, "FlightStatus Armed: On board logging enabled.")
        for _ in range(seconds * 50):
            flash.log(t * 1e6, attitude.object_id, pack_values(attitude, {"Roll": t}))
            if round(t * 50) % 50 == 0:
                told = pack_values(stats, {"FlightTime": round(t * 1000)})
                flash.log(t * 1e6, stats.object_id, told)
            t = round(t + 0.02, 6)
        if seconds != SECONDS[-1]:
            flash.end_flight()
            t += 2.0
    flash.write_all()


class Driven:
    """The view, whose jobs let the board's time pass; `during` is called meanwhile."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.bench = bench
        self.opened: list[Path] = []
        self.during: Callable[[], object] = lambda: None
        fleet = Fleet()
        fleet.add(bench.vehicle)
        theme = load_theme("light")
        self.context = VehicleContext(fleet, theme, ImmediateJobs(), open_log=self.opened.append)
        self.view = FlightsView(self.context)
        self.view.apply_theme(theme)
        self.flights: BoardFlights = self.view.flights
        self.flights.folder, self.flights.recordings = folder / "entries", folder / "flights"
        clock = lambda: bench.clock.now  # noqa: E731
        self.flights.make_log = partial(open_board_log, clock=clock, pause=self._pause)
        self.view.refresh()

    def _pause(self, _seconds: float) -> None:
        self.bench.step()
        self.during()

    def tell_release(self, release: str) -> None:
        """Which firmware it is, which a bench does not tell."""
        vehicle = self.bench.vehicle
        vehicle.status = replace(vehicle.status, release=release)

    def choose(self, *numbers: int) -> None:
        chosen = self.view.table.selectionModel()
        chosen.clear()
        flags = QItemSelectionModel.SelectionFlag
        for line, row in enumerate(self.view.model.rows):
            if row.number in numbers:
                chosen.select(self.view.model.index(line, 0), flags.Select | flags.Rows)

    def row(self, number: int) -> tuple[str, ...]:
        model = self.view.model
        return next(model.shown(row).texts for row in model.rows if row.number == number)


@pytest.fixture
def flash(catalogue: Catalogue) -> LogFlash:
    flash = LogFlash()
    fly(flash, catalogue)
    return flash


@pytest.fixture
def bench(catalogue: Catalogue, flash: LogFlash) -> LogBench:
    return LogBench(catalogue, flash, LINK)


@pytest.fixture
def driven(qtbot: QtBot, bench: LogBench, tmp_path: Path) -> Iterator[Driven]:
    driven = Driven(bench, tmp_path)
    qtbot.addWidget(driven.view)
    driven.view.show()
    yield driven
    driven.context.close()


def entries(flash: LogFlash, flight: int) -> int:
    return sum(of == flight for of, _ in flash.slots)


def test_flights_are_looked_for_and_one_is_opened_at_once(
    driven: Driven, flash: LogFlash, catalogue: Catalogue
) -> None:
    view = driven.view
    assert not view.download.isEnabled()
    assert "Look for flights" in view.state.text()
    view.look.click()
    assert [row.number for row in view.model.rows] == [0, 1, 2]
    assert [row.entries for row in view.model.rows] == [entries(flash, n) for n in range(3)]
    assert driven.row(2)[1] == f"{entries(flash, 2)}, being written"
    assert view.state.text() == f"{len(flash.slots)} of 8,000 entries are used."
    assert not view.download.isEnabled()  # none is chosen

    driven.choose(1)
    assert view.download.isEnabled()
    told: list[str] = []
    driven.during = lambda: told.append(driven.flights.words())
    view.download.click()
    assert driven.row(1)[3] == "all of it"
    (path,) = driven.opened
    assert any("Downloading flight 1: " in text and " a second, " in text for text in told)
    read = read_log(path, catalogue)
    track = read.recording.track("AttitudeState")
    assert track is not None
    assert track.count >= SECONDS[1] * 50 - 4  # what waited at the end is in the next flight
    rolls = track.values("Roll")
    assert max(abs((rolls - rolls[0]) - (track.times - track.times[0]))) < 1e-3
    texts = [event.text for event in read.recording.events()]
    assert "FlightStatus Armed: On board logging enabled." in texts

    asked = dict(driven.bench.log_board.asked)
    driven.choose(1)
    view.download.click()  # opens the same file and fetches nothing again
    assert driven.opened == [path, path]
    assert sum(driven.bench.log_board.asked.values()) - sum(asked.values()) < 6


@pytest.mark.slow
def test_several_are_downloaded_beside_the_recording_and_not_opened(
    driven: Driven, tmp_path: Path
) -> None:
    vehicle, recording = driven.bench.vehicle, str(tmp_path / "chosen" / "now.opl")

    def record() -> None:
        vehicle.status = replace(vehicle.status, recording_file=recording)

    driven.during = record
    driven.view.look.click()
    driven.view.download_all.click()
    assert [row.is_downloaded for row in driven.view.model.rows] == [True] * 3
    assert driven.opened == []
    assert len(list((tmp_path / "chosen").glob("*.opl"))) == 3
    assert driven.view.said.text() == "Downloaded: flights 0, 1, 2."


def test_a_cancelled_download_goes_on_where_it_was(driven: Driven, flash: LogFlash) -> None:
    view, asked = driven.view, driven.bench.log_board.asked
    view.look.click()

    def cancel() -> None:
        if driven.flights.progress.done == 20:
            view.refresh()
            assert view.cancel.isEnabled()
            assert not view.look.isEnabled()
            assert view.model.rows[1].kept == 20
            view.cancel.click()

    driven.during = cancel
    driven.choose(1)
    view.download.click()
    assert "Stopped. What was fetched is kept." in view.said.text()
    assert driven.opened == []
    driven.during = lambda: None
    assert driven.row(1)[3] == f"20 of {entries(flash, 1)}"
    assert [one.number for one in driven.view.table.chosen] == [1]  # it stays chosen
    view.download.click()
    assert len(driven.opened) == 1
    more = {n: count for (of, n), count in asked.items() if of == 1 and count > 1}
    on_its_way = [n for n in more if 0 < n < entries(flash, 1)]
    assert len(on_its_way) <= 2  # one was on its way, and one tells that it is the same flight


def test_a_link_that_is_lost_is_said_and_nothing_is(
    driven: Driven, bench: LogBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    driven.view.look.click()
    driven.choose(1)

    def unplug() -> None:
        if driven.flights.progress.done == 20:
            monkeypatch.setattr(bench.slow, "write", lambda _data: None)
            monkeypatch.setattr(bench.slow, "read", silence)

    def silence(timeout_s: float) -> bytes:
        bench.clock.now += max(timeout_s, 0.05)
        return b""

    told: set[str] = set()
    driven.during = lambda: unplug() or told.add(driven.flights.words())
    driven.view.download.click()
    assert any(words.endswith("It waits for the link.") for words in told)
    assert driven.flights.known.has_failed
    assert driven.view.said.text()
    assert driven.view.said.property("tone") == "danger"
    assert [row.number for row in driven.view.model.rows] == [0, 1, 2]  # still known


def test_what_the_disk_does_not_take_is_said(driven: Driven, tmp_path: Path) -> None:
    driven.flights.folder = tmp_path / "full"
    driven.flights.folder.write_bytes(b"a file where a folder should be")
    driven.view.look.click()
    assert "cannot be written or read" in driven.view.said.text()


@pytest.mark.slow
def test_nothing_is_erased_before_it_was_downloaded_or_given_up(
    driven: Driven, bench: LogBench, flash: LogFlash
) -> None:
    view = driven.view
    assert not view.erase.isEnabled()
    assert "Look for flights first" in view.why_not.text()
    view.look.click()
    assert not view.erase.isEnabled()
    assert "Not everything was downloaded of flights 0, 1, 2." in view.why_not.text()
    driven.choose(1)
    view.download.click()
    assert not view.erase.isEnabled()
    view.give_up.click()
    assert view.erase.isEnabled()
    assert view.why_not.text() == "This erases all of the flash: flights 0, 2 will be lost."
    view.erase.held.emit()
    assert not flash.slots
    assert view.model.rows == ()
    assert view.said.text() == "The flash is erased."
    assert "No flights were found" in view.state.text()
    assert not view.give_up.isChecked()


@pytest.mark.slow
def test_an_armed_board_is_not_asked_to_erase(driven: Driven, bench: LogBench) -> None:
    view = driven.view
    view.look.click()
    view.download_all.click()
    assert view.erase.isEnabled()
    bench.log_board.is_armed = True
    bench.slow.flight.publish(bench.named("FlightStatus").object_id)
    bench.pass_time(1.0)
    view.refresh()
    assert not view.erase.isEnabled()
    assert "Disarm first" in view.why_not.text()


def test_a_board_without_a_log_says_so(qtbot: QtBot, catalogue: Catalogue, tmp_path: Path) -> None:
    driven = Driven(Bench(catalogue), tmp_path)
    qtbot.addWidget(driven.view)
    assert "keeps no log of its own" in driven.view.state.text()
    assert not driven.view.look.isEnabled()
    assert not driven.view.erase.isEnabled()
    driven.context.close()


def test_a_board_that_tells_of_no_flash_is_not_looked_at(
    qtbot: QtBot, catalogue: Catalogue, tmp_path: Path
) -> None:
    bench = LogBench(catalogue, LogFlash(slots=0), LINK)
    bench.pass_time(3.0)
    driven = Driven(bench, tmp_path)
    qtbot.addWidget(driven.view)
    assert driven.view.state.text() == "The board tells of no flash for a log of its own."
    assert not driven.view.look.isEnabled()
    driven.context.close()


@pytest.mark.slow
def test_files_of_another_firmware_are_listed_and_its_profile_is_shown(
    qtbot: QtBot, catalogue: Catalogue, tmp_path: Path
) -> None:
    """Tau Labs and dRonin keep files, and say by a profile what is logged."""
    release = "dRonin-20170213"
    board = FileBoard(catalogue, release, {2: bytes(300), 3: bytes(500)}, is_tau_labs=False)
    settings = catalogue.find("LoggingSettings", release)
    board.definitions[settings.object_id] = settings
    board.values[settings.object_id, 0] = settings.default_row().tobytes()
    bench = SlowBench(catalogue, board, LINK)
    bench.slow.flight.publish(settings.object_id)
    bench.pass_time(1.0)
    driven = Driven(bench, tmp_path)
    qtbot.addWidget(driven.view)
    driven.tell_release(release)
    driven.view.look.click()
    assert [driven.row(number)[1] for number in (2, 3)] == ["not known"] * 2
    assert driven.row(3)[3] == "0 so far"
    driven.choose(3)
    driven.tell_release(release)
    driven.view.download.click()
    assert driven.view.said.text() == "Flight 3 has no telemetry in it."
    assert driven.row(3)[1:] == ("4", "not known", "all of it")
    panel = BoardLogsPanel(driven.context)
    qtbot.addWidget(panel)
    panel.refresh(0.0)
    assert panel.profile is not None
    assert "Profile" in panel.profile.editors
    driven.context.close()
