"""Faults of sensors that look are offered for those that the flown aircraft carries."""

from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDoubleSpinBox, QSlider
from pytestqt.qtbot import QtBot

from plugins.simulator.control_groups import ControlGroups
from widgets.theme import load_theme

LEAST_PX = 284
"""What the narrowest panel leaves beside its margins and its scroll bar."""
_MARGIN_PX = 2
"""Of a line edit, about its text."""
FRONT = {"front.lost": 0.0, "front.stuck": 0.0, "front.blur_px": 1.5}


def _box(groups: ControlGroups, title: str) -> QDoubleSpinBox:
    boxes = groups.folds["Sensor front"].findChildren(QDoubleSpinBox)
    return next(box for box in boxes if box.accessibleName() == title)


def _shows_all(box: QDoubleSpinBox) -> bool:
    """Whether the longest number has its room, in whichever look."""
    texts = [box.textFromValue(value) + box.suffix() for value in (box.minimum(), box.maximum())]
    longest_px = max(map(box.fontMetrics().horizontalAdvance, texts))
    return box.lineEdit().width() > longest_px + 2 * _MARGIN_PX


def test_each_sensor_has_a_group_as_long_as_it_is_flown(qtbot: QtBot) -> None:
    groups, asked = ControlGroups(), list[Any]()
    qtbot.addWidget(groups)
    groups.asked.connect(asked.append)
    groups.open_only(["Sensor front"])
    before = set(groups.folds)
    groups.show_sensors({**FRONT, "down.scale": 1.0})
    assert set(groups.folds) - before == {"Sensor front", "Sensor down"}
    assert groups.folds["Sensor front"].is_open
    assert not groups.folds["Sensor down"].is_open
    groups.build_next(load_theme("light"))  # what is unfolded comes first
    groups.show_values({"front.lost": 0.25})
    assert _box(groups, "Lost samples").value() == 25.0
    assert _box(groups, "Out of focus").value() == 1.5
    assert groups.folds["Sensor front"].note == "1 changed"
    _box(groups, "Lost samples").setValue(40.0)
    assert asked == [{"front.lost": 0.4}]
    assert {name: groups.calm()[name] for name in FRONT} == FRONT
    groups.show_sensors({})
    assert set(groups.folds) == before
    assert not FRONT.keys() & groups.calm().keys()


def test_rows_fit_a_narrow_window_and_the_slider_gives_way(qtbot: QtBot) -> None:
    groups, theme = ControlGroups(), load_theme("light")
    qtbot.addWidget(groups)
    rows = ["Wind", "Gust", "Weather", "GPS", "Battery", "Motors"]
    groups.open_only(rows)
    while groups.build_next(theme):
        pass
    groups.resize(LEAST_PX, 900)
    groups.show()
    for title in rows:
        assert groups.folds[title].minimumSizeHint().width() <= LEAST_PX, title
    wind = groups.folds["Wind"]
    boxes = wind.findChildren(QDoubleSpinBox)
    assert all(map(_shows_all, boxes)), "no number is cut"
    narrow_px = wind.findChildren(QSlider)[0].width()
    groups.resize(2 * LEAST_PX, 900)
    QCoreApplication.processEvents()
    assert wind.findChildren(QSlider)[0].width() > narrow_px + LEAST_PX / 2
