"""The horizon's angles against those of the camera that the pictures were made with."""

import math

import cv2
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of
from telemetry.review.flights.synchronisation.horizon import Horizon, find_horizon
from tests.telemetry.review.flights.synchronisation.turning_camera import (
    SIZE,
    Picture,
    far_pictures,
    horizon_pictures,
)

LENS = lens_of(CameraSettings(), SIZE, SIZE[0])


def _picture(roll_deg: float, pitch_deg: float) -> Picture:
    standing = Rotation.from_euler("x", pitch_deg, True) * Rotation.from_euler("z", roll_deg, True)
    return horizon_pictures([standing])[0]


def _found(picture: Picture) -> Horizon:
    horizon = find_horizon(picture, LENS)
    assert horizon is not None
    return horizon


@pytest.mark.parametrize("roll_deg", [0.0, 4.0, -33.0, 80.0, -120.0, 177.0])
@pytest.mark.parametrize("pitch_deg", [-8.0, 5.0])
def test_roll_and_pitch_are_those_of_the_camera(roll_deg: float, pitch_deg: float) -> None:
    horizon = _found(_picture(roll_deg, pitch_deg))
    assert math.degrees(horizon.roll_rad) == pytest.approx(roll_deg, abs=0.2)
    assert math.degrees(horizon.pitch_rad) == pytest.approx(pitch_deg, abs=0.2)
    assert horizon.quality > 0.8


def test_signs_by_hand() -> None:
    """The sky above; the horizon rises towards the right and lies below the middle."""
    picture = np.zeros((120, 160, 3), np.uint8)
    picture[:] = (40, 110, 80)
    cv2.fillConvexPoly(picture, np.array([[0, 0], [159, 0], [159, 60], [0, 100]]), (230, 210, 190))
    horizon = _found(picture)
    assert horizon.roll_rad == pytest.approx(math.atan2(40, 159), abs=0.01)
    assert horizon.pitch_rad > math.radians(5)
    assert _found(picture[:, ::-1].copy()).roll_rad == pytest.approx(-horizon.roll_rad, abs=0.01)
    upside_down = _found(picture[::-1, ::-1].copy())
    assert upside_down.roll_rad == pytest.approx(horizon.roll_rad - math.pi, abs=0.01)


def test_trees_and_a_time_stamp_do_not_move_it() -> None:
    picture = _picture(12.0, -4.0)
    for x in (20, 45, 118):
        cv2.rectangle(picture, (x, 20), (x + 9, 60), (30, 60, 40), -1)
    cv2.putText(picture, "2011-11-20 15:53:01", (2, 12), 0, 0.4, (255, 255, 255), 1)
    assert math.degrees(_found(picture).roll_rad) == pytest.approx(12.0, abs=0.4)


def test_none_is_found_where_none_is() -> None:
    wall = far_pictures([Rotation.identity()])[0]
    assert find_horizon(wall, LENS) is None
    assert find_horizon(_picture(0.0, -70.0), LENS) is None
    assert find_horizon(_picture(0.0, 60.0), LENS) is None
    assert find_horizon(np.zeros((120, 160, 3), np.uint8), LENS) is None


def test_the_border_of_a_ripe_field_is_no_horizon() -> None:
    picture = _picture(0.0, -70.0)
    picture[:50] = (110, 200, 220)
    assert find_horizon(picture, LENS) is None
    picture[:50] = (220, 205, 190)
    assert find_horizon(picture, LENS) is not None
