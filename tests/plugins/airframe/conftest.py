from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytestqt.qtbot import QtBot

from plugins.airframe.page import AirframePage
from plugins.api import PageContext
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.telemetry.configuration.settings.bench import Bench
from widgets.theme import hand_theme, load_theme


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


@pytest.fixture
def open_page(qtbot: QtBot) -> Iterator[Callable[[Vehicle], AirframePage]]:
    """Opens the page for a vehicle, as the Configure view would."""
    contexts = []
    with ThreadPoolExecutor(1) as jobs:

        def opened(vehicle: Vehicle) -> AirframePage:
            fleet = Fleet()
            fleet.add(vehicle)
            theme = load_theme("light")
            context = PageContext(fleet, theme, jobs)
            contexts.append(context)
            page = AirframePage(context)
            qtbot.addWidget(page)
            hand_theme(page, theme)
            page.resize(900, 1400)
            page.show()
            page.refresh(0.0)
            return page

        yield opened
        for context in contexts:
            context.close()
