"""The page beside a bench whose sensors are wrong."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from plugins.calibration.page import CalibrationPage
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from tests.plugins.calibration.rig import Rig, sensor_board
from tests.plugins.driven import Driven
from tests.telemetry.configuration.settings.bench import Bench

PAGE = "calibration.sensors"


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue, sensor_board(catalogue))


@pytest.fixture
def driven(qtbot: QtBot, bench: Bench) -> Iterator[Driven]:
    fleet = Fleet()
    fleet.add(bench.vehicle)
    driven = Driven(qtbot, fleet, ImmediateJobs())  # type: ignore[arg-type]
    yield driven
    driven.context.close()


@pytest.fixture
def page(driven: Driven) -> CalibrationPage:
    return calibration_page(driven)


@pytest.fixture
def rig(driven: Driven, bench: Bench, page: CalibrationPage) -> Rig:
    return Rig(bench, lambda: driven.panel.refresh(0.0))


def calibration_page(driven: Driven) -> CalibrationPage:
    found: QWidget = driven.page(PAGE)
    assert isinstance(found, CalibrationPage)
    return found
