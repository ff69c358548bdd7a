"""The panel builds the map off the GUI thread while it is wanted, shows it and saves it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from plugins.api import GROWN_MAP, VehicleContext
from plugins.grown_map.map_jobs import MapFormat, save_map
from plugins.grown_map.panel import GrownMapPanel
from plugins.testing import add, live_vehicle
from telemetry.missions.terrain.opening import open_terrain
from telemetry.protocol.streams.samples import PictureSample, StreamKind, ValueSample
from telemetry.recording.recording import Recording
from telemetry.review.mapping.builder import MapBuilder
from telemetry.review.mapping.grown_map import GrownMap
from telemetry.review.mapping.heights import add_points
from telemetry.review.mapping.picture import make_picture
from telemetry.review.mapping.recorded_poses import RecordedPoses
from telemetry.review.mapping.space_pose import SpacePose
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.telemetry.review.mapping.mapped import add_pose, add_true_pose, range_stream, stream
from widgets.theme import load_theme

SHADES = ((0, 0, 0), (255, 255, 255))


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def jobs() -> ImmediateJobs:
    return ImmediateJobs()


@pytest.fixture
def context(
    jobs: ImmediateJobs, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[VehicleContext]:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    context = VehicleContext(Fleet(), load_theme("dark"), jobs, show_message=said.append)
    yield context
    context.close()


def flight() -> Recording:
    """North at 1 m/s, 2 m high over a step of 0.5 m at 5 m; the truth is 20 m east of that. A
    camera sees red all the time."""
    recording = Recording("test")
    home = {"Latitude": 489_460_000, "Longitude": 94_300_000, "Altitude": 270.0, "Set": "True"}
    add(recording, 0.0, "HomeLocation", **home)
    distances = range_stream(recording, half_angle_deg=15.0)
    pictures = stream(recording, StreamKind.PICTURES, {"lens": {"field_of_view_deg": 64.0}})
    red = np.full((36, 44, 3), (0, 0, 255), np.uint8)
    for step in range(101):
        t = step / 10
        add_pose(recording, t, (t, 0.05, -2.0))
        add_true_pose(recording, t, (t, 20.05, -2.0))
        distances.append(t, ValueSample(0, step, np.array([2.0 if t < 5.0 else 1.5])))
        pictures.append(t, PictureSample(0, step, red))
    return recording


def opened(qtbot: QtBot, context: VehicleContext, recording: Recording) -> GrownMapPanel:
    context.fleet.add(live_vehicle(recording=recording))
    panel = GrownMapPanel(context)
    qtbot.addWidget(panel)
    panel.resize(400, 400)
    return panel


def until(qtbot: QtBot, panel: GrownMapPanel, t: float, is_so: Callable[[], bool]) -> None:
    """Refresh it at an instant, as the station does, until something is so."""

    def look() -> bool:
        panel.refresh(t)
        return is_so()

    qtbot.waitUntil(look)


@pytest.mark.slow
def test_it_is_built_up_to_the_cursor_once_it_is_started(
    qtbot: QtBot, context: VehicleContext
) -> None:
    panel = opened(qtbot, context, flight())
    panel.refresh(4.0)
    panel.refresh(4.0)
    assert panel.map.taken == 0
    assert "Start" in panel.view.notice
    panel.running.click()
    until(qtbot, panel, 4.0, lambda: panel.map.built_s >= 3.95)
    assert panel.map.grown.height_at(3.0, 0.05) == pytest.approx(0.0, abs=0.01)
    assert panel.map.grown.height_at(7.0, 0.05) is None, "that is in the future"
    until(qtbot, panel, 9.0, lambda: panel.map.built_s >= 8.95)
    assert panel.map.grown.height_at(7.0, 0.05) == pytest.approx(0.5, abs=0.01)
    until(qtbot, panel, 9.0, lambda: "readings up to 9 s" in panel.words.text())


@pytest.mark.slow
def test_the_map_and_the_aircraft_are_painted(qtbot: QtBot, context: VehicleContext) -> None:
    panel = opened(qtbot, context, flight())
    panel.running.click()
    until(qtbot, panel, 5.0, lambda: "readings" in panel.words.text())
    aircraft = context.theme.color("symbol").rgb()
    colours = painted(panel)
    assert aircraft in colours
    assert 0xFFFF0000 in colours, "what the camera sees"
    panel.shown.setCurrentText("Heights")
    panel.refresh(5.0)
    assert 0xFFFF0000 not in painted(panel)


def painted(panel: GrownMapPanel) -> set[int]:
    image = panel.view.grab().toImage()
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


def test_nothing_is_waited_for(qtbot: QtBot, context: VehicleContext, jobs: ImmediateJobs) -> None:
    panel = opened(qtbot, context, flight())
    jobs.is_held = True
    panel.running.click()
    for _ in range(3):
        panel.refresh(4.0)
    assert panel.map.taken == 0, "the work is the pool's"
    panel.save(MapFormat.WORLD)
    panel.refresh(4.0)
    jobs.release()


def test_clearing_goes_on_from_the_cursor(qtbot: QtBot, context: VehicleContext) -> None:
    panel = opened(qtbot, context, flight())
    panel.running.click()
    until(qtbot, panel, 4.0, lambda: panel.map.built_s >= 3.95)
    context.timeline.seek(4.0)
    context.timeline.t = 4.0
    panel.clear.click()
    until(qtbot, panel, 6.0, lambda: panel.map.built_s >= 5.95)
    assert panel.map.grown.height_at(1.0, 0.05) is None
    assert panel.map.grown.height_at(5.5, 0.05) is not None


def test_each_aircraft_has_a_map_of_its_own(
    qtbot: QtBot, context: VehicleContext, jobs: ImmediateJobs
) -> None:
    panel = opened(qtbot, context, flight())
    panel.running.click()
    until(qtbot, panel, 4.0, lambda: "readings" in panel.words.text())
    first, mine = context.vehicle, panel.map
    jobs.is_held = True
    other = live_vehicle(recording=Recording("other"))
    context.fleet.add(other)
    context.fleet.active = other
    panel.refresh(4.0)
    assert panel.words.text() == "", "what was seen by the other one is not shown"
    assert GROWN_MAP not in context.shared
    context.fleet.active = first
    assert panel.map is mine
    jobs.release()


def test_other_cells_and_the_truth_build_it_again(qtbot: QtBot, context: VehicleContext) -> None:
    panel = opened(qtbot, context, flight())
    panel.running.click()
    until(qtbot, panel, 4.0, lambda: panel.map.built_s >= 3.95)
    panel.source.setCurrentText("True position")
    panel.cells.setCurrentText("50 cm cells")
    until(qtbot, panel, 4.0, lambda: panel.map.built_s >= 3.95)
    assert panel.map.grown.cell_m == 0.5
    assert panel.map.grown.height_at(2.0, 20.05) is not None
    assert panel.map.grown.height_at(2.0, 0.05) is None


@pytest.mark.slow
def test_it_is_saved_under_a_free_name(
    qtbot: QtBot, context: VehicleContext, said: list[str], tmp_path: Path
) -> None:
    panel = opened(qtbot, context, flight())
    panel.geotiff.click()
    until(qtbot, panel, 9.0, lambda: len(said) == 1)
    assert "nothing on the map" in said[0]
    panel.running.click()
    until(qtbot, panel, 9.0, lambda: panel.map.built_s >= 8.95)
    panel.name.setText("steps")
    for number, button in enumerate((panel.geotiff, panel.world, panel.world), 2):
        button.click()
        until(qtbot, panel, 9.0, lambda number=number: len(said) == number)
    folder = tmp_path / "maps"
    names = {"steps.tif", "steps-ortho.tif", "steps", "steps-2"}
    assert {path.name for path in folder.iterdir()} == names
    assert f"--world {folder / 'steps-2'}" in said[-1]
    assert open_terrain(folder / "steps.tif").height_m(
        48.946 + 7.0 / 111_319.5, 9.43
    ) == pytest.approx(270.5, abs=0.02)


@pytest.mark.parametrize("name", ["/", "~nobody-of-that-name/x", "x" * 400, "a\0b"])
def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path, name: str) -> None:
    recording = flight()
    builder = MapBuilder(recording, GrownMap(), RecordedPoses(recording))
    builder.advance(9.0)
    for kind in MapFormat:
        assert "choose another" in save_map(builder, kind, tmp_path, name).words
    assert not list(tmp_path.iterdir())


def test_what_is_missing_is_said(qtbot: QtBot, context: VehicleContext) -> None:
    panel = opened(qtbot, context, Recording("empty"))
    panel.running.click()
    until(qtbot, panel, 1.0, lambda: "nothing that tells of the ground" in panel.view.notice)


def test_it_comes_back_as_it_was(qtbot: QtBot, context: VehicleContext) -> None:
    panel = opened(qtbot, context, flight())
    panel.cells.setCurrentText("20 cm cells")
    panel.source.setCurrentText("True position")
    panel.shown.setCurrentText("Heights")
    panel.name.setText("mine")
    again = GrownMapPanel(context)
    qtbot.addWidget(again)
    again.restore_state(panel.save_state())
    assert again.save_state() == panel.save_state()
    again.restore_state({"cell_m": [1], "position": 7, "shown": None, "name": {}, "running": 1})
    assert again.save_state() == panel.save_state()


def test_north_is_up_and_what_is_pointed_at_is_told() -> None:
    grown = GrownMap(0.5)
    points = np.array([[2.2, 0.2, -1.0], [0.2, 0.2, 0.0], [0.2, 3.2, -2.0]])
    add_points(grown, points, SpacePose(np.array([0.0, 0.0, -9.0]), np.eye(3)))
    picture = make_picture(grown, SHADES)
    assert picture is not None
    height, width = picture.by_height.shape[:2]
    opaque = picture.by_height[..., 3] > 0
    assert opaque[0, 0]
    assert not opaque[0, width - 1]
    assert opaque[height - 1, width - 1]
    assert picture.height_at(2.2, 0.2) == pytest.approx(1.0)
    assert picture.height_at(2.2, 3.2) is None
    assert picture.height_at(-9.0, 0.0) is None
    assert make_picture(GrownMap(), SHADES) is None
