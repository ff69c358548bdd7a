"""Rotations measured in pictures against those they were made with (`turning_camera`)."""

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

from telemetry.recording.video_files.frame_source import VideoFrame
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.synchronisation.errors import MeasuringCancelledError
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion
from telemetry.review.flights.synchronisation.picture_motion import (
    MotionMeasurement,
    measure_motion,
)
from tests.telemetry.review.flights.synchronisation.turning_camera import (
    FRAME_S,
    SIZE,
    Frames,
    Picture,
    far_pictures,
    horizon_pictures,
    orientations,
    texture,
)

COUNT = 24
TIMES_S = np.arange(COUNT) * FRAME_S


def _swinging(axis: int, most_rad: float = 0.04) -> npt.NDArray[np.float64]:
    rotations_rad = np.zeros((COUNT, 3))
    rotations_rad[1:, axis] = most_rad * np.sin(8.0 * TIMES_S[1:] + 0.63)
    return rotations_rad


def _measured(pictures: Sequence[Picture], times_s: Sequence[float] | None = None) -> PictureMotion:
    """By each of the pictures, one after the other."""
    frames = Frames(pictures, times_s)
    measurement = MotionMeasurement(CameraSettings(), frames.size)
    for time_s in frames.times():
        frame = frames.frame_at(time_s)
        assert frame is not None
        measurement.add(frame)
    return measurement.motion()


