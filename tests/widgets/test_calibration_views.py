"""The drawings of calibrations: poses, the ring, the sphere and the chart."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from telemetry.base.number_text import ticks
from telemetry.base.rotations import matrix_by_angles
from widgets.hold_ring import HoldRing
from widgets.pose_view import PoseView
from widgets.solid import seen_from
from widgets.sphere_view import SphereView
from widgets.theme import THEME_NAMES, load_theme
from widgets.xy_chart import ChartSeries, XyChart


def picture(qtbot: QtBot, widget: QWidget) -> QImage:
    qtbot.addWidget(widget)
    widget.resize(300, 260)
    return widget.grab().toImage()


def test_attitudes_are_those_of_the_aircraft() -> None:
    right = np.array([0.0, 1.0, 0.0])
    assert matrix_by_angles(90.0, 0.0, 0.0) @ right == pytest.approx([0.0, 0.0, 1.0])  # right down
    nose = np.array([1.0, 0.0, 0.0])
    assert matrix_by_angles(0.0, 90.0, 0.0) @ nose == pytest.approx([0.0, 0.0, -1.0])  # nose up
    assert matrix_by_angles(0.0, 0.0, 90.0) @ nose == pytest.approx([0.0, 1.0, 0.0])  # to the east


def test_looking_from_behind_and_above() -> None:
    look = seen_from(0.0, 30.0)
    assert look @ look.T == pytest.approx(np.eye(3))
    assert (look @ np.array([1.0, 0.0, 0.0]))[1] < 0.0  # the nose is up on screen
    assert (look @ np.array([0.0, 0.0, 1.0]))[1] > 0.0
    assert (look @ np.array([0.0, 1.0, 0.0]))[0] == pytest.approx(1.0)


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_every_pose_looks_different(qtbot: QtBot, theme: str) -> None:
    view = PoseView()
    view.apply_theme(load_theme(theme))
    seen = []
    for pose in ((0, 0), (90, 0), (-90, 0), (180, 0), (0, 90), (0, -90)):
        view.set_pose(*pose)
        seen.append(picture(qtbot, view))
    view.set_shape("aeroplane")
    seen.append(picture(qtbot, view))
    view.set_turning(True)
    seen.append(picture(qtbot, view))
    assert all(a != b for i, a in enumerate(seen) for b in seen[i + 1 :])


def test_a_mark_is_said_as_well_as_shown(qtbot: QtBot) -> None:
    view = PoseView("Nose up", is_small=True)
    view.apply_theme(load_theme("light"))
    before = picture(qtbot, view)
    view.set_mark("done")
    assert view.accessibleName() == "Nose up: done"
    assert picture(qtbot, view) != before


def test_the_ring_fills(qtbot: QtBot) -> None:
    ring = HoldRing()
    ring.apply_theme(load_theme("dark"))
    empty = picture(qtbot, ring)
    ring.set_share(0.5, "2 s")
    assert ring.share == 0.5
    assert picture(qtbot, ring) != empty
    ring.set_share(7.0, "0 s")
    assert ring.share == 1.0


def test_the_sphere_is_turned_by_dragging(qtbot: QtBot) -> None:
    view = SphereView("Field", is_judged=True)
    view.apply_theme(load_theme("light"))
    points = np.array([[1.0, 0.0, 0.0], [0.0, 1.03, 0.0], [0.0, 0.0, 1.5]])
    view.set_points(points, np.array([[0.0, -1.0, 0.0]]))
    assert (view.count, view.missing) == (3, 1)
    before = picture(qtbot, view)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
    qtbot.mouseMove(view, QPoint(180, 130))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(180, 130))
    assert picture(qtbot, view) != before


def test_ticks_are_round_and_within() -> None:
    assert ticks(0.13, 9.7) == [2.0, 4.0, 6.0, 8.0]
    assert ticks(-0.034, 0.71) == pytest.approx([0.0, 0.2, 0.4, 0.6])
    for low, high in ((13.9, 38.1), (-2.1, 2.1), (99.99, 100.01)):
        found = ticks(low, high)
        assert 3 <= len(found) <= 8
        assert all(low <= tick <= high for tick in found)


def test_a_chart_shows_points_lines_and_nothing(qtbot: QtBot) -> None:
    chart = XyChart("Gyro", "°C")
    chart.apply_theme(load_theme("sunlight"))
    empty = picture(qtbot, chart)
    t = np.linspace(10.0, 40.0, 50)
    chart.set_series((ChartSeries("X", t, t * 0.1), ChartSeries("", t, t * 0.1, is_line=True)))
    assert picture(qtbot, chart) != empty
    chart.set_series((ChartSeries("X", t[:0], t[:0]),))
    assert chart.series == ()
    assert picture(qtbot, chart) == empty
