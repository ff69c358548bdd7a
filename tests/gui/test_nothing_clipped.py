"""No text of the station's own is cut off: each panel at its least size and at usual ones, each
page of Configure, and the whole window at the sizes of real screens. LAPWING_ALL_WAYS=1 looks at
every theme, density and size, live and in replay."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.plugin_loading.loader import find_plugins
from app.preferences import PreferenceStore
from app.station import StartOptions
from plugins.api import resolve
from plugins.testing import live_vehicle, replayed_vehicle
from telemetry.base.folders import Folders
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.gui.conftest import MakeStation
from tests.gui.driving import run_ticks
from tests.gui.painted_texts import PaintedTexts
from tests.gui.text_room import clipped
from tests.plugins.driven import driving
from tests.simulated_board import SimulatedBench
from widgets.collapsible import CollapsibleGroup
from widgets.elided_choice import ElidedChoice
from widgets.fitted_text import FittedText
from widgets.flight_display import FlightDisplay
from widgets.parts import make_column
from widgets.text_layout_cache import LEFT, TextLayoutCache
from widgets.theme import Density, PaintedWidget, Theme, apply_theme, hand_theme, load_theme
from widgets.view_host import ViewHost

ALL_WAYS = "LAPWING_ALL_WAYS" in os.environ
PLUGINS = find_plugins()
USUAL_SIZES = ((480, 360), (800, 600))
PAGE_SIZES = ((960, 400), (1366, 640), (1920, 900)) if ALL_WAYS else ((960, 400),)
WINDOW_SIZES = ((960, 540), (1024, 600), (1366, 768), (1920, 1080), (2560, 1440))
LOOKS: list[tuple[str, Density]] = [("light", "compact")]
if ALL_WAYS:
    LOOKS = [(n, d) for n in ("light", "dark", "sunlight") for d in ("compact", "comfortable")]
PANELS = sorted(PLUGINS.panels)
every_look = pytest.mark.parametrize("look", LOOKS)


def simulated_board() -> Vehicle:
    bench = SimulatedBench(load_catalogue())
    bench.pass_time(5.0)
    return bench.vehicle


def silent_vehicle() -> Vehicle:
    return live_vehicle(recording=Recording(source="silent"))


VEHICLES = (live_vehicle, replayed_vehicle, silent_vehicle) if ALL_WAYS else (live_vehicle,)


@pytest.fixture
def look() -> tuple[str, Density]:
    return LOOKS[0]


@pytest.fixture
def theme(qapp: QApplication, kept_look: None, look: tuple[str, Density]) -> Theme:
    name, density = look
    theme = replace(load_theme(name), density=density)
    apply_theme(qapp, theme)
    return theme


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> PaintedTexts:
    return PaintedTexts(monkeypatch)


@pytest.mark.slow
@every_look
@pytest.mark.parametrize("make_vehicle", VEHICLES)
@pytest.mark.parametrize("panel_id", PANELS)
def test_a_panel_has_room_for_its_texts(
    theme: Theme, panel_id: str, make_vehicle: Callable[[], Vehicle]
) -> None:
    panel, vehicle, fleet = PLUGINS.panels[panel_id], make_vehicle(), Fleet()
    fleet.add(vehicle)
    if list(vehicle.recording.tracks()):
        vehicle.timeline.advance(0.0, vehicle.recording.first_s, vehicle.recording.last_s)
    with ThreadPoolExecutor(1) as jobs:
        context = panel.context(fleet, theme, jobs, {}, pages=PLUGINS.pages)
        view = resolve(panel.widget)(context)
        place = QWidget()
        place.setMinimumSize(1, 1)  # as in a dock or card, which a panel cannot make larger
        place.setLayout(make_column(view))
        hand_theme(view, theme)
        place.show()
        faults = []
        for size in (panel.least_size, *USUAL_SIZES):
            place.resize(*size)
            for _ in range(4):
                view.refresh(vehicle.timeline.t)
                for host in view.findChildren(ViewHost):
                    host.finish()
                QCoreApplication.processEvents()
            least = view.minimumSizeHint().boundedTo(QSize(*size))
            if least != view.minimumSizeHint():
                faults.append(f"at {size} it asks for {view.minimumSizeHint().toTuple()}")
            faults += [f"at {size} {fault}" for fault in clipped(place)]
        context.close()
        place.hide()
        place.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@every_look
@pytest.mark.parametrize("make_vehicle", [simulated_board, *VEHICLES[1:]])
def test_pages_have_room_for_their_texts(
    qtbot: QtBot, theme: Theme, make_vehicle: Callable[[], Vehicle]
) -> None:
    faults = []
    with driving(qtbot, make_vehicle()) as driven:
        hand_theme(driven.panel, theme)
        for page_id in driven.context.pages:
            page = driven.page(page_id)
            for group in page.findChildren(CollapsibleGroup):
                group.set_open(True)
            for size in PAGE_SIZES:
                driven.panel.resize(*size)
                driven.refresh()
                driven.refresh()
                faults += [f"{page_id} at {size} {fault}" for fault in clipped(driven.panel)]
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({name for name, _ in LOOKS}))
@pytest.mark.parametrize("size", WINDOW_SIZES if ALL_WAYS else [(1366, 768)])
def test_the_window_has_room_for_its_texts(
    make_station: MakeStation,
    folders: Folders,
    painted: PaintedTexts,
    size: tuple[int, int],
    name: str,
) -> None:
    PreferenceStore(folders.config / "preferences.json").change(theme=name)
    station = make_station(StartOptions(size=size))
    station.fleet.add(live_vehicle())
    faults = []
    for workspace in station.window.stack.ids:
        station.window.stack.show_workspace(workspace)
        run_ticks(station, 20)
        faults += [f"{workspace}: {fault}" for fault in clipped(station.window)]
        faults += painted.faults(station.window.alarm_strip)
    assert station.window.size().toTuple() == size
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@every_look
@pytest.mark.parametrize("size", [(250, 200), (330, 248), (600, 560), (800, 300)])
def test_texts_of_the_flight_display_stand_apart(
    qtbot: QtBot, theme: Theme, painted: PaintedTexts, size: tuple[int, int]
) -> None:
    vehicle, display = live_vehicle(), FlightDisplay(theme)
    qtbot.addWidget(display)
    display.show_state(read_flight_state(vehicle.recording, 10.0), vehicle.status, "")
    display.resize(*size)
    assert painted.faults(display) == []


@pytest.mark.parametrize(
    "make", [QLabel, QPushButton, lambda text: FittedText(text), lambda text: _choice(text)]
)
def test_a_text_without_room_is_found(
    qtbot: QtBot, theme: Theme, make: Callable[[str], QWidget]
) -> None:
    """A negative control."""
    root = QWidget()
    qtbot.addWidget(root)
    part = make("What is not sent is not on board.")
    part.setParent(root)
    root.resize(600, 60)
    root.show()
    part.setMinimumSize(0, 0)
    part.resize(300, 40)
    assert clipped(root) == []
    part.resize(60, 40)
    may_be_elided = isinstance(part, FittedText | ElidedChoice)
    assert bool(clipped(root)) is not may_be_elided
    part.setGeometry(580, 0, 300, 40)
    assert clipped(root)


class _Painting(PaintedWidget):
    """Two texts, the second `second_x` to the right of the edge."""

    second_x = 100.0

    def paint(self, painter: QPainter, theme: Theme) -> None:
        texts = TextLayoutCache(theme.font())
        texts.draw(painter, 0.0, 20.0, "Link", LEFT)
        texts.draw(painter, self.second_x, 20.0, "98", LEFT)


@pytest.mark.parametrize(("second_x", "said"), [(10.0, "lies on"), (195.0, "leaves"), (100.0, "")])
def test_a_painted_text_without_room_is_found(
    qtbot: QtBot, theme: Theme, painted: PaintedTexts, second_x: float, said: str
) -> None:
    """A negative control."""
    view = _Painting()
    qtbot.addWidget(view)
    view.apply_theme(theme)
    view.resize(200, 40)
    view.second_x = second_x
    faults = painted.faults(view)
    assert said in faults[0] if said else faults == []


def _choice(text: str) -> ElidedChoice:
    choice = ElidedChoice()
    choice.addItem(text)
    return choice
