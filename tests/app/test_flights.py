"""Flights are opened, joined, saved, and kept where they were not; no window, no thread."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.background_jobs import BackgroundJobs, JobControl
from app.messages import Message, Messages
from app.opening.flights import FlightOpening
from app.opening.folder_overlay import FolderOverlay
from app.opening.folders import FolderSorting
from app.opening.logs import LogOpening
from app.saving.flights import FlightSaving
from plugins.testing import live_vehicle
from telemetry.protocol.objects.definition_xml import parse_definition
from telemetry.review.flights.backups import FlightBackups
from telemetry.review.flights.flight import Flight, flight_of
from telemetry.review.flights.marker import Marker
from telemetry.vehicle.vehicle import Fleet, LinkState, Vehicle
from tests.immediate import ImmediateJobs
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, frame, record, saved
from tests.telemetry.recording.video_files.barcode import write_numbered
from tests.telemetry.review.flights.recorded_streams import record_streams

MARKED = (Marker(1.0, "gust"),)
KITE = """<xml><object name="KiteLine" singleinstance="true" settings="false">
<description>Tension of the line.</description>
<field name="Tension" units="N" type="float" elements="1"/>
</object></xml>"""


@dataclass
class Bench:
    """The station's parts that deal with flights; `poll` is a second of its life."""

    state: Path
    fleet: Fleet = field(default_factory=Fleet)
    messages: Messages = field(default_factory=Messages)
    pool: ImmediateJobs = field(default_factory=ImmediateJobs)
    told: list[Message] = field(default_factory=list)
    asked: list[tuple[str, Path, Callable[[Path], None]]] = field(default_factory=list)
    asked_where: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.jobs = BackgroundJobs(self.pool, self.messages)
        self.logs = LogOpening((), lambda: CATALOGUE, self.jobs, self.messages)
        backups = FlightBackups(self.state / "flights")
        self.opening = FlightOpening(self.fleet, self.logs, backups, self.jobs, self.messages)
        self.keeping = FlightSaving(self.fleet, backups, self.pool, self.jobs, self.messages)
        self.opening.on_open = lambda vehicle, _path: vehicle.timeline.advance(0.0, 0.0, 10.0)
        self.opening.ask_for_file = lambda *asked: self.asked.append(asked)
        self.keeping.ask_where = lambda _vehicle, path: self.asked_where.append(path)

    def poll(self) -> None:
        while self.jobs.is_busy:
            self.jobs.poll()
        self.keeping.poll()
        self.told += self.messages.take()

    def open(self, *paths: Path) -> Flight:
        self.opening.open(paths)
        self.poll()
        return flight_of(self.active)

    @property
    def active(self) -> Vehicle:
        assert self.fleet.active is not None
        return self.fleet.active

    def remedy(self, title: str) -> Callable[[], object]:
        found = [message.remedy for message in self.told if message.remedy_title == title]
        assert found, [message.text for message in self.told]
        assert found[-1] is not None
        return found[-1]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "state")


@pytest.fixture
def again(tmp_path: Path) -> Bench:
    """The station at its next start."""
    return Bench(tmp_path / "state")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return saved(tmp_path, *attitudes(60), name="a.opl")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return write_numbered(tmp_path / "film.avi", 3)


def test_a_log_and_a_video_opened_together_are_one_flight(
    bench: Bench, log: Path, film: Path
) -> None:
    flight = bench.open(film, log)
    assert [vehicle.name for vehicle in bench.fleet.vehicles] == ["a.opl"]
    assert [video.files for video in flight.videos] == [(film,)]


@pytest.fixture
def reading(bench: Bench, log: Path, film: Path) -> Flight:
    """A flight with a video whose log is still being read."""
    bench.opening.open((log, film))
    bench.jobs.poll()
    bench.jobs.poll()
    return flight_of(bench.active)


