"""The Configure view beside a bench, refreshed as the station's tick would."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytestqt.qtbot import QtBot

from telemetry.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.driven import Driven
from tests.telemetry.settings.bench import Bench


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def jobs() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench, jobs: ThreadPoolExecutor) -> Iterator[Driven]:
    fleet = Fleet()
    fleet.add(bench.vehicle)
    driven = Driven(qtbot, fleet, jobs)
    yield driven
    driven.context.close()
