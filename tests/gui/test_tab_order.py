"""Tab goes along the rows of every page: what stands beside comes before what stands below."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget
from pytestqt.qtbot import QtBot

from telemetry.protocol.objects.catalogue import load_catalogue
from tests.plugins.driven import Driven, driving
from tests.simulated_board import SimulatedBench
from widgets.settings.editor import SettingEditor

MOST_TABS = 200


@pytest.fixture
def driven(qtbot: QtBot) -> Iterator[Driven]:
    bench = SimulatedBench(load_catalogue())
    bench.pass_time(5.0)
    with driving(qtbot, bench.vehicle) as driven:
        driven.panel.activateWindow()
        yield driven


def tabbed(qtbot: QtBot, driven: Driven, page: QWidget) -> list[QWidget]:
    """What Tab goes to in a page, from its first field on."""
    found: list[QWidget] = []
    page.focusNextChild()
    for _tab in range(MOST_TABS):
        focused = driven.panel.focusWidget()
        if focused is None or focused in found:
            break
        found.append(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    return [widget for widget in found if page.isAncestorOf(widget)]


def cell(widget: QWidget, page: QWidget) -> tuple[QGridLayout, tuple[int, int]] | None:
    """The grid that a field stands in, and its row and column there."""
    child, parent = widget, widget.parentWidget()
    while parent is not None and child is not page:
        layout = parent.layout()
        if isinstance(layout, QGridLayout) and layout.indexOf(child) >= 0:
            place: Any = layout.getItemPosition(layout.indexOf(child))
            return layout, (int(place[0]), int(place[1]))
        child, parent = parent, parent.parentWidget()
    return None


@pytest.mark.slow
def test_in_every_grid_of_every_page(qtbot: QtBot, driven: Driven) -> None:
    looked_at = 0
    for page_id in driven.context.pages:
        page = driven.page(page_id)
        for _slice in range(4):
            driven.refresh()
        last: dict[QGridLayout, tuple[int, int]] = {}
        for widget in tabbed(qtbot, driven, page):
            found = cell(widget, page)
            if found is not None and isinstance(widget.parentWidget(), SettingEditor):
                grid, place = found
                assert last.get(grid, (0, 0)) <= place, (page_id, widget.accessibleName())
                last[grid] = place
                looked_at += 1
    assert looked_at > 100
