"""How pictures are turned upright: by mounts whose picture is worked out by projection."""

import numpy as np
import pytest

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn, turn_by_mount, turn_shown
from telemetry.review.cameras.projection import camera_from_body, project

_SIZE = (64, 48)
_ABOVE, _AHEAD = (0.0, 0.0, -1.0), (1.0, 0.0, 0.0)
_TURNS = [PictureTurn(quarters, mirrored) for quarters in range(4) for mirrored in (False, True)]


def _shown(camera: CameraSettings, direction: tuple[float, float, float]) -> np.ndarray:
    """How far right of and below the middle something lies that is a little off the optical axis
    towards a direction of the body, when the picture is shown as the mount says."""
    to_camera = camera_from_body(camera)
    seen = np.array([1.0, 0.0, 0.0]) + 0.1 * to_camera @ np.array(direction)
    turn = turn_by_mount(camera)
    point = turn.points(project(seen[None], camera, _SIZE), _SIZE)[0]
    return np.asarray(point - (np.array(turn.size(_SIZE)) - 1) / 2)


@pytest.mark.parametrize("yaw_deg", [0.0, 90.0, -170.0])
@pytest.mark.parametrize("roll_deg", [-179.0, -90.0, -40.0, 0.0, 44.0, 88.0, 135.1, 180.0])
def test_what_is_above_the_aircraft_is_towards_the_top(roll_deg: float, yaw_deg: float) -> None:
    camera = CameraSettings(mount_roll_deg=roll_deg, mount_pitch_deg=-25.0, mount_yaw_deg=yaw_deg)
    right, down = _shown(camera, _ABOVE)
    assert -down >= abs(right) > -1.0


@pytest.mark.parametrize("yaw_deg", [0.0, 80.0, 180.0])
@pytest.mark.parametrize("roll_deg", [0.0, 90.0, -100.0])
@pytest.mark.parametrize(("pitch_deg", "sign"), [(-90.0, 1), (-80.0, 1), (85.0, -1)])
def test_the_nose_is_at_the_top_where_the_camera_looks_down(
    pitch_deg: float, sign: int, roll_deg: float, yaw_deg: float
) -> None:
    """And at the bottom where it looks up, as if it had been raised from looking ahead."""
    camera = CameraSettings(
        mount_roll_deg=roll_deg, mount_pitch_deg=pitch_deg, mount_yaw_deg=yaw_deg
    )
    right, down = _shown(camera, _AHEAD)
    assert -sign * down >= abs(right)


def test_a_camera_that_hangs_upside_down_is_turned_by_half() -> None:
    assert turn_by_mount(CameraSettings(mount_roll_deg=179.0)) == PictureTurn(2)
    assert turn_by_mount(CameraSettings(mount_roll_deg=90.0)) == PictureTurn(1), "clockwise"


def test_what_was_turned_by_hand_counts_more_than_the_mount() -> None:
    hangs = CameraSettings(mount_roll_deg=180.0)
    assert turn_shown(None, hangs) == PictureTurn(2)
    assert turn_shown(PictureTurn(), hangs) == PictureTurn(), "as the file has it"


@pytest.mark.parametrize("turn", _TURNS)
def test_a_point_goes_where_its_pixel_goes(turn: PictureTurn) -> None:
    pixels = np.zeros((_SIZE[1], _SIZE[0], 3), np.uint8)
    pixels[7, 50] = 255
    ((row, column),) = np.argwhere(turn.picture(pixels)[..., 0])
    assert turn.picture(pixels).shape[1::-1] == turn.size(_SIZE)
    assert turn.points(np.array([[50.0, 7.0]]), _SIZE).tolist() == [[column, row]]


@pytest.mark.parametrize("turn", _TURNS)
def test_a_turn_is_changed_as_it_is_seen(turn: PictureTurn) -> None:
    """Whatever stands there, the next quarter is clockwise and a mirror exchanges left and right
    as shown."""
    pixels = np.arange(12, dtype=np.uint8).reshape(3, 4)
    shown = turn.picture(pixels)
    assert np.array_equal(turn.turned(1).picture(pixels), np.rot90(shown, -1))
    assert np.array_equal(turn.mirrored().picture(pixels), shown[:, ::-1])
    assert turn.turned(4) == turn == turn.mirrored().mirrored()


@pytest.mark.parametrize(("pitch_deg", "quarters"), [(-69.0, 0), (-71.0, 2), (69.0, 0), (71.0, 2)])
def test_from_70_degrees_on_the_nose_counts_and_not_what_stands(
    pitch_deg: float, quarters: int
) -> None:
    """It looks back, and what stands is upright in its picture. Down from there the nose is at the
    bottom, up from there at the top; it belongs the other way round."""
    camera = CameraSettings(mount_pitch_deg=pitch_deg, mount_yaw_deg=180.0)
    assert turn_by_mount(camera) == PictureTurn(quarters)


def test_turns_and_mirrors_add_up() -> None:
    assert PictureTurn(3).turned(2) == PictureTurn(1)
    assert PictureTurn(1).mirrored() == PictureTurn(3, True)
    assert PictureTurn(3, True).mirrored() == PictureTurn(1)
    assert PictureTurn(1).size((64, 48)) == (48, 64)
    assert PictureTurn(2).size((64, 48)) == (64, 48)
