"""Wrapped rows: nothing is cut off, whatever the width."""

import pytest
from PySide6.QtWidgets import QComboBox, QPushButton, QSizePolicy, QWidget
from pytestqt.qtbot import QtBot

from widgets.wrapped_row import WrappedRow


@pytest.fixture
def row(qtbot: QtBot) -> QWidget:
    root = QWidget()
    qtbot.addWidget(root)
    choice = QComboBox()
    choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    buttons = [QPushButton(text) for text in ("Open", "Run the study", "Stop", "Report")]
    root.setLayout(WrappedRow(choice, *buttons))
    root.show()
    return root


@pytest.mark.parametrize(("width", "lines"), [(1000, 1), (300, 2), (150, 5)])
def test_parts_go_on_below_where_the_line_is_full(
    row: QWidget, qtbot: QtBot, width: int, lines: int
) -> None:
    layout = row.layout()
    assert layout is not None
    row.setMinimumSize(1, 1)
    row.resize(width, layout.heightForWidth(width))
    parts = row.findChildren(QPushButton) + row.findChildren(QComboBox)
    tops = sorted({part.y() for part in parts})
    assert len(tops) <= lines
    assert (len(tops) == 1) == (lines == 1)
    for part in parts:
        assert row.rect().contains(part.geometry())
        assert part.width() >= min(part.minimumSizeHint().width(), width)
        assert not any(part.geometry().intersects(o.geometry()) for o in parts if o is not part)


def test_what_expands_takes_the_rest_of_its_line(row: QWidget) -> None:
    row.resize(1000, 60)
    (choice,) = row.findChildren(QComboBox)
    right = max(button.geometry().right() for button in row.findChildren(QPushButton))
    assert right == row.width() - 1
    assert choice.width() > 400


def test_what_is_hidden_takes_no_room(row: QWidget) -> None:
    layout = row.layout()
    assert layout is not None
    before = layout.heightForWidth(300)
    for button in row.findChildren(QPushButton):
        button.hide()
    assert layout.heightForWidth(300) < before
