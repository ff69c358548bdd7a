"""A number that can be dragged, typed and put back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QGridLayout, QLabel, QSlider, QWidget
from pytestqt.qtbot import QtBot

from widgets.value_slider import ValueSlider, decimals_of


class Row(QWidget):
    """A slider in a window, and what it said."""

    def __init__(self, slider: ValueSlider) -> None:
        super().__init__()
        self.said: list[float] = []
        slider.changed.connect(self.said.append)
        slider.add_to(QGridLayout(self), 0)


def test_dragging_and_typing_agree(qtbot: QtBot) -> None:
    slider = ValueSlider("Wind", "m/s", (0.0, 20.0), 0.5, 2.0)
    row = Row(slider)
    qtbot.addWidget(row)
    assert slider.value == 2.0
    drag, box = row.findChild(QSlider), row.findChild(QDoubleSpinBox)
    assert drag is not None
    assert box is not None
    drag.setValue(7)
    assert (slider.value, box.value(), row.said) == (3.5, 3.5, [3.5])
    box.setValue(12.5)
    assert (slider.value, drag.value(), row.said) == (12.5, 25, [3.5, 12.5])


def test_showing_says_nothing(qtbot: QtBot) -> None:
    slider = ValueSlider("Wind", "m/s", (0.0, 20.0), 0.5, 0.0)
    row = Row(slider)
    qtbot.addWidget(row)
    slider.show_value(9.0)
    assert slider.value == 9.0
    assert row.said == []


def test_a_hand_on_the_slider_is_not_moved(qtbot: QtBot) -> None:
    slider = ValueSlider("Wind", "m/s", (0.0, 20.0), 0.5, 0.0)
    row = Row(slider)
    qtbot.addWidget(row)
    drag = row.findChild(QSlider)
    assert drag is not None
    drag.setSliderDown(True)
    slider.show_value(9.0)
    assert slider.value == 0.0


def test_a_double_click_on_the_title_puts_the_default_back(qtbot: QtBot) -> None:
    slider = ValueSlider("Wind", "m/s", (-5.0, 5.0), 1.0, 1.0)
    row = Row(slider)
    qtbot.addWidget(row)
    slider.show_value(4.0)
    title = row.findChild(QLabel)
    assert title is not None
    qtbot.mouseDClick(title, Qt.MouseButton.LeftButton)
    assert (slider.value, row.said) == (1.0, [1.0])


def test_a_flag_is_a_check_box(qtbot: QtBot) -> None:
    slider = ValueSlider("Motor 1 lost", "", (0.0, 1.0), 1.0, 0.0)
    row = Row(slider)
    qtbot.addWidget(row)
    check = row.findChild(QCheckBox)
    assert check is not None
    assert slider.is_flag
    check.setChecked(True)
    assert (slider.value, row.said) == (1.0, [1.0])


@pytest.mark.parametrize(
    ("step", "decimals"), [(1.0, 0), (0.5, 1), (0.05, 2), (20.0, 0), (1e-9, 6)]
)
def test_as_many_digits_as_a_step_needs(step: float, decimals: int) -> None:
    assert decimals_of(step) == decimals
