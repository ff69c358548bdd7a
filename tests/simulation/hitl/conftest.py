"""A board on the bench."""

from pathlib import Path

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.hitl.wires import Wires


@pytest.fixture
def wires(catalogue: Catalogue, preset: Preset, tmp_path: Path) -> Wires:
    """Our own autopilot as the real board, freshly powered up."""
    return Wires(AutopilotConfig(preset, seed=1), catalogue, tmp_path)
