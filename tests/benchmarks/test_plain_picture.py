"""The second renderer against equations by hand: `benchmarks.sync.plain_picture`."""

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from benchmarks.sync.plain_picture import PlainCamera, PlainPictures

CAMERA = PlainCamera((160, 120), 60.0)
FOCAL_PX = 80.0 / math.tan(math.radians(30.0))
HEIGHT_M = 10.0
Array = npt.NDArray[np.float64]


def turned(roll_deg: float = 0.0, pitch_deg: float = 0.0) -> Array:
    """From the body to NED, by hand: pitch, then roll about the axis that looks ahead."""
    (cr, sr), (cp, sp) = (
        (math.cos(a), math.sin(a)) for a in map(math.radians, (roll_deg, pitch_deg))
    )
    pitched = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    rolled = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    return np.asarray(pitched @ rolled)


def ground_share(camera: PlainCamera, body: Array) -> npt.NDArray[np.float32]:
    """What is ground to a camera that stands still."""

    def poses(times_s: Array) -> tuple[Array, Array]:
        place = np.tile([0.0, 0.0, -HEIGHT_M], (len(times_s), 1))
        return place, np.tile(body, (len(times_s), 1, 1))

    return PlainPictures(camera, poses, 1).picture(0.0)[1]


@pytest.mark.parametrize("pitch_deg", [-12.0, 9.0])
def test_the_horizon_lies_in_the_row_of_the_pitch(pitch_deg: float) -> None:
    """Nose down, the horizon rises: row = centre + focal x tan(pitch)."""
    share = ground_share(CAMERA, turned(pitch_deg=pitch_deg))
    sky_rows = 120.0 - share[:, 80].sum()
    assert sky_rows == pytest.approx(60.0 + FOCAL_PX * math.tan(math.radians(pitch_deg)), abs=0.1)


def test_the_mount_s_pitch_is_the_body_s() -> None:
    """A camera that looks down by so much sees what the body would that is turned by it."""
    mounted = ground_share(replace(CAMERA, mount_deg=(0.0, -12.0, 0.0)), turned())
    assert mounted == pytest.approx(ground_share(CAMERA, turned(pitch_deg=-12.0)), abs=1e-3)


@pytest.mark.parametrize("roll_deg", [15.0, -15.0])
def test_rolled_to_the_right_the_ground_rises_to_the_right(roll_deg: float) -> None:
    """The horizon's slope is -tan(roll), of the other sign for the other roll."""
    share = ground_share(CAMERA, turned(roll_deg=roll_deg))
    sky_rows = 120.0 - share.sum(axis=0)
    slope = np.polyfit(np.arange(40, 120), sky_rows[40:120], 1)[0]
    assert slope == pytest.approx(-math.tan(math.radians(roll_deg)), abs=0.01)


def test_a_rolled_mount_turns_the_picture_the_same_way() -> None:
    """By 90 degrees the ground is at the right: the camera's right looks down."""
    share = ground_share(replace(CAMERA, mount_deg=(90.0, 0.0, 0.0)), turned())
    assert share[:, 120:].min() == 1.0
    assert share[:, :40].max() == 0.0


def test_distortion_puts_a_ray_where_brown_has_it() -> None:
    """The ray of a pixel, bent by the equation by hand, is that pixel."""
    k1, k2, p1, p2 = -0.2, 0.05, 0.01, -0.02
    right, down = replace(CAMERA, distortion=(k1, k2, p1, p2)).rays()
    x, y = right[100, 130], down[100, 130]
    r2 = x * x + y * y
    radial = 1 + k1 * r2 + k2 * r2 * r2
    column = FOCAL_PX * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + 79.5
    row = FOCAL_PX * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + 59.5
    assert (column, row) == pytest.approx((130.0, 100.0), abs=1e-4)


def light(forward_m: float, pitch_deg: float = -30.0, shutter_s: float = 0.0) -> Array:
    """A picture from so far ahead of the start, or of a flight so far during its shutter."""

    def poses(times_s: Array) -> tuple[Array, Array]:
        place = np.zeros((len(times_s), 3))
        place[:, 0] = forward_m if not shutter_s else forward_m * times_s / shutter_s
        place[:, 2] = -HEIGHT_M
        return place, np.tile(turned(pitch_deg=pitch_deg), (len(times_s), 1, 1))

    camera = replace(CAMERA, size=(160, 120), shutter_s=shutter_s)
    return PlainPictures(camera, poses, 1).picture(0.0)[0].astype(np.float64)


def row_of(distance_m: float, pitch_deg: float = -30.0) -> float:
    """Where ground straight ahead is seen: centre + focal x tan(angle below the axis)."""
    below = math.atan2(HEIGHT_M, distance_m) + math.radians(pitch_deg)
    return 59.5 + FOCAL_PX * math.tan(below)


def best_shift(before: Array, after: Array, row: int, sign: int = 1) -> int:
    """By how many rows the strip about `row` has come down, or gone up."""
    strip = before[row - 6 : row + 7, 60:100]
    shifts = range(20)
    misses = [
        np.abs(after[row + sign * s - 6 : row + sign * s + 7, 60:100] - strip).mean()
        for s in shifts
    ]
    return int(np.argmin(misses))


def test_a_place_on_the_ground_comes_down_as_one_flies_towards_it() -> None:
    """What is 17 m ahead is 16 m ahead after a metre; upwards nothing fits as well."""
    row = round(row_of(17.0))
    moved = round(row_of(16.0) - row_of(17.0))
    before, after = light(0.0), light(1.0)
    assert moved > 3
    assert best_shift(before, after, row) == pytest.approx(moved, abs=1)


def test_rows_are_exposed_from_the_first_to_the_last() -> None:
    """With a rolling shutter the first row is seen from half a way behind, the last from ahead."""
    rolling, behind, ahead = light(2.0, shutter_s=0.02), light(-1.0), light(1.0)
    top, bottom = slice(0, 1), slice(119, 120)

    def apart(one: Array, other: Array, rows: slice) -> float:
        return float(np.abs(one[rows] - other[rows]).mean())

    assert apart(rolling, behind, top) < 0.5 * apart(rolling, ahead, top)
    assert apart(rolling, ahead, bottom) < 0.5 * apart(rolling, behind, bottom)
