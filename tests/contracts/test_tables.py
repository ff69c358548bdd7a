"""Every row of the tables that one adds to keeps what its table promises: exports, findings,
mission formats. What a row writes or finds is the matter of its own test.
"""

from pathlib import Path

import pytest

from plugins.testing import add, short_flight
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import (
    MISSION_FORMATS,
    is_mission,
    read_mission,
    write_mission,
)
from telemetry.recording.export.formats import FORMATS
from telemetry.recording.export.request import ExportError, ExportRequest
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.reviewed_flight import review
from telemetry.review.analysis.findings.search import FINDERS, finding_kinds
from tests.telemetry.missions.made import HOME, square
from tests.telemetry.recording.logs.books import CATALOGUE, frame, record, saved

WRITTEN = [row.suffix for row in MISSION_FORMATS.values() if row.write is not None]
READ = [row.suffix for row in MISSION_FORMATS.values() if row.read is not None]


@pytest.fixture(scope="module")
def flown(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """The short flight from a file, and two seconds more in which all is known of its pose."""
    recording = short_flight()
    for t in (21.0, 22.0):
        add(recording, t, "AttitudeState", q1=1.0)
        add(recording, t, "PositionState", North=t)
        add(recording, t, "VelocityState", North=1.0)
        add(recording, t, "GyroState", x=1.0)
        add(recording, t, "AccelState", z=-9.81)
    rows = [
        (float(t), track, row)
        for track in recording.tracks()
        for t, row in zip(track.times, track.rows, strict=True)
    ]
    frames = (
        record(round(1000 * t), frame(track.definition, row.tobytes(), track.instance))
        for t, track, row in sorted(rows, key=lambda one: one[0])
    )
    path = saved(tmp_path_factory.mktemp("log"), *frames)
    return read_log(path, CATALOGUE).recording


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_an_export_writes_what_it_says(flown: Recording, tmp_path: Path, name: str) -> None:
    assert FORMATS[name].title
    told: list[tuple[int, int]] = []
    request = ExportRequest(progress=lambda done, total: told.append((done, total)))
    files = FORMATS[name].export(flown, tmp_path / "new", request)
    assert files
    assert all(path.stat().st_size and path.is_relative_to(tmp_path / "new") for path in files)
    assert all(0 <= done <= total for done, total in told)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_an_export_that_cannot_be_written_is_refused(
    flown: Recording, tmp_path: Path, name: str
) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(ExportError):
        FORMATS[name].export(flown, tmp_path / "taken", ExportRequest())


@pytest.mark.parametrize("code", FINDERS)
def test_a_finder_finds_what_it_says_and_nothing_in_nothing(code: str) -> None:
    kinds = {kind.code: kind.title for kind in FINDERS[code].kinds}
    assert all(kinds.values())
    for finding in FINDERS[code].find(review(short_flight())):
        assert finding.title == kinds[finding.finding.code]
    assert list(FINDERS[code].find(review(Recording()))) == []


def test_no_two_kinds_of_findings_are_mixed_up() -> None:
    assert len({kind.code for kind in finding_kinds()}) == len(finding_kinds())
    assert len({kind.title for kind in finding_kinds()}) == len(finding_kinds())


@pytest.mark.parametrize("suffix", WRITTEN)
def test_a_mission_comes_back_as_it_was_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plan{suffix}"
    write_mission(path, square())
    assert is_mission(path)
    if suffix in READ:
        waypoints = read_mission(path, HOME).waypoints
        places = {(round(w.latitude_deg, 6), round(w.longitude_deg, 6)) for w in waypoints}
        assert {
            (round(w.latitude_deg, 6), round(w.longitude_deg, 6)) for w in square().waypoints
        } <= places


@pytest.mark.parametrize("suffix", READ)
def test_what_is_no_mission_is_refused_with_its_name(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plan{suffix}"
    for content in (b"?", b"\x00\xff" * 40, b"{}", b"<a/>"):
        path.write_bytes(content)
        with pytest.raises(MissionFileError, match="plan"):
            read_mission(path)
