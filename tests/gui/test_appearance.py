"""After a change of theme and text size a station looks as one that was started so."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QCursor, QFont, QFontDatabase, QImage
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.preferences import PreferenceStore
from app.station import StartOptions, Station
from plugins.api import Panel
from plugins.testing import replayed_vehicle
from telemetry.base.folders import Folders
from tests.gui.conftest import MakeStation
from tests.gui.driving import page_of, run_ticks, run_until_painted
from tests.immediate import ImmediateJobs
from widgets.error_card import ErrorCard
from widgets.map.canvas import MapCanvas
from widgets.plot.canvas import PlotCanvas

WORKSPACES = ("objects", "fly")


@pytest.fixture(autouse=True)
def maps_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What threads have drawn of a map by now is not what is compared."""
    monkeypatch.setattr("plugins.map.panel.TileWorkers", ImmediateJobs)


@pytest.fixture(autouse=True)
def pointer_elsewhere(qapp: QApplication) -> None:
    """A button that grows below it looks as one that is pointed at."""
    QCursor.setPos(5000, 5000)


def picture(station: Station, workspace: str) -> np.ndarray:
    station.window.stack.show_workspace(workspace)
    run_ticks(station)
    forget_history(station)
    station.tick.refresh_all()  # a tick that takes long on a busy machine leaves some for the next
    image = station.window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.array(image.constBits()).reshape(image.height(), image.width(), 4)


def forget_history(station: Station) -> None:
    """What follows from the sizes that a view has had: where a map that rests looks, and the widest
    label that an axis has made room for."""
    for canvas in station.window.findChildren(MapCanvas):
        canvas.fit()
    for plot in station.window.findChildren(PlotCanvas):
        plot.apply_theme(station.appearance.theme)


def where(one: np.ndarray, other: np.ndarray) -> str:
    rows, columns = np.nonzero((one != other).any(axis=2))
    return f"x {columns.min()} to {columns.max()}, y {rows.min()} to {rows.max()} differ"


def opened(make_station: MakeStation) -> Station:
    station = make_station()
    station.fleet.add(replayed_vehicle())
    for workspace in WORKSPACES:
        picture(station, workspace)
    return station


def tell_theme(station: Station) -> None:
    """As Qt does once the desktop has told it of other fonts."""
    handle = station.window.windowHandle()
    assert handle is not None
    QCoreApplication.sendEvent(handle, QEvent(QEvent.Type.ThemeChange))


def tell_resolution(station: Station) -> None:
    """As Qt does once the desktop's text is scaled."""
    station.window.screen().logicalDotsPerInchChanged.emit(144.0)


@pytest.mark.parametrize("tell", [tell_theme, tell_resolution])
@pytest.mark.slow
def test_larger_text_of_the_desktop_is_followed_while_running(
    make_station: MakeStation,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    tell: Callable[[Station], None],
) -> None:
    font = QFont()
    font.setPixelSize(14)
    monkeypatch.setattr(QFontDatabase, "systemFont", lambda _which: font)
    station = make_station()
    height_px = station.window.toolbar.fontMetrics().height()
    font.setPixelSize(30)
    tell(station)
    qtbot.waitUntil(lambda: station.appearance.theme.scale == pytest.approx(2.0))
    run_until_painted(station)
    assert station.window.toolbar.fontMetrics().height() >= 1.8 * height_px


@pytest.mark.parametrize(
    ("theme", "scale", "workspace"), [("dark", 1.5, "objects"), ("sunlight", 1.0, "fly")]
)
@pytest.mark.slow
def test_a_changed_look_is_that_of_a_new_station(
    make_station: MakeStation, folders: Folders, theme: str, scale: float, workspace: str
) -> None:
    changed = opened(make_station)
    before = picture(changed, workspace)
    picture(changed, next(name for name in WORKSPACES if name != workspace))
    changed.appearance.choose(theme)
    changed.appearance.set_scale(scale)
    run_until_painted(changed)
    after = picture(changed, workspace)
    changed.close()
    kept = PreferenceStore(folders.config / "preferences.json").current
    assert (kept.theme, kept.scale) == (theme, scale)
    wanted = picture(opened(make_station), workspace)
    assert np.array_equal(after, wanted), where(after, wanted)
    assert not np.array_equal(before, wanted), "or the comparison proves nothing"


@pytest.mark.slow
def test_what_is_hidden_takes_the_new_look_when_it_shows(station: Station) -> None:
    picture(station, "analyse")
    hidden = page_of(station).group_of(page_of(station).hosts[0])
    assert hidden is not None
    picture(station, "fly")
    station.appearance.set_scale(1.5)
    run_until_painted(station)
    old_px = hidden.titles.height()
    station.window.stack.show_workspace("analyse")
    assert hidden.titles.height() > old_px


@pytest.mark.slow
def test_a_low_window_is_compact_and_a_high_one_comfortable(
    make_station: MakeStation, qtbot: QtBot
) -> None:
    station = make_station()
    rows, targets = {}, {}
    for height, density in ((768, "compact"), (1080, "comfortable"), (600, "compact")):
        station.window.resize(1366, height)
        qtbot.waitUntil(lambda density=density: station.appearance.theme.density == density)
        run_until_painted(station)
        rows[density], targets[density] = (
            station.appearance.theme.row_px(),
            station.window.timeline_bar.findChildren(QToolButton)[0].height(),
        )
    assert rows == {"compact": 26, "comfortable": 32}
    assert targets == {"compact": 28, "comfortable": 40}


def test_panels_are_handed_the_density_of_the_first_window(make_station: MakeStation) -> None:
    station = make_station(StartOptions(size=(1920, 1080)))
    assert station.services.theme.density == "comfortable"


def test_a_larger_text_leaves_less_room(make_station: MakeStation, qtbot: QtBot) -> None:
    station = make_station()
    station.window.resize(1366, 1080)
    qtbot.waitUntil(lambda: station.appearance.theme.density == "comfortable")
    station.appearance.set_scale(1.5)
    assert station.appearance.theme.density == "compact"


@pytest.mark.slow
@pytest.mark.parametrize("chosen", ["comfortable", "compact"])
def test_a_chosen_density_stays(make_station: MakeStation, folders: Folders, chosen: str) -> None:
    PreferenceStore(folders.config / "preferences.json").change(density=chosen)
    station = make_station()
    for height in (600, 1080):
        station.window.resize(1366, height)
        run_ticks(station, 2)
        assert station.appearance.theme.density == chosen


class Spoilt(ErrorCard):
    """Stands for a plugin's panel that cannot take new colours twice."""

    def __init__(self, _context: object) -> None:
        super().__init__("", "", None)
        self._times = 0

    def refresh(self, t: float) -> None:
        pass

    def apply_theme(self, _theme: object) -> None:
        self._times += 1
        if self._times > 1:
            raise RuntimeError("no paint")


@pytest.mark.slow
def test_a_panel_that_fails_at_new_colours_gets_an_error_card(station: Station) -> None:
    station.services.panels["test.spoilt"] = Panel(
        "test.spoilt", "Spoilt", "tests.gui.test_appearance:Spoilt", needs_vehicle=False
    )
    dock = page_of(station).add_panel("test.spoilt")
    run_ticks(station)
    assert isinstance(dock.view, Spoilt)
    station.appearance.choose("dark")
    run_until_painted(station)
    assert dock.view is None
    assert dock.findChild(ErrorCard) is not None
