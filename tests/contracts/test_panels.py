"""Every panel of every plugin keeps the published contract, in the dock that the station opens."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from app.messages import Messages
from app.panel_dock import PanelDock, PanelServices
from app.plugin_loader import find_plugins
from app.tick import Tick
from app.workspaces import PanelPlace
from plugins import testing
from plugins.api import Json, Panel
from plugins.testing import live_vehicle, replayed_vehicle
from telemetry.vehicle.vehicle import Fleet, Vehicle
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
        self._dock = PanelDock(place, services, lambda _command: None)
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


@pytest.fixture
def services(qapp: QApplication) -> Iterator[PanelServices]:
    theme = load_theme("light")
    apply_theme(qapp, theme)
    with ThreadPoolExecutor(1, thread_name_prefix="job") as jobs:
        yield PanelServices(
            fleet=Fleet(),
            theme=theme,
            jobs=jobs,
            messages=Messages(),
            tick=Tick(lambda: 0.0, lambda _now: False),
            panels=PANELS,
            pages=PLUGINS.pages,
            hints_done=set(PANELS),
        )


@pytest.mark.slow
@every_panel
@pytest.mark.parametrize("make_vehicle", [live_vehicle, replayed_vehicle])
def test_a_panel_shows_a_flight(
    services: PanelServices, panel_id: str, make_vehicle: Callable[[], Vehicle]
) -> None:
    testing.check_shows_a_flight(partial(DockedPanel, services, panel_id), make_vehicle())


@every_panel
@pytest.mark.parametrize(
    "check",
    [
        testing.check_needs_no_aircraft,
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
