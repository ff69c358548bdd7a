"""How far a mission is at an instant of a recording."""

import math
from typing import Any

import pytest

from telemetry.missions.legs import legs_of
from telemetry.missions.progress import MissionProgress, mission_progress
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from tests.telemetry.missions.made import HOME, square


class _Told:
    """A recording that is told objects."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.recording = Recording("told")

    def say(self, t: float, name: str, **values: Any) -> None:
        definition = self.catalogue.find(name)
        self.recording.append(t, definition, 0, pack_values(definition, values))

    def at(self, t: float) -> MissionProgress:
        made = square()
        found = mission_progress(self.recording, t, made, legs_of(made, HOME))
        assert found is not None
        return found


@pytest.fixture
def told(catalogue: Catalogue) -> _Told:
    told = _Told(catalogue)
    assert mission_progress(told.recording, 0.0) is None
    told.say(0.0, "FlightStatus", FlightMode="PathPlanner", Armed="Armed")
    told.say(0.0, "WaypointActive", Index=1)
    told.say(
        0.0, "PathDesired", Start=(60.0, 0.0, -30.0), End=(60.0, 60.0, -36.0), Mode="FollowVector"
    )
    return told


def test_along_a_line(told: _Told) -> None:
    told.say(1.0, "PositionState", North=58.0, East=20.0, Down=-33.0)
    found = told.at(1.0)
    assert (found.waypoint, found.is_flying) == (1, True)
    assert found.cross_track_m == pytest.approx(2.0), "right of the way to the east is south"
    assert found.height_error_m == pytest.approx(1.0)
    assert found.to_go_m == pytest.approx(40.0)
    assert found.fraction == pytest.approx(1.0 / 3.0)
    assert found.mission_to_go_m == pytest.approx(40.0 + 60.0 + 60.0, abs=0.1)


def test_along_a_slanted_line(told: _Told) -> None:
    """50 m along (0.8, 0.6), climbing 6 m: after 20 m, and 3 m to the right of it."""
    told.say(
        1.0, "PathDesired", Start=(10.0, 20.0, -30.0), End=(50.0, 50.0, -36.0), Mode="FollowVector"
    )
    told.say(1.0, "PositionState", North=10.0 + 16.0 - 1.8, East=20.0 + 12.0 + 2.4, Down=-34.0)
    found = told.at(1.0)
    assert found.cross_track_m == pytest.approx(3.0, abs=1e-4)
    assert found.height_error_m == pytest.approx(34.0 - 32.4, abs=1e-4)
    assert found.to_go_m == pytest.approx(30.0, abs=1e-4)
    assert found.fraction == pytest.approx(0.4, abs=1e-4)


def test_a_short_line_is_a_line(told: _Told) -> None:
    told.say(1.0, "PathDesired", Start=(0.0, 0.0, 0.0), End=(0.5, 0.0, 0.0), Mode="FollowVector")
    told.say(1.0, "PositionState", North=0.25, East=2.0, Down=0.0)
    assert told.at(1.0).cross_track_m == pytest.approx(2.0)
    told.say(2.0, "PathDesired", Start=(0.0, 0.0, 0.0), End=(0.0, 0.0, 0.0), Mode="FollowVector")
    assert told.at(2.0).cross_track_m is None


@pytest.mark.parametrize("missing", ["WaypointActive", "PathDesired", "PositionState"])
def test_nothing_is_known_before_all_is_told(missing: str, catalogue: Catalogue) -> None:
    told = _Told(catalogue)
    for name in {"WaypointActive", "PathDesired", "PositionState"} - {missing}:
        told.say(0.0, name)
    assert mission_progress(told.recording, 1.0) is None
    told.say(0.5, missing)
    found = mission_progress(told.recording, 1.0)
    assert found is not None
    assert not found.is_flying
    assert found.mission_to_go_m is None


def test_around_a_circle_somewhere(told: _Told) -> None:
    """Radius 40 m around (100, 30), from its south to the left: a quarter round is its east."""
    told.say(
        3.0, "PathDesired", Start=(60.0, 30.0, -30.0), End=(100.0, 30.0, -30.0), Mode="CircleLeft"
    )
    told.say(3.0, "PositionState", North=100.0, East=67.0, Down=-29.0)
    found = told.at(3.0)
    assert found.cross_track_m == pytest.approx(-3.0)
    assert found.height_error_m == pytest.approx(-1.0)
    assert found.fraction == pytest.approx(0.25)
    assert found.to_go_m == pytest.approx(0.75 * 2.0 * math.pi * 40.0)


def test_the_cursor_goes_back(told: _Told) -> None:
    told.say(1.0, "PositionState", North=61.0, East=0.0, Down=-30.0)
    told.say(2.0, "PositionState", North=60.0, East=70.0, Down=-36.0)
    told.say(2.0, "FlightStatus", FlightMode="PositionHold", Armed="Armed")
    assert told.at(2.5).to_go_m == 0.0
    assert not told.at(2.5).is_flying
    assert told.at(1.5).cross_track_m == pytest.approx(-1.0)
    assert told.at(1.5).is_flying


def test_around_a_circle(told: _Told) -> None:
    told.say(
        3.0, "PathDesired", Start=(50.0, 0.0, -30.0), End=(0.0, 0.0, -30.0), Mode="CircleRight"
    )
    told.say(3.0, "PositionState", North=0.0, East=55.0, Down=-30.0)
    found = told.at(3.0)
    assert found.cross_track_m == pytest.approx(5.0)
    assert found.fraction == pytest.approx(0.25)
    told.say(4.0, "PathDesired", Start=(50.0, 0.0, -30.0), End=(0.0, 0.0, -30.0), Mode="CircleLeft")
    assert told.at(4.0).fraction == pytest.approx(0.75)


def test_straight_to_a_point_there_is_no_path_to_be_beside(told: _Told) -> None:
    told.say(5.0, "PathDesired", Start=(0.0, 0.0, 0.0), End=(0.0, 40.0, 0.0), Mode="GoToEndpoint")
    told.say(5.0, "PositionState", North=0.0, East=30.0, Down=0.0)
    found = told.at(5.0)
    assert found.cross_track_m is None
    assert (found.to_go_m, found.fraction) == (pytest.approx(10.0), pytest.approx(0.75))
    told.say(
        6.0, "PathDesired", Start=(3.0, 4.0, -5.0), End=(3.0, 44.0, -35.0), Mode="GoToEndpoint"
    )
    told.say(6.0, "PositionState", North=3.0, East=34.0, Down=-35.0)
    found = told.at(6.0)
    assert (found.height_error_m, found.to_go_m, found.fraction) == (
        pytest.approx(0.0), pytest.approx(10.0), pytest.approx(0.8),
    )  # fmt: skip


def test_a_release_with_other_names(catalogue: Catalogue) -> None:
    """dRonin: PathDesired.Mode "Vector", PositionActual."""
    recording = Recording("dRonin")
    for name, values in (
        ("WaypointActive", {"Index": 2}),
        ("PathDesired", {"Start": (0, 0, 0), "End": (0, 50, 0), "Mode": "Vector"}),
        ("PositionActual", {"North": 3.0, "East": 10.0}),
    ):
        definition = catalogue.find(name, "dRonin-next-2021-06")
        recording.append(0.0, definition, 0, pack_values(definition, values))
    found = mission_progress(recording, 1.0)
    assert found is not None
    assert found.waypoint == 2
    assert found.cross_track_m == pytest.approx(-3.0)
    assert found.to_go_m == pytest.approx(40.0)
