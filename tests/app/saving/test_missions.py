"""A plan that was not saved is back at the next start; a mission dropped on the window opens."""

from pathlib import Path

import pytest

from app.background_jobs import BackgroundJobs
from app.messages import Messages
from app.saving.missions import MissionSaving
from telemetry.missions.draft import mission_draft_of
from telemetry.missions.files.formats import is_mission, write_mission
from telemetry.review.flights.file_kind import FileKind, kind_of
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.telemetry.missions.made import square


class _Started:
    """A station's part of it."""

    def __init__(self, folder: Path) -> None:
        self.fleet, pool, self.messages = Fleet(), ImmediateJobs(), Messages()
        self.jobs = BackgroundJobs(pool, self.messages)
        self.keeping = MissionSaving(self.fleet, folder, pool, self.jobs, self.messages)
        self.draft = mission_draft_of(self.fleet)
        self.keeping.restore()


def test_what_was_not_saved_is_back(tmp_path: Path) -> None:
    first = _Started(tmp_path)
    first.draft.edit("Draw", square())
    first.keeping.poll()
    crashed = _Started(tmp_path)
    assert crashed.draft.mission.waypoints == square().waypoints
    assert crashed.draft.is_unsaved
    crashed.draft.take_saved(tmp_path / "mine.mission", crashed.draft.mission)
    crashed.keeping.close()
    assert _Started(tmp_path).draft.mission.waypoints == (), "what is in a file is not kept twice"


def test_damage_is_told_and_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "unsaved.mission").write_text("{", "utf-8")
    started = _Started(tmp_path)
    assert started.draft.mission.waypoints == ()
    assert any("lost" in message.text for message in started.messages.take())


def test_a_dropped_mission_opens_and_shows(tmp_path: Path) -> None:
    path = tmp_path / "a.mission"
    write_mission(path, square())
    started = _Started(tmp_path / "state")
    shown = []
    started.keeping.on_open = lambda: shown.append(True)
    started.keeping.open(path)
    started.jobs.poll()
    assert (len(started.draft.mission.waypoints), shown) == (4, [True])


@pytest.mark.parametrize("suffix", [".mission", ".json", ".xml", ".kml"])
def test_missions_are_known_by_what_stands_in_them(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plan{suffix}"
    write_mission(path, square())
    assert is_mission(path)


def test_definitions_are_no_missions(tmp_path: Path) -> None:
    path = tmp_path / "gps.xml"
    path.write_text('<xml><object name="GPSSettings"/></xml>', "utf-8")
    assert not is_mission(path)
    assert kind_of(path) is FileKind.DEFINITIONS
