"""ROS axes against values worked out by hand."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from telemetry.recording.export.ros.frames import (
    OPTICAL_IN_FLU_WXYZ,
    Floats,
    enu,
    flu,
    flu_in_enu_wxyz,
    flu_in_flu_wxyz,
)

HALF = math.sqrt(0.5)


def by_angles(roll_deg: float, pitch_deg: float, yaw_deg: float) -> Floats:
    """Body FRD to NED, as an aircraft says it."""
    turn = Rotation.from_euler("ZYX", (yaw_deg, pitch_deg, roll_deg), degrees=True)
    return np.asarray(turn.as_quat(scalar_first=True))


def turned(q_wxyz: Floats, vector: tuple[float, float, float]) -> Floats:
    return np.asarray(Rotation.from_quat(q_wxyz, scalar_first=True).apply(vector))


def test_north_is_y_east_is_x_and_down_is_minus_z() -> None:
    vectors = enu(np.array([[1.0, 2.0, 3.0], [0.0, 5.0, 0.0]]))
    assert vectors.tolist() == [[2.0, 1.0, -3.0], [5.0, 0.0, 0.0]]


def test_right_is_minus_y_and_down_is_minus_z_in_the_body() -> None:
    assert flu(np.array([1.0, 2.0, 3.0])).tolist() == [1.0, -2.0, -3.0]


def test_nose_east_and_level_is_no_rotation_at_all() -> None:
    assert flu_in_enu_wxyz(by_angles(0.0, 0.0, 90.0)) == pytest.approx([1.0, 0.0, 0.0, 0.0])
    assert by_angles(0.0, 0.0, 90.0) != pytest.approx([1.0, 0.0, 0.0, 0.0])


def test_nose_north_is_turned_left_by_a_quarter() -> None:
    assert flu_in_enu_wxyz(by_angles(0.0, 0.0, 0.0)) == pytest.approx([HALF, 0.0, 0.0, HALF])


def test_a_positive_pitch_lifts_the_nose() -> None:
    """Facing east, forward is then (cos 30, 0, sin 30)."""
    q = flu_in_enu_wxyz(by_angles(0.0, 30.0, 90.0))
    assert turned(q, (1.0, 0.0, 0.0)) == pytest.approx([math.cos(math.pi / 6), 0.0, 0.5], abs=1e-12)
    q = flu_in_enu_wxyz(by_angles(0.0, -30.0, 90.0))
    assert turned(q, (1.0, 0.0, 0.0))[2] == pytest.approx(-0.5)


def test_a_positive_roll_lifts_the_left_wing() -> None:
    """Facing north, left is west: (-cos 20, 0, sin 20)."""
    q = flu_in_enu_wxyz(by_angles(20.0, 0.0, 0.0))
    angle = math.radians(20.0)
    wanted = [-math.cos(angle), 0.0, math.sin(angle)]
    assert turned(q, (0.0, 1.0, 0.0)) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("angles", [(10.0, -40.0, 200.0), (-170.0, 80.0, -30.0)])
def test_any_attitude_says_of_any_vector_the_same_in_both(
    angles: tuple[float, float, float],
) -> None:
    ours, theirs = by_angles(*angles), flu_in_enu_wxyz(by_angles(*angles))
    vector = np.array([0.3, -1.2, 2.5])
    assert turned(theirs, flu(vector)) == pytest.approx(enu(turned(ours, vector)))
    assert turned(theirs * (1, 1, -1, 1), flu(vector)) != pytest.approx(enu(turned(ours, vector)))


def test_a_mount_says_of_any_vector_the_same_in_both() -> None:
    ours, vector = by_angles(10.0, -90.0, 25.0), np.array([0.3, -1.2, 2.5])
    theirs = flu_in_flu_wxyz(ours)
    assert turned(theirs, flu(vector)) == pytest.approx(flu(turned(ours, vector)))


def test_a_camera_looks_along_z_with_x_right_and_y_down() -> None:
    q = np.array(OPTICAL_IN_FLU_WXYZ)
    assert turned(q, (0.0, 0.0, 1.0)) == pytest.approx([1.0, 0.0, 0.0])
    assert turned(q, (1.0, 0.0, 0.0)) == pytest.approx([0.0, -1.0, 0.0])
    assert turned(q, (0.0, 1.0, 0.0)) == pytest.approx([0.0, 0.0, -1.0])
