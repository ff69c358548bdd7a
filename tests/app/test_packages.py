"""Packed flights in the window: packed as they show, unpacked once, opened as they were."""

from pathlib import Path

import pytest

from app.opening.packages import PackageOpening
from app.saving.packing import FlightPacking
from telemetry.review.flights.flight import flight_of
from telemetry.review.flights.marker import Marker
from tests.app.test_flights import Bench
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, saved
from tests.telemetry.recording.video_files.barcode import write_numbered

MARKED = (Marker(1.0, "gust"),)


class PackingBench(Bench):
    """A station that packs and opens packed flights."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.packing = FlightPacking(self.keeping, lambda: CATALOGUE, self.jobs, self.messages)
        self.packages = PackageOpening(
            lambda flight: self.opening.open([flight]),
            lambda: self.state / "recordings",
            self.jobs,
            self.messages,
        )
        self.opening.open_package = self.packages.open

    def pack(self, out: Path) -> None:
        self.packing.ask_where = lambda _path, take: take(out)
        self.packing.pack(self.active)
        self.poll()

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.told]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A flight with a film, packed without being saved."""
    bench = PackingBench(tmp_path / "sender")
    (tmp_path / "sent").mkdir()
    log = saved(tmp_path, *attitudes(60), name="a.opl")
    flight = bench.open(log, write_numbered(tmp_path / "film.avi", 3))
    flight.markers = MARKED
    bench.keeping.layout = lambda: {"title": "Mine"}
    bench.pack(tmp_path / "sent" / "a.lapwingz")
    assert any("packed as" in text for text in bench.texts)
    assert flight.is_unsaved
    return tmp_path / "sent" / "a.lapwingz"


@pytest.fixture
def receiver(tmp_path: Path) -> PackingBench:
    return PackingBench(tmp_path / "receiver")


def test_it_opens_in_a_folder_beside_it(receiver: PackingBench, package: Path) -> None:
    flight = receiver.open(package)
    assert flight.path == package.parent / "a" / "a.lapwing"
    assert (flight.markers, flight.layout, flight.is_unsaved) == (MARKED, {"title": "Mine"}, False)
    assert [video.problem for video in flight.videos] == [""]
    assert receiver.active.recording.names() == ("AttitudeState",)


def test_it_is_unpacked_once(receiver: PackingBench, package: Path, tmp_path: Path) -> None:
    flight = receiver.open(package)
    flight.markers = (*MARKED, Marker(2.0, "mine"))
    receiver.keeping.save(receiver.active)
    receiver.poll()
    again = PackingBench(tmp_path / "again")
    assert len(again.open(package).markers) == 2
    assert any("unpacked before" in text for text in again.texts)
    assert {one.name for one in package.parent.iterdir()} == {"a", "a.lapwingz"}


def test_a_folder_of_its_name_with_something_else_stays(
    receiver: PackingBench, package: Path
) -> None:
    (package.parent / "a").mkdir()
    (package.parent / "a" / "mine").write_text("mine")
    flight = receiver.open(package)
    assert flight.path == package.parent / "a (2)" / "a.lapwing"
    assert [one.name for one in (package.parent / "a").iterdir()] == ["mine"]


def test_a_renamed_one_is_known_by_its_content(receiver: PackingBench, package: Path) -> None:
    renamed = package.rename(package.with_name("mail.zip"))
    assert receiver.open(renamed).path == package.parent / "mail" / "a.lapwing"


def test_where_nothing_can_be_written_it_goes_to_the_recordings(
    receiver: PackingBench, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, _how: Path(path) != package.parent)
    assert receiver.open(package).path == receiver.state / "recordings" / "a" / "a.lapwing"


def test_of_a_damaged_one_what_is_whole_is_offered(receiver: PackingBench, package: Path) -> None:
    data = bytearray(package.read_bytes())
    at = data.index(b"RIFF")
    data[at + 2000] ^= 1
    package.write_bytes(data)
    receiver.opening.open([package])
    receiver.poll()
    assert receiver.fleet.active is None
    assert any("videos/film.avi cannot be unpacked" in text for text in receiver.texts)
    assert [one.name for one in package.parent.iterdir()] == ["a.lapwingz"]
    receiver.remedy("Open what is whole")()
    receiver.poll()
    flight = flight_of(receiver.active)
    assert flight.markers == MARKED
    assert flight.videos[0].problem


def test_a_damaged_one_is_unpacked_once_and_a_whole_copy_of_it_anew(
    receiver: PackingBench, package: Path, tmp_path: Path
) -> None:
    sound = package.read_bytes()
    at = sound.index(b"RIFF") + 2000
    package.write_bytes(sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :])
    receiver.packages.open(package, whole_only=True)
    receiver.poll()
    again = PackingBench(tmp_path / "again")
    assert again.open(package).path == package.parent / "a" / "a.lapwing"
    assert {one.name for one in package.parent.iterdir()} == {"a", "a.lapwingz"}
    package.write_bytes(sound)
    later = PackingBench(tmp_path / "later").open(package)
    assert later.path == package.parent / "a (2)" / "a.lapwing"
    assert [video.problem for video in later.videos] == [""]


def test_of_one_without_flight_and_manifest_the_log_opens(
    receiver: PackingBench, package: Path
) -> None:
    data = bytearray(package.read_bytes())
    for name in (b"manifest.json", b"a.lapwing"):
        data[data.index(name) + len(name) + 20] ^= 1
    package.write_bytes(data)
    receiver.packages.open(package, whole_only=True)
    receiver.poll()
    assert flight_of(receiver.active).log == package.parent / "a" / "logs" / "a.opl"


def test_an_archive_that_lost_its_end_alone_opens_and_is_told(
    receiver: PackingBench, package: Path
) -> None:
    package.write_bytes(package.read_bytes()[:-10])
    assert receiver.open(package).markers == MARKED
    assert any("has no end; what is unpacked is whole" in text for text in receiver.texts)


def test_what_must_not_be_unpacked_is_refused(receiver: PackingBench, tmp_path: Path) -> None:
    bad = tmp_path / "bad.lapwingz"
    bad.write_bytes(b"PK\3\4" + bytes(100))
    receiver.opening.open([bad])
    receiver.poll()
    assert any("bad.lapwingz cannot be opened" in text for text in receiver.texts)


def test_unpacking_can_be_called_off(receiver: PackingBench, package: Path) -> None:
    receiver.pool.is_held = True
    receiver.packages.open(package)
    receiver.jobs.cancel()
    receiver.pool.release()
    receiver.poll()
    assert [one.name for one in package.parent.iterdir()] == ["a.lapwingz"]
    assert any("cancelled" in text for text in receiver.texts)
