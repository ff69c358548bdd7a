"""The Configure view beside a bench, refreshed as the station's tick would."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytestqt.qtbot import QtBot

from telemetry.protocol.objects.catalogue import Catalogue
from tests.plugins.driven import Driven, driving
from tests.telemetry.configuration.settings.bench import Bench


@pytest.fixture
def jobs() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue)


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench) -> Iterator[Driven]:
    with driving(qtbot, bench.vehicle) as driven:
        yield driven
