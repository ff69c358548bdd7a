"""Videos that were joined of clips: each finds its own place in the log, or it is said why not."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from telemetry.review.flights.synchronisation.find_sync import sync_of_motion
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion
from telemetry.review.flights.synchronisation.suggestion import SyncSuggestion
from tests.telemetry.review.flights.synthetic_motion import (
    MotionFlight,
    joined,
    log_of,
    picture_of,
    static_picture,
)

pytestmark = pytest.mark.slow

FRAME_S = 1 / 30
FLIGHT = MotionFlight(seed=1, log_s=130, rate=1.0073)
OTHER = replace(FLIGHT, seed=99)


def clip(start_s: float, length_s: float, flight: MotionFlight = FLIGHT) -> PictureMotion:
    """What was filmed from a time of the log on."""
    return picture_of(replace(flight, video_start_s=start_s, video_s=length_s))


def found_in(film: PictureMotion) -> SyncSuggestion:
    return sync_of_motion(film, log_of(FLIGHT))


def log_s_at(suggestion: SyncSuggestion, medium_s: float) -> float | None:
    assert suggestion.sync is not None, suggestion.reason
    return suggestion.sync.flight_s(medium_s)


def test_clips_joined_in_another_order_are_placed_and_others_are_named() -> None:
    """Two of the flight, the later one first, between them one of another flight and one of a
    camera that stands still, and at the end one that is too short."""
    suggestion = found_in(
        joined(clip(90, 28), clip(60, 20, OTHER), static_picture(12), clip(20, 28), clip(70, 6))
    )
    for medium_s, log_s in (
        (1, 90 + 1 / 1.0073),
        (27, 90 + 27 / 1.0073),
        (87, 20 + 27 / 1.0073),
    ):
        assert log_s_at(suggestion, medium_s) == pytest.approx(log_s, abs=FRAME_S)
    assert [log_s_at(suggestion, at) for at in (29, 47, 49, 59, 89, 93)] == [None] * 6
    assert suggestion.sync is not None
    first, second = suggestion.sync.pieces
    assert first.medium_end_s == pytest.approx(28, abs=FRAME_S)
    assert second.medium_start_s == pytest.approx(60, abs=FRAME_S)
    for words in (
        "from 28.0 to 48.0 s of the video was not placed: its motion fits nowhere",
        "from 48.0 to 60.0 s of the video was not placed: the camera does not move in it",
        "from 88.0 to 94.0 s of the video was not placed: it is shorter",
    ):
        assert words in suggestion.note
    assert all(one.confidence > 0.5 and one.sigma_s < FRAME_S for one in suggestion.sync.pieces)
    assert len(suggestion.sync.pieces) == 2


def test_a_seam_at_which_the_picture_goes_on_is_found() -> None:
    """0.7 s were cut out of a hover: the points are found again beyond it, somewhat turned."""
    film = joined(clip(30, 28), clip(30 + 28 / 1.0073 + 0.7, 28))
    seam = int(np.searchsorted(film.times_s, 28.0 - 0.01))
    film.quality[seam], film.sigma_rad[seam] = 0.9, np.radians(0.05)
    film.rotation_rad[seam] = np.radians([3.0, -2.5, 1.0])
    suggestion = found_in(film)
    assert suggestion.sync is not None
    before, after = suggestion.sync.pieces
    assert before.medium_end_s == after.medium_start_s == pytest.approx(28, abs=FRAME_S)
    assert before.offset_s - after.offset_s == pytest.approx(0.7 * 1.0073, abs=FRAME_S)


def test_a_cut_without_a_jump_in_time_makes_no_pieces() -> None:
    suggestion = found_in(joined(clip(30, 28), clip(30 + 28 / 1.0073, 28)))
    assert suggestion.sync is not None
    assert len(suggestion.sync.pieces) == 1
    assert suggestion.note == ""


def test_a_log_that_settles_on_the_ground_splits_no_film_that_goes_on() -> None:
    """For 15 s the camera rattles on the ground while the log's attitude still swings."""
    log, film = log_of(FLIGHT), clip(30, 60)
    stands = (log.times_s > 25.0) & (log.times_s < 45.0)
    swings = Rotation.from_euler("y", 3.0 * np.sin(2.0 * log.times_s)[:, None], degrees=True)
    settling = (log.attitude[int(np.flatnonzero(stands)[-1]) + 1] * swings).as_quat()
    q_wxyz = np.where(stands[:, None], np.roll(settling, 1, axis=1), log.q_wxyz)
    at_rest = film.times_s < 15.0 * 1.0073
    rattle = np.random.default_rng(5).normal(0.0, np.radians(0.1), film.rotation_rad.shape)
    film.rotation_rad[at_rest] = rattle[at_rest]
    film.horizon_quality[at_rest] = 0.0
    film.horizon_roll_rad[at_rest] = film.horizon_pitch_rad[at_rest] = np.nan
    suggestion = sync_of_motion(film, replace(log, q_wxyz=q_wxyz))
    assert log_s_at(suggestion, 1.0) == pytest.approx(30 + 1 / 1.0073, abs=FRAME_S)


def test_what_is_too_dark_says_so() -> None:
    film = picture_of(replace(FLIGHT, video_start_s=30, video_s=40))
    lost = film.times_s > 2.0
    film.quality[lost], film.rotation_rad[lost] = 0.0, 0.0
    dark = replace(film, brightness=np.where(lost, 0.02, 0.4))
    assert "too dark to be followed in 95 % of the video" in found_in(dark).reason
    assert "dark" not in found_in(replace(film, brightness=np.full(len(lost), 0.4))).reason
