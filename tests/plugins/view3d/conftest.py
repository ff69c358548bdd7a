"""What the tests of the 3-D view share."""

from collections.abc import Iterator

import pytest

from plugins.api import VehicleContext
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from widgets.theme import load_theme


@pytest.fixture
def context() -> Iterator[VehicleContext]:
    settings = {"has_opengl": False}
    context = VehicleContext(Fleet(), load_theme("dark"), ImmediateJobs(), settings)
    yield context
    context.close()
