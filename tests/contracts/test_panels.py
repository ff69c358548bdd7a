"""Every panel of every plugin keeps the published contract, in the dock that the station opens."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget

from app.messages import Messages
from app.plugin_loading.loader import find_plugins
from app.refreshing.tick import Tick
from app.workspaces.panel_host import PanelHost, PanelServices
from app.workspaces.workspace import PanelPlace
from plugins import testing
from plugins.api import NO_VEHICLE, Json, Panel
from plugins.configure.panel import ConfigurePanel
from plugins.testing import live_vehicle, replayed_vehicle
from telemetry.vehicle.vehicle import Fleet
from tests.look import kept_look
from widgets.theme import Theme, apply_theme, hand_theme, load_theme

PLUGINS = find_plugins()
PANELS = PLUGINS.panels
every_panel = pytest.mark.parametrize("panel_id", sorted(PANELS))


class Leaky(QWidget):
    """A panel that breaks the contract, to prove that the suite notices."""

    kept: list[Any] = []  # noqa: RUF012

    def __init__(self, _context: object) -> None:
        super().__init__()
        timer = QTimer()
        timer.start(1000)
        self.kept.append(timer)

    def refresh(self, t: float) -> None:
        pass


class Forgetful(QWidget):
    """A panel that saves what it does not restore."""

    count = 0

    def __init__(self, _context: object) -> None:
        super().__init__()
        Forgetful.count += 1

    def refresh(self, t: float) -> None:
        pass

    def save_state(self) -> Json:
        return {"count": self.count}


class DockedPanel:
    """A panel in the station's dock."""

    def __init__(
        self, services: PanelServices, panel_id: str, fleet: Fleet, settings: Json
    ) -> None:
        services.fleet = fleet
        place = PanelPlace("one", panel_id, "", settings)
        self._dock = PanelHost(place, services)
        self._dock.resize(480, 360)
        self._dock.show()
        self._dock.open()
        self._check()

    def show(self, t: float) -> None:
        self._dock.refresh()
        self._dock.grab()
        self._check()

    def apply_theme(self, theme: Theme) -> None:
        hand_theme(self._dock, theme)

    def state(self) -> Json:
        return self._dock.place().settings

    def close(self) -> None:
        self._dock.dispose()

    def _check(self) -> None:
        texts = [edit.toPlainText() for edit in self._dock.findChildren(QPlainTextEdit)]
        assert self._dock.view is not None, "\n".join(texts)


@pytest.fixture(autouse=True)
def _older_objects_stand_aside() -> None:
    """What a panel leaves is looked for twice each time among all objects that the garbage
    collector knows: those that are there before need not be among them, hundreds of thousands
    after other tests."""
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The look of all panels here."""
    theme = load_theme("light")
    with kept_look(qapp):
        apply_theme(qapp, theme)
        yield theme


@pytest.fixture
def services(theme: Theme) -> Iterator[PanelServices]:
    with ThreadPoolExecutor(1, thread_name_prefix="job") as jobs:
        yield PanelServices(
            fleet=Fleet(),
            theme=theme,
            jobs=jobs,
            messages=Messages(),
            tick=Tick(lambda: 0.0, lambda _now: False),
            panels=PANELS,
            pages=PLUGINS.pages,
        )


@pytest.mark.slow
@every_panel
def test_a_panel_waits_for_the_vehicle_it_needs(services: PanelServices, panel_id: str) -> None:
    """It comes with the first vehicle, goes with the last, and comes back as it was."""
    dock = PanelHost(PanelPlace("one", panel_id, "", {}), services)
    dock.resize(480, 360)
    dock.show()
    needs_vehicle = PANELS[panel_id].needs_vehicle
    vehicle = replayed_vehicle()
    dock.refresh()
    assert is_waiting(dock) == needs_vehicle
    services.fleet.add(vehicle)
    dock.refresh()
    assert not is_waiting(dock)
    kept = dock.place()
    services.fleet.remove(vehicle)
    dock.refresh()
    assert is_waiting(dock) == needs_vehicle
    if needs_vehicle:
        assert dock.place() == kept
    services.fleet.add(vehicle)
    dock.refresh()
    assert not is_waiting(dock)
    if needs_vehicle:
        assert dock.place() == kept
    dock.dispose()


def is_waiting(dock: PanelHost) -> bool:
    """Whether it says in the place of the panel that there is no vehicle."""
    assert dock.is_waiting == (dock.view is None)
    if dock.is_waiting:
        assert NO_VEHICLE in [label.text() for label in dock.findChildren(QLabel)]
    return dock.is_waiting


@pytest.mark.slow
@every_panel
def test_every_widget_takes_new_colours_once(services: PanelServices, panel_id: str) -> None:
    services.fleet.add(replayed_vehicle())
    dock = PanelHost(PanelPlace("one", panel_id, "", {}), services)
    dock.resize(480, 360)
    dock.show()
    dock.refresh()
    for page_id in PLUGINS.pages if isinstance(dock.view, ConfigurePanel) else ():
        dock.view.show_page(page_id)
        dock.refresh()
    taken: Counter[QWidget] = Counter()
    for widget in (dock, *dock.findChildren(QWidget)):
        if hasattr(widget, "apply_theme"):
            widget.apply_theme = partial(_count, taken, widget, widget.apply_theme)
    hand_theme(dock, load_theme("dark", 1.5))
    assert taken
    assert [(widget, times) for widget, times in taken.items() if times > 1] == []
    dock.refresh()
    dock.grab()
    assert dock.view is not None, "it cannot be painted in them"
    dock.dispose()


def _count(
    taken: Counter[QWidget], widget: QWidget, take: Callable[[Theme], None], theme: Theme
) -> None:
    taken[widget] += 1
    take(theme)


@pytest.mark.slow
@every_panel
def test_a_panel_shows_a_flight(services: PanelServices, panel_id: str) -> None:
    """Live. In replay `check_leaves_nothing` shows it too, at the same times."""
    testing.check_shows_a_flight(partial(DockedPanel, services, panel_id), live_vehicle())


@pytest.mark.slow
@pytest.mark.parametrize("panel_id", sorted(i for i in PANELS if not PANELS[i].needs_vehicle))
def test_a_panel_that_needs_no_vehicle_stands_without(
    services: PanelServices, panel_id: str
) -> None:
    testing.check_needs_no_aircraft(partial(DockedPanel, services, panel_id))


@every_panel
@pytest.mark.parametrize(
    "check",
    [
        testing.check_survives_odd_settings,
        pytest.param(testing.check_restores_its_state, marks=pytest.mark.slow),
        pytest.param(testing.check_leaves_nothing, marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_a_panel_keeps_the_contract(
    services: PanelServices, panel_id: str, check: Callable[[testing.Opener], None]
) -> None:
    check(partial(DockedPanel, services, panel_id))


@pytest.mark.slow
def test_the_suite_notices_a_leak(qapp: QApplication) -> None:
    with pytest.raises(AssertionError, match="after closing"):
        testing.check_panel(Panel("leaky", "Leaky", f"{__name__}:Leaky"))
    Leaky.kept.clear()


def test_the_suite_notices_what_is_not_restored(qapp: QApplication) -> None:
    with pytest.raises(AssertionError, match="restored"):
        testing.check_panel(Panel("forgetful", "Forgetful", f"{__name__}:Forgetful"))