def test_a_video_shows_while_its_log_is_being_read(
    bench: Bench, reading: Flight, film: Path
) -> None:
    assert [video.files for video in reading.videos] == [(film,)]
    assert (reading.is_being_read, bench.active.recording.names()) == (True, ())
    reading.markers = MARKED
    bench.poll()
    assert (reading.is_being_read, bench.active.recording.names()) == (False, ("AttitudeState",))
    assert (flight_of(bench.active), reading.markers) == (reading, MARKED)
    assert [vehicle.name for vehicle in bench.fleet.vehicles] == ["a.opl"]


def test_a_flight_is_opened_once_and_its_log_read_once(bench: Bench, log: Path, film: Path) -> None:
    calls: list[str] = []
    bench.opening.on_open = lambda vehicle, _path: calls.append(f"open {vehicle.name}")
    bench.opening.on_read = lambda vehicle: calls.append(f"read {vehicle.recording.names()}")
    bench.open(log, film)
    bench.open(log)
    read = "read ('AttitudeState',)"
    assert calls == ["open a.opl", read, "open a.opl (2)", read]


def test_a_flight_that_is_closed_while_it_is_read_stays_closed(
    bench: Bench, reading: Flight
) -> None:
    bench.fleet.remove(bench.active)
    bench.poll()
    assert bench.fleet.vehicles == ()
    assert reading.videos


def test_a_video_whose_log_cannot_be_read_waits_for_another(
    bench: Bench, log: Path, film: Path, tmp_path: Path
) -> None:
    bench.opening.open((tmp_path / "none.opl", film))
    bench.jobs.poll()
    bench.jobs.poll()
    bench.keeping.poll()
    assert bench.active.name == "none.opl"
    bench.poll()
    assert bench.fleet.vehicles == ()
    assert not [*bench.state.rglob("*")], "nothing was made of it that could be kept"
    assert [video.files for video in bench.open(log).videos] == [(film,)]


def test_a_dropped_video_joins_the_flight_that_shows_once(
    bench: Bench, log: Path, film: Path
) -> None:
    bench.open(log)
    bench.open(film)
    assert [video.name for video in bench.open(film).videos] == ["film.avi"]


def test_a_video_waits_for_its_log_rather_than_join_a_live_flight(
    bench: Bench, log: Path, film: Path
) -> None:
    live = live_vehicle()
    bench.fleet.add(live)
    assert bench.open(film).videos == ()
    assert len(bench.open(log).videos) == 1
    assert flight_of(live).videos == ()


def test_what_is_no_video_does_not_join(bench: Bench, log: Path, tmp_path: Path) -> None:
    (tmp_path / "torn.avi").write_bytes(b"RIFF1234AVI LIST")
    assert bench.open(log, tmp_path / "torn.avi").videos == ()
    assert "torn.avi" in bench.told[-1].text


def test_saving_writes_beside_the_log_and_opening_brings_all_back(
    bench: Bench, again: Bench, log: Path, film: Path
) -> None:
    flight = bench.open(log, film)
    flight.markers = MARKED
    assert flight.is_unsaved
    bench.keeping.save(bench.active)
    bench.poll()
    assert (flight.path, flight.is_unsaved) == (log.with_suffix(".lapwing"), False)
    opened = again.open(log.with_suffix(".lapwing"))
    assert (opened.markers, len(opened.videos), opened.is_unsaved) == (MARKED, 1, False)


def test_a_log_brings_the_flight_that_was_saved_beside_it(
    bench: Bench, again: Bench, log: Path
) -> None:
    bench.open(log).markers = MARKED
    bench.keeping.save(bench.active)
    bench.poll()
    assert again.open(log).markers == MARKED


def test_a_live_flight_is_saved_beside_its_recording(bench: Bench, log: Path) -> None:
    live = live_vehicle()
    live.status = replace(live.status, recording_file=str(log))
    bench.fleet.add(live)
    flight_of(live).markers = MARKED
    bench.keeping.save(live)
    bench.poll()
    value = json.loads(log.with_suffix(".lapwing").read_text())
    assert value["logs"][0]["file"]["path"] == "a.opl"


