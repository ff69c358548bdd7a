"""Every page on boards of another family, and on one whose memory holds nonsense."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import pytest
from pytestqt.qtbot import QtBot

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.plugins.driven import Driven
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import MemoryBoard

NO_NUMBERS, OUT_OF_RANGE = b"\xff", b"\x81"
NONSENSE = (
    ((NO_NUMBERS,), (OUT_OF_RANGE,))
    if "LAPWING_ALL_WAYS" in os.environ
    else ((NO_NUMBERS, OUT_OF_RANGE),)
)
"""What fills one settings object after the other."""


def _board(catalogue: Catalogue, release: str) -> MemoryBoard:
    found = catalogue.release(release)
    return MemoryBoard(d for d in found if d.single_instance)


@pytest.fixture
def jobs() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def _open_all(qtbot: QtBot, jobs: ThreadPoolExecutor, bench: Bench) -> None:
    fleet = Fleet()
    fleet.add(bench.vehicle)
    driven = Driven(qtbot, fleet, jobs)
    for page_id in driven.context.pages:
        driven.page(page_id)
        driven.refresh()
        driven.page(page_id)  # it has not failed meanwhile either
    driven.context.close()


@pytest.mark.slow
def test_pages_open_on_another_family(
    qtbot: QtBot, jobs: ThreadPoolExecutor, catalogue: Catalogue
) -> None:
    _open_all(qtbot, jobs, Bench(catalogue, _board(catalogue, "TauLabs-next-2017-01")))


@pytest.mark.slow
@pytest.mark.parametrize("nonsense", NONSENSE)
def test_pages_open_on_a_board_with_nonsense_in_its_settings(
    qtbot: QtBot, jobs: ThreadPoolExecutor, catalogue: Catalogue, nonsense: tuple[bytes, ...]
) -> None:
    board = _board(catalogue, DEFAULT_RELEASE)
    settings = {key: d for key, d in board.definitions.items() if d.settings}
    for byte, (object_id, definition) in zip(cycle(nonsense), settings.items(), strict=False):
        board.values[object_id, 0] = byte * definition.size
    _open_all(qtbot, jobs, Bench(catalogue, board))
