"""What is painted again of a map: all that differs, and little more."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.immediate import ImmediateJobs
from tests.widgets.map.test_canvas import EAST, HOME, eastward_scene, picture, pixels
from widgets.map import moved_area
from widgets.map.canvas import MapCanvas
from widgets.map.moved_area import moved_boxes
from widgets.map.projection import Viewport, project
from widgets.map.scene import MapScene, Wind
from widgets.theme import load_theme


@pytest.fixture
def canvas(qtbot: QtBot, tmp_path: Path) -> MapCanvas:
    canvas = MapCanvas(load_theme("light"), ImmediateJobs(), tmp_path)
    qtbot.addWidget(canvas)
    canvas.resize(900, 600)
    canvas.show()
    canvas.set_following(False)
    canvas.set_view(Viewport(*project(HOME), 17.0))
    canvas.poll()
    return canvas


def flown(canvas: MapCanvas) -> list[MapScene]:
    """A flight with everything that moves with an aircraft, forth and back in time."""
    scenes = []
    for past in (5, 6, 8, 20, 60, 99, 98, 70, 30, 31):
        scene = eastward_scene(past, heading_deg=3.0 * past)
        (mark,) = scene.vehicles
        mark = replace(mark, course_deg=7.0 * past, groundspeed_mps=0.3 * past)
        wind, target = Wind(0.1 * past, 2.0 * past), EAST if past > 50 else None
        scenes.append(replace(scene, vehicles=(mark,), wind=wind, target=target))
    return scenes


def differing(canvas: MapCanvas) -> int:
    """How many pixels of what stands on the screen differ from a picture painted at once, after
    each scene; at most."""
    most = 0
    for scene in flown(canvas):
        canvas.show_scene(scene)
        QApplication.processEvents()
        screen = canvas.screen().grabWindow(canvas.winId()).toImage()
        anew = pixels(picture(canvas))
        most = max(most, int((np.abs(pixels(screen) - anew).max(axis=2) > 60).sum()))
    return most


@pytest.mark.slow
def test_nothing_that_differs_is_left_as_it_was(canvas: MapCanvas) -> None:
    assert differing(canvas) == 0


@pytest.mark.slow
def test_a_smaller_reach_would_be_seen(canvas: MapCanvas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moved_area, "REACH_PX", 4.0)
    assert differing(canvas) > 50


def test_an_aircraft_that_moves_has_a_part_of_the_window_painted(canvas: MapCanvas) -> None:
    before, after = eastward_scene(50), eastward_scene(51)
    view = replace(canvas.view, width=1920, height=960)
    boxes = moved_boxes(before, after, view)
    assert boxes is not None
    region = QRegion()
    for box in boxes:
        region += box
    area = sum(rect.width() * rect.height() for rect in region)
    assert area < 0.15 * 1920 * 960


def test_what_changes_anywhere_has_all_painted(canvas: MapCanvas) -> None:
    scene, view = eastward_scene(50), canvas.view
    assert moved_boxes(scene, replace(scene, home=EAST), view) is None
    assert moved_boxes(scene, replace(scene, note="!"), view) is None
    assert moved_boxes(scene, replace(scene, tracks=()), view) is None
    assert moved_boxes(scene, replace(scene, vehicles=()), view) is None
    assert moved_boxes(eastward_scene(2), eastward_scene(90), view) is None, "too much at once"
    (mark,) = scene.vehicles
    assert moved_boxes(scene, replace(scene, vehicles=(replace(mark, age_s=4.0),)), view) is None