def test_another_flights_file_is_not_written_over(bench: Bench, log: Path) -> None:
    log.with_suffix(".lapwing").write_text("{}")
    bench.open(log).markers = MARKED
    bench.keeping.save(bench.active)
    bench.poll()
    assert bench.asked_where == [log.with_suffix(".lapwing")]
    assert log.with_suffix(".lapwing").read_text() == "{}"


def test_a_flight_that_cannot_be_written_stays_unsaved_and_offers_elsewhere(
    bench: Bench, log: Path
) -> None:
    flight = bench.open(log)
    flight.markers = MARKED
    bench.keeping.save(bench.active, log / "in-a-file" / "x.lapwing")
    bench.poll()
    assert flight.is_unsaved
    bench.remedy("Save elsewhere …")()
    assert bench.asked_where


@pytest.mark.parametrize("ends", ["closed", "ended"])
def test_what_was_not_saved_is_there_the_next_time(
    bench: Bench, again: Bench, log: Path, ends: str
) -> None:
    bench.open(log).markers = MARKED
    if ends == "closed":
        bench.fleet.remove(bench.active)
        bench.poll()
    else:
        bench.keeping.close()
    flight = again.open(log)
    assert flight.markers == MARKED
    again.remedy("Forget it")()
    again.poll()
    assert flight.markers == ()
    assert not list((again.state / "flights").glob("*.lapwing"))


def test_saving_leaves_no_backup(bench: Bench, log: Path) -> None:
    bench.open(log).markers = MARKED
    bench.poll()
    assert len(list((bench.state / "flights").glob("*.lapwing"))) == 1
    bench.keeping.save(bench.active)
    bench.poll()
    assert not list((bench.state / "flights").iterdir())


def test_a_missing_video_is_asked_for_and_the_rest_is_open(
    bench: Bench, again: Bench, log: Path, film: Path, elsewhere: Path
) -> None:
    bench.open(log, film)
    bench.keeping.save(bench.active)
    bench.poll()
    film.rename(moved := elsewhere / "moved.avi")
    flight = again.open(log.with_suffix(".lapwing"))
    assert again.active.recording.names() == ("AttitudeState",)
    again.remedy("Find the file …")()
    ((title, _, found),) = again.asked
    assert title == "Find film.avi"
    found(moved)
    assert (flight.videos[0].files, flight.videos[0].problem) == ((moved,), "")


def test_a_missing_log_is_asked_for_and_nothing_is_lost(
    bench: Bench, again: Bench, log: Path, elsewhere: Path
) -> None:
    bench.open(log).markers = MARKED
    bench.keeping.save(bench.active)
    bench.poll()
    log.rename(moved := elsewhere / "moved.opl")
    flight = again.open(log.with_suffix(".lapwing"))
    assert (flight.markers, again.active.recording.names()) == (MARKED, ())
    again.remedy("Find the file …")()
    again.asked[0][2](moved)
    again.poll()
    assert [vehicle.name for vehicle in again.fleet.vehicles] == ["moved.opl"]
    flight = flight_of(again.active)
    assert (flight.markers, flight.log, flight.is_unsaved) == (MARKED, moved, False)
    assert again.active.recording.names() == ("AttitudeState",)


def test_another_log_joins_and_is_read_again_with_the_flight(
    bench: Bench, again: Bench, log: Path, tmp_path: Path
) -> None:
    other = saved(tmp_path, *attitudes(30), name="b.opl")
    bench.open(log)
    first = bench.active
    bench.open(other)
    bench.opening.add_log(first, bench.active, is_other_flight=True)
    bench.keeping.save(first)
    bench.poll()
    (joined,) = again.open(log.with_suffix(".lapwing")).logs
    assert (joined.name, joined.is_other_flight) == ("b.opl", True)
    assert joined.recording is not None
    assert joined.recording.names() == ("AttitudeState",)


