"""What the tests of both panels stand on."""

from collections.abc import Iterator

import pytest

from plugins.api import VehicleContext
from plugins.testing import QuietCommands, catalogue
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.immediate import ImmediateJobs
from widgets.theme import load_theme


@pytest.fixture
def context(recording: Recording) -> Iterator[VehicleContext]:
    """A log of the test's `recording`, replayed."""
    vehicle = Vehicle("a", recording, catalogue(), QuietCommands("A log"))
    vehicle.timeline.end_live()
    vehicle.timeline.advance(0.0, recording.first_s, recording.last_s)
    fleet = Fleet()
    fleet.add(vehicle)
    context = VehicleContext(fleet, load_theme("light"), ImmediateJobs())
    yield context
    context.close()
