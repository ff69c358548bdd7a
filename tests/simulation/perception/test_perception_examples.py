"""The notebooks under examples/perception run, and find what is true."""

import math
import runpy
from typing import Any

import numpy as np
import pytest

from simulation.perception.floor_plan import distances, floor_plan
from tests.test_house_rules import ROOT

pytestmark = pytest.mark.slow


def run(name: str) -> dict[str, Any]:
    """What the names of an example stand for after it has run."""
    return runpy.run_path(str(ROOT / "examples" / "perception" / f"{name}.py"))


def test_a_map_by_scan_matching() -> None:
    """Issue 13: walls within 5 cm. A map turned by one degree about the start is not that good."""
    found = run("map_office")
    assert np.percentile(found["wall_error_m"], 95.0) < 0.05
    assert found["place_error_m"][-1] < 0.05
    turned = np.concatenate(found["mapped"]) - (-8.0, 0.0)
    cos, sin = math.cos(math.radians(1.0)), math.sin(math.radians(1.0))
    spoilt = turned @ np.array([[cos, sin], [-sin, cos]]) + (-8.0, 0.0)
    walls = floor_plan(found["scene"], -found["HEIGHT_M"])
    assert np.percentile(distances(spoilt, walls), 95.0) > 0.05