@pytest.fixture
def several(bench: Bench, log: Path, tmp_path: Path) -> Path:
    """A saved flight with three logs more."""
    bench.open(log)
    first = bench.active
    for name in ("b.opl", "c.opl", "d.opl"):
        bench.open(saved(tmp_path, *attitudes(30), name=name))
        bench.opening.add_log(first, bench.active, is_other_flight=True)
    bench.keeping.save(first)
    bench.poll()
    return log.with_suffix(".lapwing")


def test_other_logs_are_read_once_the_first_one_shows(again: Bench, several: Path) -> None:
    waiting: list[Callable[[], None]] = []
    again.opening.other_logs.when_shown = waiting.append
    flight = again.open(several)
    assert again.active.recording.names()
    assert [log.recording for log in flight.logs] == [None] * 3
    (read,) = waiting
    read()
    again.poll()
    assert [log.recording is not None for log in flight.logs] == [True] * 3


def test_one_log_that_cannot_be_read_leaves_the_others(
    again: Bench, several: Path, tmp_path: Path
) -> None:
    waiting: list[Callable[[], None]] = []
    again.opening.other_logs.when_shown = waiting.append
    flight = again.open(several)
    (tmp_path / "b.opl").write_bytes(b"no telemetry" * 100)
    waiting.pop()()
    again.poll()
    assert [log.recording is not None for log in flight.logs] == [False, True, True]
    assert "b.opl is not a flight log" in flight.logs[0].problem
    assert flight.logs[0].problem in [message.text for message in again.told]


def test_reading_the_other_logs_can_be_called_off(again: Bench, several: Path) -> None:
    waiting: list[Callable[[], None]] = []
    again.opening.other_logs.when_shown = waiting.append
    flight = again.open(several)
    again.pool.is_held = True
    waiting.pop()()
    assert again.jobs.can_cancel
    again.jobs.cancel()
    again.pool.release()
    again.poll()
    assert [log.recording for log in flight.logs] == [None] * 3
    assert ["called off" in log.problem for log in flight.logs] == [True] * 3
    assert again.active.recording.names()


