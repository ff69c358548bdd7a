"""The ground in a camera's picture, against calculations by hand and the projection's way back.

With a field of view of 90 degrees half the picture's width is as far as the ground is away; the
picture is 16 to 9.
"""

import math

import numpy as np
import pytest

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.footprint import FARTHEST_HEIGHTS, footprint

DOWN = CameraSettings(field_of_view_deg=90.0, mount_pitch_deg=-90.0)
AHEAD = CameraSettings(field_of_view_deg=90.0)


def box(camera: CameraSettings, roll: float = 0.0, pitch: float = 0.0, yaw: float = 0.0) -> list:
    """South, north, west and east ends from 20 m."""
    found = footprint(camera, (roll, pitch, yaw), 20.0)
    assert found is not None
    north, east = found.corners.T
    return [north.min(), north.max(), east.min(), east.max()]


def test_straight_down_it_is_the_picture_at_the_height() -> None:
    """The picture's right is the aircraft's, its top is ahead."""
    assert box(DOWN) == pytest.approx([-11.25, 11.25, -20.0, 20.0], abs=0.05)
    assert box(DOWN, yaw=90.0) == pytest.approx([-20.0, 20.0, -11.25, 11.25], abs=0.05)


def test_leaning_moves_it_to_the_other_side() -> None:
    """With the right wing down by 30 degrees a camera below looks to the left."""
    west, east = box(DOWN, roll=30.0)[2:]
    assert west == pytest.approx(20.0 * math.tan(math.radians(-75.0)), rel=1e-3)
    assert east == pytest.approx(20.0 * math.tan(math.radians(15.0)), rel=1e-3)
    south, north = box(DOWN, pitch=20.0)[:2]
    assert north > 11.25 + 3.0, "nose up it looks ahead"
    assert south > -11.25


def test_the_horizon_is_cut_and_said() -> None:
    level = footprint(AHEAD, (0.0, 0.0, 0.0), 20.0)
    assert level is not None
    assert level.is_cut
    away = np.hypot(*level.corners.T)
    assert away.max() == pytest.approx(FARTHEST_HEIGHTS * 20.0)
    lowest = math.degrees(math.atan(9.0 / 16.0))
    assert away.min() == pytest.approx(20.0 / math.tan(math.radians(lowest)), rel=1e-3)
    assert (level.corners[:, 0] > 0.0).all(), "it looks north"
    far = level.corners[away > FARTHEST_HEIGHTS * 20.0 - 0.1]
    bearings = np.degrees(np.arctan2(far[:, 1], far[:, 0]))
    assert (np.diff(np.sort(bearings)) < 12.0).all(), "an arc, not a corner"
    below = footprint(DOWN, (0.0, 0.0, 0.0), 20.0)
    assert below is not None
    assert not below.is_cut


def test_the_sky_and_the_ground_have_none() -> None:
    up = CameraSettings(field_of_view_deg=60.0, mount_pitch_deg=45.0)
    assert footprint(up, (0.0, 0.0, 0.0), 20.0) is None
    assert footprint(DOWN, (0.0, 0.0, 0.0), 0.1) is None
