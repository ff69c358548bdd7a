"""Screenshots at 1x, 1.5x and 2x of the interface's size, on the small laptop's screen: what may
never go is the alarm, the emergency stop, how the link stands, and room for the plots.
LAPWING_ALL_WAYS=1 looks at sizes between the least and the largest as well.
"""

import os

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QFontDatabase, QImage
from PySide6.QtWidgets import QPushButton, QWidget

from app.preferences import PreferenceStore
from app.station import StartOptions, Station
from plugins.pilot.actions_view import ActionsView
from plugins.plots.panel import PlotPanel
from plugins.testing import live_vehicle
from telemetry.base.folders import Folders
from tests.gui.conftest import MakeStation
from tests.gui.driving import page_of, run_ticks

SIZE = (1366, 768)
FRAME_PX = 3  # which may overlap
ALL_WAYS = "LAPWING_ALL_WAYS" in os.environ
BETWEEN = ((1.0, 12, 1.0), (1.5, 12, 1.5), (1.0, 21, 1.4)) if ALL_WAYS else ()


def place(widget: QWidget, within: QWidget) -> QRect:
    return QRect(widget.mapTo(within, widget.rect().topLeft()), widget.size())


def colours(image: QImage, area: QRect) -> set[int]:
    part = image.copy(area)
    step = max(1, part.width() // 200)
    return {
        part.pixel(x, y) for x in range(0, part.width(), step) for y in range(0, part.height(), 2)
    }


def check_controls(station: Station, frame_px: int) -> None:
    (view,) = station.window.findChildren(ActionsView)
    pressed = [b for b in view.findChildren(QPushButton) if b.isVisible()]
    boxes = [place(button, view) for button in pressed]
    assert any("Stop" in b.text() for b in pressed)
    for box in boxes:
        assert view.rect().adjusted(-frame_px, 0, frame_px, frame_px).contains(box)
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            shared = one.intersected(other)
            assert min(shared.width(), shared.height()) <= frame_px, (one, other)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chosen", "desktop_px", "scale"),
    [
        (2.0, 12, 2.0),
        (1.2, 18, 1.44),
        (0.8, 9, 0.8),
        *BETWEEN,
    ],
)
def test_what_may_never_go_is_on_the_picture(
    make_station: MakeStation,
    folders: Folders,
    monkeypatch: pytest.MonkeyPatch,
    chosen: float,
    desktop_px: int,
    scale: float,
) -> None:
    """With the desktop's text at several sizes, and the user's own size on top of it."""
    font = QFont()
    font.setPixelSize(desktop_px)
    monkeypatch.setattr(QFontDatabase, "systemFont", lambda _which: font)
    PreferenceStore(folders.config / "preferences.json").change(scale=chosen)
    station = make_station(StartOptions(size=SIZE))
    assert station.appearance.theme.scale == pytest.approx(scale)
    station.fleet.add(live_vehicle())  # its battery is a warning
    for workspace in ("fly", "analyse"):
        station.window.stack.show_workspace(workspace)
        run_ticks(station, 30)
        window, strip = station.window, station.window.alarm_strip
        assert window.size().toTuple() == SIZE
        picture = window.grab().toImage()
        theme = station.appearance.theme
        alarm = strip.alarm_rect().toRect()
        assert alarm.width() >= 240 * scale
        assert strip.rect().contains(alarm)
        at = alarm.translated(strip.mapTo(window, strip.rect().topLeft()))
        assert theme.color("attention").rgb() in colours(picture, at), "the warning is painted"
        link = window.toolbar.link_button
        assert link.fontMetrics().horizontalAdvance("Connected") < link.width()
        for dock in page_of(station).hosts:
            if isinstance(dock.view, PlotPanel):
                canvas = dock.view.view.canvas
                assert canvas.height() >= 40
                assert len(colours(picture, place(canvas, window))) >= 3
        if workspace == "fly":
            check_controls(station, round(FRAME_PX * scale))