def test_the_other_logs_of_a_flight_that_is_closed_are_not_read(
    again: Bench, several: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    really_read = again.logs.read

    def read_and_close(path: Path) -> Vehicle:
        read.append(path.name)
        if path.name == "b.opl":
            again.fleet.remove(again.active)
        return really_read(path)

    monkeypatch.setattr(again.logs, "read", read_and_close)
    again.opening.open([several])
    again.poll()
    assert read == ["a.opl", "b.opl"]
    assert not [message.text for message in again.told if "called off" in message.text]


def test_the_other_logs_are_read_once_though_the_first_one_is_found_meanwhile(
    again: Bench, several: Path, log: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Callable[[], None]] = []
    again.opening.other_logs.when_shown = waiting.append
    log.rename(moved := elsewhere / "moved.opl")
    again.open(several)
    again.remedy("Find the file …")()
    again.asked[0][2](moved)
    again.poll()
    read: list[Path] = []
    really_read = again.logs.read

    def read_and_tell(path: Path) -> Vehicle:
        read.append(path)
        return really_read(path)

    monkeypatch.setattr(again.logs, "read", read_and_tell)
    for begin in waiting:
        begin()
    again.poll()
    flight = flight_of(again.active)
    assert [log.recording is not None for log in flight.logs] == [True] * 3
    assert [path.name for path in read] == ["b.opl", "d.opl", "c.opl"]


def test_sorting_a_folder_can_be_called_off(
    bench: Bench, log: Path, film: Path, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    sorting = FolderSorting(window, bench.opening, bench.logs, bench.jobs, bench.messages)
    bench.pool.is_held = True
    sorting.open(log.parent)
    assert bench.jobs.can_cancel
    bench.jobs.cancel()
    bench.pool.release()
    bench.poll()
    assert not window.findChildren(FolderOverlay)
    assert [message.text for message in bench.told] == [
        f"Sorting the logs and videos in {log.parent.name}: cancelled."
    ]
    bench.pool.is_held = False
    sorting.open(log.parent)  # and once more, without calling it off
    bench.poll()
    assert window.findChildren(FolderOverlay)


def test_closing_calls_off_what_is_only_read(bench: Bench) -> None:
    reading, writing = JobControl(is_for_window=True), JobControl()
    bench.pool.is_held = True
    for control in (reading, writing):
        bench.jobs.submit(lambda: None, "Something", lambda _none: None, control=control)
    bench.jobs.close()
    assert (reading.is_cancelled, writing.is_cancelled) == (True, False)


def test_the_same_flight_is_not_opened_twice(bench: Bench, log: Path) -> None:
    bench.open(log)
    bench.keeping.save(bench.active)
    bench.poll()
    bench.open(log.with_suffix(".lapwing"))
    assert len(bench.fleet.vehicles) == 1


def test_dropped_definitions_make_a_log_whole_and_stay_with_it(
    bench: Bench, again: Bench, tmp_path: Path, elsewhere: Path
) -> None:
    kite = parse_definition(KITE, "kite.xml")
    pulls = [record(9000 + n, frame(kite, bytes(4))) for n in range(5)]
    log = saved(tmp_path, *attitudes(60), *pulls, name="kite.opl")
    (elsewhere / "kite.xml").write_text(KITE)
    bench.open(log).markers = MARKED
    bench.active.timeline.seek(1.5)
    assert bench.open(elsewhere).markers == MARKED
    assert len(bench.fleet.vehicles) == 1
    assert bench.active.recording.names() == ("AttitudeState", "KiteLine")
    assert bench.active.timeline.t == 1.5
    assert "kite.opl shows KiteLine now. What it needs" in bench.told[-1].text
    again.open(log)
    assert again.active.recording.names() == ("AttitudeState", "KiteLine")


def test_definitions_that_say_nothing_new_change_nothing(
    bench: Bench, log: Path, elsewhere: Path
) -> None:
    (elsewhere / "kite.xml").write_text(KITE)
    bench.open(log)
    before = bench.active
    bench.open(elsewhere)
    assert bench.active is before
    assert "a.opl has no object that only these definitions know" in bench.told[-1].text


def test_definitions_of_another_firmware_are_told_to_be_that(
    bench: Bench, tmp_path: Path, elsewhere: Path
) -> None:
    kite = parse_definition(KITE, "kite.xml")
    pulls = [record(9000 + n, frame(kite, bytes(4))) for n in range(5)]
    log = saved(tmp_path, *attitudes(60), *pulls, name="kite.opl")
    (elsewhere / "kite.xml").write_text(KITE.replace("Tension", "Pull"))
    bench.open(log)
    asked: list[Callable[[list[Path]], None]] = []
    bench.opening.ask_for_definitions = asked.append
    bench.opening.find_definitions(bench.active)
    asked[0]([elsewhere / "kite.xml"])
    bench.poll()
    assert bench.told[-1].text.startswith("The unknown id of kite.opl is not in kite.xml")
    assert bench.active.status.unknown_objects == 1
    (elsewhere / "kite.xml").write_text(KITE)
    asked[0]([elsewhere / "kite.xml"])
    bench.poll()
    assert bench.active.status.unknown_objects == 0


def test_a_live_aircraft_takes_those_that_fit_and_the_others_are_told(
    bench: Bench, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kite = parse_definition(KITE, "kite.xml")
    vehicle = live_vehicle()
    unknown = frozenset({kite.object_id})
    vehicle.status = replace(vehicle.status, state=LinkState.CONNECTED, unknown_ids=unknown)
    bench.fleet.add(vehicle)
    taken: list[object] = []
    monkeypatch.setattr(vehicle.catalogue, "take", taken.append)
    bench.opening.ask_for_definitions = lambda then: then([elsewhere / "kite.xml"])
    (elsewhere / "kite.xml").write_text(KITE.replace("Tension", "Pull"))
    bench.opening.find_definitions(vehicle)
    bench.poll()
    assert "is not in kite.xml" in bench.told[-1].text
    assert not taken
    (elsewhere / "kite.xml").write_text(KITE)
    bench.opening.find_definitions(vehicle)
    bench.poll()
    assert "shows KiteLine from now on." in bench.told[-1].text
    assert len(taken) == 1


def test_another_log_of_the_flight_is_aligned_or_it_is_said_why_not(
    bench: Bench, log: Path, tmp_path: Path
) -> None:
    bench.open(log)
    first = bench.active
    bench.open(saved(tmp_path, *attitudes(9), name="b.opl"))
    bench.opening.add_log(first, bench.active, is_other_flight=False)
    bench.poll()
    assert bench.told[-1].text.startswith("b.opl is part of the flight, but not aligned: ")


def test_a_flight_is_compared_with_a_file_as_soon_as_it_is_chosen(
    bench: Bench, log: Path, tmp_path: Path
) -> None:
    flight, shown = bench.open(log), []
    comparison = bench.opening.comparison
    comparison.show_plots = lambda: shown.append(flight.compared)
    comparison.compare_with_file(bench.active, saved(tmp_path, *attitudes(9), name="b.opl"))
    bench.poll()
    assert shown == ["b.opl"]
    assert [(one.name, one.is_other_flight, one.sync.method) for one in flight.logs] == [
        ("b.opl", True, "start")
    ]
    assert bench.told[-1].text.startswith("b.opl is drawn paler beside a.opl: both begin at once. ")
    assert [vehicle.name for vehicle in bench.fleet.vehicles] == ["a.opl"]
    bench.remedy("End the comparison")()
    assert (flight.compared, flight.logs) == ("", ())


def test_a_comparison_that_cannot_be_read_leaves_all_as_it_was(
    bench: Bench, log: Path, tmp_path: Path
) -> None:
    flight = bench.open(log)
    for name in ("gone.opl", "gone.lapwing"):
        bench.opening.comparison.compare_with_file(bench.active, tmp_path / name)
        bench.poll()
        assert name in bench.told[-1].text
    assert (flight.compared, flight.logs) == ("", ())
    bench.opening.comparison.end(bench.active)
    bench.poll()
    assert bench.told[-1].text == "a.opl is not compared with another flight."


def test_pictures_and_scans_recorded_beside_a_log_are_part_of_its_flight(
    bench: Bench, again: Bench, log: Path
) -> None:
    record_streams(log, 0.1)
    flight = bench.open(log)
    media = [track.description.name for track in bench.active.recording.media_tracks()]
    assert media == ["front", "lidar"]
    assert [video.name for video in flight.videos] == ["Front camera"]
    assert not flight.is_unsaved
    bench.keeping.save(bench.active)
    bench.poll()
    elsewhere = log.parent / "streams"
    elsewhere.mkdir()
    moved = elsewhere / "moved.npz"
    log.with_name("a_lidar.npz").rename(moved)
    said = json.loads(log.with_suffix(".lapwing").read_text())
    said["streams"][1]["file"] |= {"path": "streams/moved.npz", "absolute": ""}
    log.with_suffix(".lapwing").write_text(json.dumps(said))
    flight = again.open(log.with_suffix(".lapwing"))
    assert again.active.recording.media("lidar") is not None
    assert flight.streams[-1].path == moved
    assert [video.name for video in flight.videos] == ["Front camera"]


def test_a_recorded_stream_that_is_missing_is_told_and_the_rest_is_open(
    bench: Bench, again: Bench, log: Path
) -> None:
    record_streams(log, 0.1)
    bench.open(log)
    bench.keeping.save(bench.active)
    bench.poll()
    log.with_name("a_lidar.npz").unlink()
    again.open(log.with_suffix(".lapwing"))
    assert [track.description.name for track in again.active.recording.media_tracks()] == ["front"]
    assert any("a_lidar.npz is not where it was" in message.text for message in again.told)