def _true_between(
    motion: PictureMotion, rotations_rad: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The true rotations from each row's frame to the next, (rows - 1, 3)."""
    turned = orientations(rotations_rad)
    rows = np.round(motion.times_s / FRAME_S).astype(int)
    return np.array(
        [(turned[a].inv() * turned[b]).as_rotvec() for a, b in itertools.pairwise(rows)]
    )


@pytest.mark.slow
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_turn_about_each_axis_is_measured_to_two_percent(axis: int) -> None:
    rotations_rad = _swinging(axis)
    motion = _measured(far_pictures(orientations(rotations_rad)))

    assert motion.times_s == pytest.approx(TIMES_S)
    assert motion.rotation_rad == pytest.approx(rotations_rad, abs=8e-4)
    assert np.all(motion.quality[1:] > 0.5)
    assert motion.quality[0] == 0
    assert np.isinf(motion.sigma_rad[0])
    # Negative control: the same pictures in reverse turn the other way.
    backwards = _measured(far_pictures(orientations(rotations_rad))[::-1])
    assert backwards.rotation_rad[1:] == pytest.approx(-rotations_rad[:0:-1], abs=8e-4)


def test_signs_follow_the_camera_frame() -> None:
    wall = texture(side=256)

    def rotation(after: Picture) -> npt.NDArray[np.float64]:
        height, width = after.shape[:2]
        cut = (slice(height // 4, 3 * height // 4), slice(width // 4, 3 * width // 4))
        found: npt.NDArray[np.float64] = _measured([wall[cut], after[cut]]).rotation_rad[1]
        return found

    nose_up = rotation(np.roll(wall, 3, axis=0))
    to_the_right = rotation(np.roll(wall, -3, axis=1))
    counter_clockwise = cv2.getRotationMatrix2D((127.5, 127.5), 3.0, 1.0)
    rolling_right = rotation(np.asarray(cv2.warpAffine(wall, counter_clockwise, (256, 256))))

    focal_px = 64.0 / np.tan(np.radians(30.0))
    assert nose_up == pytest.approx([3.0 / focal_px, 0, 0], abs=2e-3)
    assert to_the_right == pytest.approx([0, 3.0 / focal_px, 0], abs=2e-3)
    assert rolling_right == pytest.approx([0, 0, np.radians(3.0)], abs=2e-3)


@pytest.mark.slow
def test_broken_frames_are_left_out_and_the_turn_over_them_is_kept() -> None:
    rotations_rad = _swinging(2)
    pictures = far_pictures(orientations(rotations_rad))
    rng = np.random.default_rng(5)
    for number in (6, 15, 16):
        blocks = rng.integers(0, 255, (SIZE[1] // 8, SIZE[0] // 8, 3), np.uint8)
        pictures[number] = np.repeat(np.repeat(blocks, 8, axis=0), 8, axis=1)
    motion = _measured(pictures)

    assert motion.skipped == 3
    assert motion.times_s == pytest.approx(np.delete(TIMES_S, [6, 15, 16]))
    true = _true_between(motion, rotations_rad)
    assert motion.rotation_rad[1:] == pytest.approx(true, abs=6e-4)


@pytest.mark.slow
def test_a_cut_is_a_gap_that_was_not_measured() -> None:
    rotations_rad = _swinging(1)
    pictures = far_pictures(orientations(rotations_rad))
    pictures[12:] = [picture[:, :, ::-1].copy()[::-1, ::-1] for picture in pictures[12:]]
    motion = _measured(pictures)

    assert motion.times_s == pytest.approx(TIMES_S)
    assert np.flatnonzero(motion.quality == 0).tolist() == [0, 12]
    assert motion.rotation_rad[12] == pytest.approx(np.zeros(3))


@pytest.mark.slow
def test_a_time_stamp_and_changes_of_exposure_do_not_matter() -> None:
    rotations_rad = _swinging(1)
    pictures = far_pictures(orientations(rotations_rad))
    for number, picture in enumerate(pictures):
        exposed = picture * (0.8 + 0.2 * np.cos(number / 5.0))
        stamp = f"2011-11-20 15:53:{number // 10:02}"
        picture[:] = cv2.putText(
            exposed.astype(np.uint8), stamp, (2, 12), 0, 0.42, (255, 255, 255), 1
        )
    motion = _measured(pictures)

    true = _true_between(motion, rotations_rad)
    assert motion.rotation_rad[1:] == pytest.approx(true, abs=8e-4)


@pytest.mark.slow
def test_frames_that_come_twice_are_left_out() -> None:
    rotations_rad = _swinging(0)
    pictures = far_pictures(orientations(rotations_rad))
    pictures[9] = pictures[8]
    motion = _measured(pictures)

    assert motion.skipped == 1
    assert motion.times_s == pytest.approx(np.delete(TIMES_S, 9))
    assert motion.rotation_rad[1:] == pytest.approx(_true_between(motion, rotations_rad), abs=5e-4)


def test_a_frame_that_its_reader_doubts_is_left_out_but_not_all_of_them() -> None:
    """What is shown for a broken frame may look good; but a reader doubts all up to the next key,
    and these are no worse than others."""
    pictures = far_pictures(orientations(_swinging(0)[:12]))

    def times_s(doubted: Sequence[int]) -> list[float]:
        measurement = MotionMeasurement(CameraSettings(), SIZE)
        for number, picture in enumerate(pictures):
            measurement.add(VideoFrame(picture, number * FRAME_S, number, number in doubted))
        found: list[float] = measurement.motion().times_s.tolist()
        return found

    assert times_s([4]) == pytest.approx(np.delete(TIMES_S[:12], 4))
    assert times_s(range(4, 12)) == pytest.approx(np.delete(TIMES_S[:12], [4, 5]))


@pytest.mark.slow
def test_flying_ahead_is_no_turning() -> None:
    """15 m/s at 20 m, rolling; the same without what is known of the ground would be pitch."""
    rotations_rad = _swinging(2, 0.03)
    rotations_rad[0] = [-0.1, 0.0, 0.0]
    flown = np.outer(TIMES_S * 15.0 / 20.0, [0.2, 0.0, 1.0])
    motion = _measured(horizon_pictures(orientations(rotations_rad), flown=flown))

    wrong_rad = motion.rotation_rad[1:] - _true_between(motion, rotations_rad)
    assert len(motion.times_s) == COUNT
    assert np.abs(wrong_rad[:, 2]).max() < 2e-3
    assert np.sqrt((wrong_rad**2).mean(axis=0)).max() < 1e-3


def test_a_camera_that_stands_still_turns_by_nothing() -> None:
    still = far_pictures(orientations(np.zeros((1, 3))))[0]
    rng = np.random.default_rng(9)
    noisy = [
        np.clip(still + rng.normal(0, 2.0, still.shape), 0, 255).astype(np.uint8) for _ in range(9)
    ]
    assert np.abs(_measured(noisy).rotation_rad).max() < 1e-3
    assert np.abs(_measured([still] * 9).rotation_rad).max() == 0


def test_a_picture_without_anything_in_it_says_nothing() -> None:
    motion = _measured([np.full((120, 160, 3), 90, np.uint8)] * 12)
    assert np.all(motion.quality == 0)
    assert np.all(np.isinf(motion.sigma_rad))
    assert np.all(np.isnan(motion.horizon_roll_rad))


def test_only_frames_whose_time_is_known_and_later_have_rows() -> None:
    measurement = MotionMeasurement(CameraSettings(), SIZE)
    pictures = far_pictures(orientations(_swinging(0)[:5]))
    for time_s, picture in zip((0.0, None, 0.1, 0.1, 0.2), pictures, strict=True):
        measurement.add(VideoFrame(picture, time_s, 0))
    assert measurement.motion().times_s.tolist() == [0.0, 0.1, 0.2]
    assert measurement.motion().skipped == 2


def test_measuring_goes_on_after_a_long_gap() -> None:
    """At the last rate the camera would have turned by eleven turns, points be behind it."""
    pictures = far_pictures(orientations(np.tile([0.0, 0.04, 0.0], (8, 1))))
    times_s = [number * FRAME_S + (60.0 if number > 4 else 0.0) for number in range(8)]
    motion = _measured(pictures, times_s)
    assert motion.times_s == pytest.approx(times_s)
    assert motion.rotation_rad[1:, 1] == pytest.approx(0.04, abs=2e-3)


def test_of_frames_that_come_often_every_second_is_looked_at() -> None:
    rotations_rad = _swinging(2)
    motion = measure_motion(Frames(far_pictures(orientations(rotations_rad))), CameraSettings())
    assert motion.times_s == pytest.approx(TIMES_S[[0, *range(1, COUNT, 2)]])
    assert motion.skipped == 0
    assert motion.rotation_rad[1:] == pytest.approx(_true_between(motion, rotations_rad), abs=6e-4)

    seldom_s = 2 * TIMES_S[:6]
    pictures = far_pictures(orientations(rotations_rad[:6]))
    assert measure_motion(Frames(pictures, seldom_s), CameraSettings()).times_s == pytest.approx(
        seldom_s
    )


@pytest.mark.parametrize("number", [7, 8])
def test_where_the_frame_ahead_cannot_be_compared_all_are_looked_at(number: int) -> None:
    """Whether the broken frame, and the first one after a cut, is one that is looked at or not."""
    rotations_rad = _swinging(2)
    pictures = far_pictures(orientations(rotations_rad))
    broken = list(pictures)
    broken[number] = np.random.default_rng(5).integers(0, 255, pictures[0].shape, np.uint8)
    motion = measure_motion(Frames(broken), CameraSettings())
    assert not np.isclose(motion.times_s, TIMES_S[number]).any()
    assert np.all(motion.quality[1:] > 0)
    assert motion.rotation_rad[1:] == pytest.approx(_true_between(motion, rotations_rad), abs=6e-4)

    cut = [*pictures[:number], *(picture[::-1, ::-1].copy() for picture in pictures[number:])]
    motion = measure_motion(Frames(cut), CameraSettings())
    unknown = np.flatnonzero(motion.quality == 0)
    assert motion.times_s[unknown] == pytest.approx(TIMES_S[[0, number]])
    assert motion.times_s[unknown[1] - 1] == pytest.approx(TIMES_S[number - 1])


def test_progress_is_told_and_cancelling_heard() -> None:
    pictures = far_pictures(orientations(_swinging(0)[:6]))
    told: list[float] = []
    measure_motion(Frames(pictures), CameraSettings(), told.append)
    assert told == pytest.approx(np.arange(1, 7) / 6)
    with pytest.raises(MeasuringCancelledError):
        measure_motion(Frames(pictures), CameraSettings(), None, lambda: True)


@pytest.mark.slow
@pytest.mark.parametrize(("axis", "exact_s"), [(0, 0.0035), (1, 0.001), (2, 0.001)])
def test_a_rolling_shutter_shows_a_turn_at_the_time_of_its_rows(axis: int, exact_s: float) -> None:
    """Only the upper third shows anything: it is exposed a third of the shutter's time before the
    middle row, whose time is the frame's. Nodding moves points on to other rows meanwhile, which
    is not accounted for."""
    shutter_s = 0.03
    swing, most_rad = 8.0, 0.08

    def turned(times_s: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return most_rad * np.sin(swing * times_s)

    pictures = []
    for time_s in TIMES_S:
        picture = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
        for top in range(0, SIZE[1] // 3, 5):
            row = (top + 2.5) / SIZE[1] - 0.5
            angle = np.zeros(3)
            angle[axis] = turned(time_s + row * shutter_s)
            (whole,) = far_pictures([Rotation.from_rotvec(angle)])
            picture[top : top + 5] = whole[top : top + 5]
        pictures.append(picture)
    motion = _measured(pictures)

    seen_rad = np.cumsum(motion.rotation_rad[:, axis])

    def late_s(times_s: npt.NDArray[np.float64]) -> float:
        rest = seen_rad - (turned(times_s) - turned(times_s)[0])
        speed = most_rad * swing * (np.cos(swing * times_s) - np.cos(swing * times_s[0]))
        return float(rest @ speed / (speed @ speed))

    assert motion.row[1:] == pytest.approx(-1 / 3, abs=0.05)
    assert late_s(motion.times_s) == pytest.approx(-shutter_s / 3, abs=exact_s)
    assert late_s(motion.exposed_s(shutter_s)) == pytest.approx(0.0, abs=exact_s)
    assert motion.exposed_s(0.0) is motion.times_s
