"""Packed flights that were damaged or made to harm: refused, or what is whole of them is named, and
nothing is written outside of the folder. LAPWING_ALL_WAYS=1 tries 200 of them."""

import hashlib
import os
import struct
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time

import pytest

from telemetry.base.text_formats import FormatError
from telemetry.review.flights.flight import FlightContent
from telemetry.review.flights.packing.contents import FlightToPack, PackageError
from telemetry.review.flights.packing.manifest import manifest_from_bytes
from telemetry.review.flights.packing.pack import pack_flight
from telemetry.review.flights.packing.unpack import unpack_package, verify_package
from tests.fuzz.hostile_packages import (
    CANARY,
    FOLDER,
    Broken,
    Entry,
    archive,
    broken_packages,
    members_of,
    wide,
)
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, saved

COUNT = 200 if "LAPWING_ALL_WAYS" in os.environ else 90
LARGE_BYTES, MOST_BYTES, MOST_S = 20_000, 16 << 20, 2.0
CANARY_PLACES = (Path("/tmp") / CANARY, Path("C:\\") / CANARY)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package, with what it holds unpacked beside it."""
    folder = tmp_path_factory.mktemp("sound")
    log = saved(folder, *attitudes(200))
    flight = FlightToPack(folder / "flight.lapwing", log, FlightContent(notes="Windy."))
    pack_flight(folder / "flight.lapwingz", flight, CATALOGUE)
    unpack_package(folder / "flight.lapwingz", folder / "whole")
    return folder / "flight.lapwingz"


def tree(folder: Path) -> dict[str, str]:
    """What stands in a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def outcome(broken: Broken, place: Path, whole: dict[str, str]) -> str:
    """ "refused", "parts" or "whole"; fails for anything written that was not packed so."""
    package = place / "x.lapwingz"
    package.write_bytes(broken.data)
    (place / "beside").write_text("mine")
    before = tree(place.parent)
    said = "whole"
    try:
        unpack_package(package, place / "out")
    except PackageError:
        assert tree(place.parent) == before
        said = "refused"
        try:
            unpack_package(package, place / "out", whole_only=True)
            said = "parts"
        except PackageError:
            pass
    after = tree(place.parent)
    unpacked = tree(place / "out") if (place / "out").exists() else {}
    own = f"{place.name}/out/"
    assert {name: one for name, one in after.items() if not name.startswith(own)} == before
    manifest = unpacked.pop("manifest.json", None)
    assert manifest in (None, whole["manifest.json"]) or said == "parts"
    assert unpacked.items() <= whole.items()
    assert said != "whole" or unpacked.keys() == whole.keys() - {"manifest.json"}
    assert not any(path.exists() for path in CANARY_PLACES)
    return said


@pytest.mark.slow
def test_none_harms(sound: Path, tmp_path: Path) -> None:
    whole = tree(sound.parent / "whole")
    said: Counter[str] = Counter()
    for number, broken in enumerate(broken_packages(sound.read_bytes(), COUNT)):
        place = tmp_path / f"{number}" / "place"
        place.mkdir(parents=True)
        with bounded(broken):
            result = outcome(broken, place, whole)
        assert result == "refused" or not broken.is_hostile, broken.what
        said[result] += 1
    assert said.total() == COUNT
    assert said["refused"] > 50
    assert said["parts"] > 10


@contextmanager
def bounded(broken: Broken) -> Iterator[None]:
    """Nothing large is made in memory of a bomb, and none takes long."""
    is_large = len(broken.data) > LARGE_BYTES
    began_s = process_time()
    if is_large:
        tracemalloc.start()
    yield
    if is_large:
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES, broken.what
        tracemalloc.stop()
    assert process_time() - began_s < MOST_S, broken.what


def test_one_with_the_end_and_the_sizes_of_zip64_is_whole(sound: Path, tmp_path: Path) -> None:
    """As Python's library writes it of packages over 4 GB (APPNOTE.TXT, 4.3.14 to 4.3.16)."""
    data = sound.read_bytes()
    count, length, start = struct.unpack("<10xHII2x", data[-22:])
    end = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, length, start)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, len(data) - 22, 1)
    last = struct.pack("<4s4HIIH", b"PK\5\6", 0, 0, count, count, length, 0xFFFFFFFF, 0)
    (tmp_path / "x.lapwingz").write_bytes(data[:-22] + end + locator + last)
    assert zipfile.ZipFile(tmp_path / "x.lapwingz").testzip() is None
    assert verify_package(tmp_path / "x.lapwingz").is_whole
    entries = [wide(one, len(one.data), len(one.data)) for one in members_of(data)]
    (tmp_path / "wide.lapwingz").write_bytes(archive(entries))
    assert zipfile.ZipFile(tmp_path / "wide.lapwingz").testzip() is None
    assert verify_package(tmp_path / "wide.lapwingz").is_whole
    (tmp_path / "x.lapwingz").write_bytes(data[:-22] + end + locator[:8] + bytes(12) + last)
    assert "damaged at its end" in verify_package(tmp_path / "x.lapwingz").problem


def test_folders_in_it_say_nothing(sound: Path, tmp_path: Path) -> None:
    """Other programs list them."""
    folder = Entry(b"logs/", attributes=FOLDER)
    (tmp_path / "x.lapwingz").write_bytes(archive([*members_of(sound.read_bytes()), folder]))
    assert verify_package(tmp_path / "x.lapwingz").is_whole


def test_a_manifest_names_a_file_of_a_flight(sound: Path) -> None:
    manifest = members_of(sound.read_bytes())[0].data
    assert manifest_from_bytes(manifest).flight == "flight.lapwing"
    for name in (b"logs/flight.opl", b"nothing.lapwing"):
        other = manifest.replace(b'"flight": "flight.lapwing"', b'"flight": "%s"' % name)
        with pytest.raises(FormatError, match="names no file of a flight"):
            manifest_from_bytes(other)


def test_a_sound_one_is_whole(sound: Path, tmp_path: Path) -> None:
    """A negative control: what refuses everything would pass the other tests."""
    place = tmp_path / "place"
    place.mkdir()
    broken = Broken("nothing", sound.read_bytes(), is_hostile=False)
    assert outcome(broken, place, tree(sound.parent / "whole")) == "whole"
