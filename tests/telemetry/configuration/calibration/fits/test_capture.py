"""The collecting state machines, fed like a link feeds them."""

import itertools

import numpy as np
import pytest

from telemetry.configuration.calibration.fits.accelerometer import fit_accelerometer
from telemetry.configuration.calibration.fits.capture import (
    LevelCapture,
    RestCapture,
    SixPoseCapture,
)
from telemetry.configuration.calibration.fits.coverage import DIRECTIONS, coverage_of, side_words
from telemetry.configuration.calibration.fits.magnetometer import fit_magnetometer
from telemetry.configuration.calibration.fits.magnetometer_capture import MagnetometerCapture
from telemetry.configuration.calibration.fits.poses import RestPose, pose_of
from telemetry.configuration.calibration.fits.rest_detector import RestDetector
from telemetry.configuration.calibration.fits.result import Array, CalibrationError
from telemetry.configuration.calibration.fits.rotation import rotation_of
from tests.telemetry.configuration.calibration.fits.sensors import BARE, BE, G, raw_field

Feed = SixPoseCapture | RestCapture | LevelCapture | RestDetector
DT = 0.05


class Hands:
    """Somebody who holds an aircraft: feeds rest and movement, and keeps the time."""

    def __init__(self, capture: Feed, seed: int = 1) -> None:
        self.capture, self.t = capture, 0.0
        self._rng = np.random.default_rng(seed)

    def rest(self, seconds: float, down: Array, noise: float = 0.05) -> None:
        for _ in range(round(seconds / DT)):
            self.t += DT
            self.capture.add_gyro(self.t, self._rng.normal(size=3) * 0.1 + 1.0)
            self.capture.add_accel(self.t, -G * down + self._rng.normal(size=3) * noise)

    def turn(self, seconds: float = 1.5) -> None:
        for _ in range(round(seconds / DT)):
            self.t += DT
            self.capture.add_gyro(self.t, self._rng.normal(size=3) * 60.0)
            self.capture.add_accel(self.t, self._rng.normal(size=3) * 7.0)


# Still ------------------------------------------------------------------------------------


def test_rest_is_told_from_movement_and_from_silence() -> None:
    detector = RestDetector()
    hands = Hands(detector)
    assert "Waiting" in detector.trouble(0.0)
    hands.rest(2.0, RestPose.LEVEL.down)
    assert detector.trouble(hands.t) == ""
    hands.turn(0.5)
    assert "moving" in detector.trouble(hands.t)
    hands.rest(1.5, RestPose.LEVEL.down)
    assert detector.trouble(hands.t) == ""
    assert "Waiting for readings of the gyro" in detector.trouble(hands.t + 2.0)


def test_shaking_and_steady_turning_are_movement_too() -> None:
    shaken = Hands(RestDetector())
    shaken.rest(2.0, RestPose.LEVEL.down, noise=1.0)
    assert "shakes" in shaken.capture.trouble(shaken.t)  # type: ignore[union-attr]
    detector = RestDetector()
    for k in range(40):
        detector.add_gyro(k * DT, (0.0, 0.0, 90.0))
        detector.add_accel(k * DT, (0.0, 0.0, -G))
    assert "turns" in detector.trouble(2.0)


def test_values_that_are_no_numbers_count_as_none() -> None:
    detector = RestDetector()
    for k in range(40):
        detector.add_gyro(k * DT, (0.0, np.nan, 0.0))
        detector.add_accel(k * DT, (0.0, 0.0, -G))
    assert "Waiting for readings of the gyro" in detector.trouble(2.0)


# Six sides --------------------------------------------------------------------------------


@pytest.mark.parametrize("pose", RestPose)
def test_each_side_is_recognised_within_some_degrees(pose: RestPose) -> None:
    for askew in itertools.product((-15.0, 0.0, 15.0), repeat=3):
        assert pose_of(rotation_of(*askew) @ (-G * pose.down)) is pose
    assert pose_of(np.array([7.0, 0.0, -7.0])) is None


@pytest.mark.slow
def test_six_sides_are_taken_one_after_the_other_and_can_be_fitted() -> None:
    capture = SixPoseCapture()
    hands = Hands(capture)
    shares = []
    for pose in RestPose:
        assert capture.wanted() is pose
        hands.turn()
        assert "moving" in capture.progress(hands.t).trouble
        hands.rest(2.0, pose.down)
        holding = capture.progress(hands.t)
        assert (holding.wanted, holding.trouble) == ("Hold it.", "")
        assert 0.0 < holding.hold < 1.0
        hands.rest(3.5, pose.down)
        shares.append(capture.progress(hands.t).share)
    assert shares == sorted(shares)
    assert capture.progress(hands.t).is_complete
    assert capture.wanted() is None
    values = fit_accelerometer(capture.taken, BARE).values["AccelGyroSettings"]
    assert values["accel_scale.X"] == pytest.approx(1.0, abs=0.002)


