"""Lens and mount from points that were made by a pinhole's equation, beside a log that is noisy."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial.transform import Rotation

from telemetry.review.cameras.camera_settings import CameraSettings, with_typed
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.synchronisation.camera_estimate import CameraEstimate, taken_over
from telemetry.review.flights.synchronisation.camera_fit import fit_camera
from telemetry.review.flights.synchronisation.kept_points import KeptPoints
from telemetry.review.flights.synchronisation.log_motion import LogMotion
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion
from telemetry.review.flights.synchronisation.rotations import RotationCurve
from telemetry.review.flights.synchronisation.turns import turns_of_log
from tests.telemetry.review.flights.synthetic_motion import (
    MotionFlight,
    attitude_of,
    log_of,
    mount_of,
)

SIZE = (320, 240)
FLIGHT = MotionFlight(
    seed=5, log_s=60.0, video_start_s=10.0, video_s=40.0, frames_hz=10.0, jitter_s=0.02
)
POINTS = 20
Column = npt.NDArray[np.float64]


def focal_px(field_of_view_deg: float) -> float:
    """Half a picture's width is half a field of view's tangent of it."""
    return SIZE[0] / 2 / math.tan(math.radians(field_of_view_deg) / 2)


def filmed(
    flight: MotionFlight, field_of_view_deg: float = 75.0, k1: float = 0.0, shutter_s: float = 0.0
) -> PictureMotion:
    """Points far away, found to 0.03 pixels, which a camera that is `k1` bent has filmed; each row
    is exposed when it is its turn."""
    rng = np.random.default_rng(flight.seed)
    times_s = np.arange(0.0, flight.video_s, 1 / flight.frames_hz)
    start_s, end_s = (np.repeat(one, POINTS) for one in (times_s[:-1], times_s[1:]))
    true_s, attitude = attitude_of(flight)
    curve, mount = RotationCurve(true_s, attitude), mount_of(flight)
    focal, middle = focal_px(field_of_view_deg), np.array([159.5, 119.5])

    def camera(frame_s: Column, pixels: Column) -> Rotation:
        rows = (pixels[:, 1] + 0.5) / SIZE[1] - 0.5
        exposed_s = frame_s + shutter_s * rows
        return curve.at((exposed_s - flight.offset_s) / flight.rate) * mount.inv()

    def seen(rays: Column) -> Column:
        straight = rays[:, :2] / rays[:, 2:]
        bent = straight * (1 + k1 * np.sum(straight**2, axis=1, keepdims=True))
        return bent * focal + middle

    straight = rng.uniform(-0.8, 0.8, (len(start_s), 2)) * middle / focal
    rays = np.column_stack([straight, np.ones(len(straight))])
    before = after = seen(rays)
    world = camera(start_s, before).apply(rays)
    for _ in range(3):  # the row in which a point is seen says when that was
        after = seen(camera(end_s, after).inv().apply(world))
    noise = rng.normal(0.0, 0.03, (2, *before.shape))
    kept, shape = KeptPoints(), (-1, POINTS, 2)
    rows = zip(
        times_s[:-1],
        times_s[1:],
        (before + noise[0]).reshape(shape),
        (after + noise[1]).reshape(shape),
        strict=True,
    )
    for row in rows:
        kept.add(*row)
    return cast(PictureMotion, SimpleNamespace(steps=kept.steps(SIZE, SIZE[0])))


def noisy(log: LogMotion, noise_deg: float) -> LogMotion:
    """The log with an attitude that jumps from sample to sample."""
    rng = np.random.default_rng(9)
    noise = Rotation.from_rotvec(rng.normal(0, np.radians(noise_deg), (len(log.times_s), 3)))
    q_xyzw = (Rotation.from_quat(np.roll(log.q_wxyz, -1, axis=1)) * noise).as_quat()
    return replace(log, q_wxyz=np.roll(q_xyzw, 1, axis=1))


def found(
    motion: PictureMotion, log: LogMotion, flight: MotionFlight = FLIGHT, shutter_s: float = 0.0
) -> CameraEstimate:
    sync = Sync((Piece(flight.offset_s, flight.rate),))
    camera = CameraSettings(field_of_view_deg=60.0, shutter_s=shutter_s)
    estimate = fit_camera(motion, log, sync, camera)
    assert estimate is not None
    return estimate


@pytest.mark.slow
def test_field_of_view_and_mount_are_found_with_their_errors() -> None:
    estimate = found(filmed(FLIGHT), log_of(FLIGHT))
    assert estimate.field_of_view_deg == pytest.approx(75.0, rel=0.003)
    assert estimate.mount_deg == pytest.approx(FLIGHT.mount_deg, abs=0.3)
    assert abs(estimate.field_of_view_deg - 75.0) < 2 * estimate.field_of_view_sigma_deg
    assert estimate.field_of_view_sigma_deg < 0.005 * 75.0
    assert estimate.distortion == ()


@pytest.mark.slow
def test_a_noisy_attitude_does_not_widen_the_field_of_view() -> None:
    """Turns over 0.4 s with an error of 1.4 degrees: a regression on them finds a scale that is
    too small by the share of the error in their variance."""
    clean, log = log_of(FLIGHT), noisy(log_of(FLIGHT), 1.0)
    estimate = found(filmed(FLIGHT), log)
    true, told = (turns_of_log(one).turn_rad[:, :2] for one in (clean, log))
    on_noisy_turns = float(np.sum(true * told) / np.sum(told**2))
    widened_deg = 2 * math.degrees(math.atan(math.tan(math.radians(37.5)) / on_noisy_turns))
    assert widened_deg > 75.0 * 1.02, "the noise is large enough for the bias to show"
    assert estimate.field_of_view_deg == pytest.approx(75.0, rel=0.008)
    assert abs(estimate.field_of_view_deg - 75.0) < 2.5 * estimate.field_of_view_sigma_deg


@pytest.mark.slow
def test_a_bent_lens_is_told_and_does_not_shift_the_field_of_view() -> None:
    estimate = found(filmed(FLIGHT, k1=-0.2), log_of(FLIGHT))
    assert estimate.distortion[0] == pytest.approx(-0.2, abs=0.02)
    assert estimate.distortion_sigma[0] < 0.03
    assert estimate.field_of_view_deg == pytest.approx(75.0, rel=0.01)


@pytest.mark.slow
def test_a_rolling_shutter_does_not_pass_for_a_narrow_lens() -> None:
    """Nose up all the time, as in a banked turn: every point moves down, to rows that are exposed
    later, and seems to be faster by 4 %."""
    flight = replace(FLIGHT, liveliness=0.5, mount_deg=(90.0, 0.0, 0.0), orbit_s=8.0, noise_share=1)
    motion, log = filmed(flight, shutter_s=0.03), log_of(flight)
    for known_s in (0.0, 0.03):
        estimate = found(motion, log, flight, known_s)
        assert estimate.field_of_view_deg == pytest.approx(75.0, rel=0.01)


GOOD = CameraEstimate(
    60.1, 0.2, (0.0, -8.0, 0.5), (0.4, 0.4, 0.4), (-0.1, 0, 0, 0), (0.01, 0, 0, 0)
)


@pytest.mark.parametrize(
    ("before", "takes", "words"),
    [
        ({}, True, "60.1 ± 0.2°, k1 -0.100 (was 60°, not known how sure)"),
        ({"field_of_view_sigma_deg": 1.0}, True, "was 60.0 ± 1.0°"),
        ({"field_of_view_sigma_deg": 0.1}, False, "stays 60.0 ± 0.1°"),
        ({"focal_px": (500.0, 500.0)}, False, "The calibrated lens stays"),
    ],
    ids=["not known", "known worse", "known better", "calibrated"],
)
def test_only_what_is_known_better_is_taken_over(
    before: dict[str, Any], takes: bool, words: str
) -> None:
    camera, said = taken_over(GOOD, CameraSettings(**before))
    assert words in said[0]
    assert (camera.field_of_view_deg == 60.1) == takes
    assert (camera.distortion_sigma == (0.01, 0, 0, 0)) == takes
    assert camera.mount_sigma_deg == (0.4, 0.4, 0.4)


def test_a_calibrated_lens_that_the_film_contradicts_is_told() -> None:
    """Calibrated in 1280 columns, filmed in 640: half of the angle's tangent."""
    camera = CameraSettings(focal_px=(1108.5, 1108.5))
    far, near = (replace(GOOD, calibrated_deg=deg) for deg in (32.2, 60.5))
    assert taken_over(far, camera)[0].focal_px == camera.focal_px
    assert "contradicts the film: 32.2° of field of view" in taken_over(far, camera)[1][0]
    assert "contradicts" not in taken_over(near, camera)[1][0]


