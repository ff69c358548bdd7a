"""The notebooks under examples/perception run, and find what is true."""

import math
import runpy
from typing import Any

import cv2
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
    turned = found["every_tenth"] - (-8.0, 0.0)
    cos, sin = math.cos(math.radians(1.0)), math.sin(math.radians(1.0))
    spoilt = turned @ np.array([[cos, sin], [-sin, cos]]) + (-8.0, 0.0)
    walls = floor_plan(found["scene"], -found["HEIGHT_M"])
    assert np.percentile(distances(spoilt, walls), 95.0) > 0.05


def test_a_camera_calibrated_with_opencv() -> None:
    """Issue 13: fx within 1 %. A lens taken to have no distortion is not that good."""
    found = run("calibrate_camera")
    true = found["true"]["focal_px"]
    assert len(found["seen"]) >= 12
    assert found["focal_px"] == pytest.approx(true, rel=0.01)
    assert found["distortion"].ravel()[:2] == pytest.approx(
        found["true"]["distortion"][:2], abs=0.05
    )
    fixed = cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K1 | cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3
    grids = [found["grid"]] * len(found["seen"])
    size = found["grey"].shape[::-1]
    start = np.eye(3), np.zeros(5)
    _, without, *_ = cv2.calibrateCamera(grids, found["seen"], size, *start, flags=fixed)
    assert without[0, 0] != pytest.approx(true[0], rel=0.01)


def test_visual_odometry_follows_the_truth() -> None:
    """Within 2 % of the way; who takes the height to be a tenth more is wrong by that."""
    found = run("visual_odometry")
    length_m, true = found["length_m"], found["true"]
    assert length_m == pytest.approx(1.2 * 0.6 * (true.shape[0] - 1) / 12.0, rel=0.01)
    assert found["error_m"] < 0.02 * length_m
    assert abs(found["heading_error_deg"]) < 1.0
    wrong, _ = found["odometry"](1.1 * found["HEIGHT_M"])
    assert np.linalg.norm(wrong - true, axis=1).max() > 0.05 * length_m