def test_a_side_that_is_done_is_said_and_can_be_taken_again() -> None:
    capture = SixPoseCapture()
    hands = Hands(capture)
    hands.rest(5.0, RestPose.UPSIDE_DOWN.down)
    progress = capture.progress(hands.t)
    assert progress.trouble == "This side is done."
    assert progress.wanted == "Stand it level."
    assert set(capture.taken) == {RestPose.UPSIDE_DOWN}
    capture.forget(RestPose.UPSIDE_DOWN)
    assert not capture.taken


def test_nothing_is_taken_between_two_sides_or_while_it_moves() -> None:
    capture = SixPoseCapture()
    hands = Hands(capture)
    hands.rest(5.0, np.array([0.7071, 0.0, 0.7071]))
    assert capture.progress(hands.t).trouble == "It lies between two sides."
    for _ in range(5):
        hands.rest(2.0, RestPose.LEVEL.down)
        hands.turn(0.3)
    assert not capture.taken


# Rest and level ---------------------------------------------------------------------------


def test_rows_at_rest_are_complete_and_a_movement_starts_again() -> None:
    capture = RestCapture(hold_s=2.0, least=10)
    hands = Hands(capture)

    def rest(seconds: float) -> None:
        for _ in range(round(seconds / DT)):
            hands.rest(DT, RestPose.LEVEL.down)
            capture.add_row(hands.t, (hands.t,))

    rest(2.5)
    before = capture.progress(hands.t).share
    hands.turn(0.5)
    capture.add_row(hands.t, (hands.t,))
    assert capture.progress(hands.t).share < before
    moved_s = hands.t
    rest(4.5)
    assert capture.progress(hands.t).is_complete
    assert capture.taken[0].min() > moved_s


def test_level_waits_for_half_a_turn() -> None:
    capture = LevelCapture()
    hands = Hands(capture)

    def rest(seconds: float, yaw: float) -> None:
        for _ in range(round(seconds / DT)):
            hands.rest(DT, RestPose.LEVEL.down)
            capture.add_attitude(hands.t, (1.0, -2.0, yaw))

    rest(6.0, 170.0)
    assert len(capture.taken) == 1
    rest(6.0, -100.0)
    progress = capture.progress(hands.t)
    assert "other way" in progress.wanted
    assert progress.trouble == "Turned by 90 of 180 degrees."
    rest(6.0, -5.0)
    assert capture.progress(hands.t).is_complete
    assert [len(rows) >= 30 for rows in capture.taken] == [True, True]


# Magnetometer -----------------------------------------------------------------------------


def test_coverage_counts_directions_and_names_what_is_missing() -> None:
    assert coverage_of(np.repeat(DIRECTIONS, 2, axis=0)).share == 1.0
    north_half = DIRECTIONS[DIRECTIONS[:, 0] > 0.0]
    seen = coverage_of(np.repeat(north_half, 2, axis=0))
    assert seen.share == pytest.approx(0.5, abs=0.03)
    assert (seen.missing[:, 0] <= 0.0).all()
    assert coverage_of(np.empty((0, 3))).share == 0.0
    assert side_words(np.array([-0.9, 0.0, 0.43])) == "tail and belly"


def test_turning_everywhere_completes_it_in_spite_of_iron() -> None:
    capture = MagnetometerCapture(BE)
    bias = np.array([150.0, -100.0, 80.0])
    rows = raw_field(400, np.diag([1.05, 0.97, 1.0]), bias, np.random.default_rng(1))
    shares = []
    for k, row in enumerate(rows):
        capture.add(0.1 * k, row)
        if k % 40 == 0:
            shares.append(capture.progress(0.1 * k).share)
    assert capture.progress(40.0).is_complete
    assert shares[0] < shares[2] < 1.0
    fit = fit_magnetometer(capture.rows, BARE, BE)
    assert fit.calibration.values["RevoCalibration"]["mag_bias.X"] == pytest.approx(150.0, abs=2.0)


def test_it_says_where_to_turn_and_that_it_hears_nothing() -> None:
    capture = MagnetometerCapture(BE)
    length = np.linalg.norm(BE)
    rng = np.random.default_rng(1)
    for k in range(3000):
        direction = rng.normal(size=3)
        direction[0] = abs(direction[0])  # the tail never points along the field
        capture.add(0.01 * k, length * direction / np.linalg.norm(direction))
    progress = capture.progress(30.0)
    assert not progress.is_complete
    assert "tail" in progress.wanted
    assert "64 degrees down" in progress.wanted
    assert progress.trouble == ""
    assert "Waiting" in capture.progress(40.0).trouble


def test_lying_still_adds_nothing() -> None:
    capture = MagnetometerCapture(BE)
    for k in range(200):
        capture.add(0.1 * k, BE + 0.01 * k)
        capture.add(0.1 * k, (np.nan, 0.0, 0.0))
    assert len(capture.rows) == 1


def test_without_a_home_field_it_does_not_begin() -> None:
    with pytest.raises(CalibrationError, match="home"):
        MagnetometerCapture((0.0, 0.0, 0.0))
