"""A board with the AR100B's settings."""

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.preset import Preset, load_preset
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    """The shipped definitions."""
    return load_catalogue()


@pytest.fixture(scope="session")
def preset() -> Preset:
    """The AR100B's factory settings."""
    return load_preset("ar100b")


@pytest.fixture
def board(catalogue: Catalogue, preset: Preset) -> SimulatedBoard:
    """A board as it leaves the factory."""
    return SimulatedBoard(catalogue, preset)
