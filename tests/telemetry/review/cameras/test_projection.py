"""Where the horizon stands in a picture, against calculations by hand.

With a field of view of 90 degrees a picture 640 pixels wide has a focal length of 320 pixels, for
tan 45 degrees is 1; a direction so many degrees off the axis stands 320 times its tangent away.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.projection import (
    camera_from_body,
    down_in_body,
    horizon_line,
    project,
)

SIZE = (640, 480)
MIDDLE_U, MIDDLE_V = 319.5, 239.5
"""Pixels count from the centre of the top left one, so that this is the middle of 640x480."""
CAMERA = CameraSettings(field_of_view_deg=90.0)


def height_at(line: np.ndarray, u: float) -> float:
    shown = line[np.isfinite(line).all(axis=1)]
    return float(np.interp(u, shown[:, 0], shown[:, 1]))


def slope_deg(line: np.ndarray) -> float:
    """Positive where the right end stands lower in the picture."""
    return math.degrees(math.atan((height_at(line, 420) - height_at(line, 220)) / 200))


@pytest.mark.parametrize("pitch_deg", [-20.0, 0.0, 10.0])
def test_nose_up_lowers_the_horizon(pitch_deg: float) -> None:
    line = horizon_line(down_in_body(0.0, pitch_deg), CAMERA, SIZE)
    assert height_at(line, MIDDLE_U) == pytest.approx(
        MIDDLE_V + 320 * math.tan(math.radians(pitch_deg))
    )


@pytest.mark.parametrize("roll_deg", [-35.0, 20.0])
def test_right_wing_down_turns_the_horizon_to_the_left(roll_deg: float) -> None:
    line = horizon_line(down_in_body(roll_deg, 0.0), CAMERA, SIZE)
    assert height_at(line, MIDDLE_U) == pytest.approx(MIDDLE_V)
    assert slope_deg(line) == pytest.approx(-roll_deg)


def test_the_wrong_sign_of_roll_would_be_seen() -> None:
    """The negative control: the mirrored attitude misses by the whole picture's tilt."""
    right, wrong = (
        horizon_line(down_in_body(roll_deg, 0.0), CAMERA, SIZE) for roll_deg in (20.0, -20.0)
    )
    assert abs(height_at(right, 100) - height_at(wrong, 100)) > 150


def test_a_camera_that_looks_down_has_its_horizon_high() -> None:
    camera = replace(CAMERA, mount_pitch_deg=-8.0)
    line = horizon_line(down_in_body(0.0, 0.0), camera, SIZE)
    assert height_at(line, MIDDLE_U) == pytest.approx(MIDDLE_V - 320 * math.tan(math.radians(8)))


def test_a_camera_turned_in_its_mount_turns_the_picture() -> None:
    camera = replace(CAMERA, mount_roll_deg=5.0)
    assert slope_deg(horizon_line(down_in_body(0.0, 0.0), camera, SIZE)) == pytest.approx(-5.0)


def test_a_camera_that_looks_right_sees_a_pitch_as_a_roll() -> None:
    """Nose up 10 degrees: for who looks over the right wing the left side of the view rises, so
    that the horizon falls to the left."""
    camera = replace(CAMERA, mount_yaw_deg=90.0)
    line = horizon_line(down_in_body(0.0, 10.0), camera, SIZE)
    assert slope_deg(line) == pytest.approx(-10.0)
    assert camera_from_body(camera) @ [0.0, 1.0, 0.0] == pytest.approx([1.0, 0.0, 0.0])


def test_a_calibrated_lens_stands_for_itself() -> None:
    camera = replace(CAMERA, focal_px=(500.0, 400.0), centre_px=(330.0, 250.0))
    direction = np.array([[1.0, 0.1, 0.2]])
    assert project(direction, camera, SIZE)[0] == pytest.approx([330 + 50, 250 + 80])


def test_distortion_is_that_of_opencv() -> None:
    """Its documented formula: x (1 + k1 r^2) + 2 p1 x y at x = 0.1, y = 0.2, r^2 = 0.05."""
    camera = replace(CAMERA, distortion=(-0.2, 0.0, 0.01, 0.0, 0.0))
    (u, v) = project(np.array([[1.0, 0.1, 0.2]]), camera, SIZE)[0]
    assert u == pytest.approx(MIDDLE_U + 320 * (0.1 * 0.99 + 2 * 0.01 * 0.1 * 0.2))
    assert v == pytest.approx(MIDDLE_V + 320 * (0.2 * 0.99 + 0.01 * (0.05 + 2 * 0.04)))


def test_what_is_behind_the_camera_stands_nowhere() -> None:
    assert np.isnan(project(np.array([[-1.0, 0.1, 0.2]]), CAMERA, SIZE)).all()
    assert len(horizon_line(down_in_body(0.0, 90.0), CAMERA, SIZE)) == 0