def test_what_is_hardly_known_is_not_taken_over_and_says_so() -> None:
    estimate = replace(GOOD, field_of_view_sigma_deg=2.5, mount_sigma_deg=(0.5, 4.0, 0.5))
    camera, words = taken_over(estimate, CameraSettings())
    assert camera == CameraSettings()
    assert "to ±2.5° only" in words[0]
    assert "to ±4.0° only" in words[1]


def test_a_camera_that_looks_down_is_told_by_roll_and_yaw_together() -> None:
    """Straight down 40 degrees of roll are 40 degrees of yaw: the mount is known for all that."""
    found = taken_over(GOOD, CameraSettings())[0]
    down = replace(GOOD, mount_deg=(40.0, -89.0, 10.0), mount_sigma_deg=(23.0, 0.4, 23.0))
    camera, words = taken_over(down, CameraSettings())
    assert camera.mount_pitch_deg == -89.0
    assert "roll and yaw together to ±0.4" in words[1]
    assert "together" in down.lines[1]
    assert taken_over(GOOD, found)[1][1].endswith("no better.")
    vague = replace(down, mount_sigma_deg=(180.0, 0.4, 180.0))
    assert taken_over(vague, CameraSettings())[0].mount_sigma_deg is None


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_a_mount_that_looks_straight_down_is_found() -> None:
    flight = replace(FLIGHT, mount_deg=(0.0, -90.0, 0.0), video_s=15.0)
    estimate = found(filmed(flight), log_of(flight), flight)
    assert estimate.mount_deg[1] == pytest.approx(-90.0, abs=0.5)
    assert max(estimate.mount_sigma_deg) < 104.0, "the spread of an angle of which nothing is known"
    assert taken_over(estimate, CameraSettings())[0].mount_sigma_deg == pytest.approx(
        estimate.mount_sigma_deg, abs=1e-3
    )


def test_what_is_typed_by_hand_is_no_longer_known_how_well() -> None:
    camera, _ = taken_over(GOOD, CameraSettings())
    typed = with_typed(camera, "field_of_view_deg", 75.0)
    assert typed.field_of_view_sigma_deg is None
    assert typed.mount_sigma_deg == camera.mount_sigma_deg
    assert with_typed(camera, "mount_roll_deg", 180.0).mount_sigma_deg is None


def test_of_a_long_film_a_part_is_kept_from_all_over_it() -> None:
    kept, point = KeptPoints(), np.zeros((1, 2))
    for number in range(7_000):
        kept.add(number / 10, (number + 1) / 10, point, point)
    steps = kept.steps(SIZE, SIZE[0])
    assert 2_500 < len(steps) <= 6_000
    assert steps.end_s[-1] - steps.start_s[0] > 600.0
    stretches = np.count_nonzero(steps.start_s[1:] - steps.end_s[:-1] > 1.0)
    assert stretches > 20
