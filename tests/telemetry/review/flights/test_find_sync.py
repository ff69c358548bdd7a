"""Automatic synchronisation of motion that was made up, with known truth and all that is wrong
with real cameras and radio links. The bars are issue 11's: 1/30 s over the whole video."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from telemetry.review.flights.synchronisation.evidence import (
    Evidence,
    Rivalry,
    doubt_of,
    in_film,
)
from telemetry.review.flights.synchronisation.find_sync import sync_of_motion
from telemetry.review.flights.synchronisation.log_motion import LogMotion
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion
from telemetry.review.flights.synchronisation.suggestion import SyncSuggestion
from telemetry.review.flights.synchronisation.turns import turns_of_picture
from tests.telemetry.review.flights.synthetic_motion import (
    MotionFlight,
    log_of,
    picture_of,
    sounded,
    static_picture,
)

pytestmark = pytest.mark.slow

FRAME_S = 1 / 30
FLIGHT = MotionFlight(seed=1, log_s=200, video_start_s=90, video_s=60, rate=1.0073)
SHORT = replace(FLIGHT, log_s=100, video_start_s=30, video_s=45)
"""Where all places of the log are tried in vain, since that is dear."""


def find(flight: MotionFlight) -> SyncSuggestion:
    borders = [border_s for border_s, _ in flight.gaps_s]
    return sync_of_motion(picture_of(flight), log_of(flight), borders)


def worst_error_s(suggestion: SyncSuggestion, flight: MotionFlight) -> float:
    """Of the medium's time, over what was filmed while the log ran."""
    assert suggestion.sync is not None, suggestion.reason
    errors = []
    edges = [0.0, *(border_s for border_s, _ in flight.gaps_s), flight.video_s]
    lost_s = 0.0
    for number, piece in enumerate(suggestion.sync.pieces):
        lost_s += flight.gaps_s[number - 1][1] if number else 0.0
        for medium_s in (edges[number], edges[number + 1]):
            log_s = (medium_s + lost_s - flight.offset_s) / flight.rate
            if 0 <= log_s <= flight.log_s:
                errors.append(abs(piece.medium_s(log_s) - medium_s))
    return max(errors)


@pytest.mark.parametrize(
    "flight",
    [
        replace(FLIGHT, outliers=0.3),
        replace(FLIGHT, seed=2, rate=0.991, video_start_s=-28, mount_deg=(5, -35, -10)),
        replace(FLIGHT, seed=3, attitude_hz=33, jitter_s=0.01, has_horizon=False, fov_scale=0.8),
        replace(FLIGHT, seed=4, attitude_hz=1, video_s=80),
        replace(FLIGHT, seed=5, log_s=700, video_start_s=600, liveliness=0.3),
    ],
    ids=["outliers", "video first, camera down", "33 Hz, no horizon", "1 Hz", "calm, 10 min"],
)
def test_offset_and_rate_are_found_without_a_guess(flight: MotionFlight) -> None:
    suggestion = find(flight)
    assert worst_error_s(suggestion, flight) < FRAME_S
    assert suggestion.sync.sigma_s is not None
    assert suggestion.sync.sigma_s < FRAME_S


def test_a_rolling_shutter_is_accounted_for_where_it_is_known() -> None:
    """A fifth of the picture above the middle row, 30 ms from the first to the last: 6 ms."""
    flight = replace(FLIGHT, attitude_hz=33, jitter_s=0.0, shutter_s=0.03)
    middle_log_s = (flight.video_s / 2 - flight.offset_s) / flight.rate
    early_s = []
    for known_s in (0.0, flight.shutter_s):
        sync = sync_of_motion(picture_of(flight), log_of(flight), shutter_s=known_s).sync
        assert sync is not None
        medium_s = sync.medium_s(middle_log_s)
        assert medium_s is not None
        early_s.append(flight.video_s / 2 - medium_s)
    assert early_s == pytest.approx([0.2 * -0.03, 0.0], abs=0.0015)


def test_each_file_of_a_loop_recording_finds_its_own_offset() -> None:
    flight = replace(FLIGHT, video_s=90, video_start_s=30, gaps_s=((30.0, 0.2), (60.0, 0.5)))
    suggestion = find(flight)
    assert suggestion.sync is not None
    assert len(suggestion.sync.pieces) == 3
    assert worst_error_s(suggestion, flight) < FRAME_S
    assert suggestion.sync.medium_s((30.1 - flight.offset_s) / flight.rate) is None  # not filmed


def test_a_file_without_movement_is_left_out_of_a_loop_recording() -> None:
    flight = replace(FLIGHT, video_s=90, video_start_s=30, gaps_s=((30.0, 0.2), (88.0, 0.5)))
    suggestion = find(flight)
    assert suggestion.sync is not None
    assert [piece.medium_end_s for piece in suggestion.sync.pieces] == [30.0, 88.0]
    assert suggestion.sync.flight_s(89.0) is None


def played_backwards() -> PictureMotion:
    motion = picture_of(SHORT)
    return replace(motion, rotation_rad=motion.rotation_rad[::-1] * motion.quality[:, None])


@pytest.mark.parametrize(
    ("film", "reason"),
    [
        (lambda: static_picture(60), "does not move"),
        (lambda: picture_of(replace(SHORT, seed=99)), "fits nowhere"),
        (played_backwards, "fits nowhere"),
        (lambda: picture_of(replace(FLIGHT, video_s=8)), "shorter than 10 s"),
    ],
    ids=["static camera", "another flight", "played backwards", "too short"],
)
def test_what_does_not_belong_together_is_not_found(
    film: Callable[[], PictureMotion], reason: str
) -> None:
    suggestion = sync_of_motion(film(), log_of(SHORT))
    assert not suggestion.is_found
    assert reason in suggestion.reason


def test_what_hardly_turns_is_not_said_to_fit_nowhere() -> None:
    film = turns_of_picture(picture_of(replace(FLIGHT, video_s=30)), np.empty(0))
    doubt = doubt_of(Evidence(Rivalry(9.0, 1.0, 2.0, 0.0), windows=2, agreeing=2), 0.01)
    assert doubt is not None
    assert "fits nowhere" in in_film(doubt, film).of_video
    two_windows = in_film(doubt, film, 0.0, 9.9)
    assert "turns in too little of the video" in two_windows.of_video
    assert "too little moves in it" in two_windows.of_piece
    repeats = doubt_of(Evidence(Rivalry(0.5, 1.0, 2.0, 0.0), windows=9, agreeing=9), 0.01)
    assert repeats is not None
    assert in_film(repeats, film, 0.0, 9.9) is repeats


@pytest.mark.slow
def test_a_mirrored_film_is_placed_and_told_as_such() -> None:
    """Left and right exchanged: the rate about the horizontal axis stays, the others change."""
    film = picture_of(replace(FLIGHT, video_s=40))
    mirrored = replace(
        film,
        rotation_rad=film.rotation_rad * [1.0, -1.0, -1.0],
        horizon_roll_rad=-film.horizon_roll_rad,
    )
    told = sync_of_motion(mirrored, log_of(FLIGHT))
    assert told.sync is not None
    assert told.contradicts_horizon
    assert "mirrored" in told.note
    assert told.sync.method == "rotation"


def test_movement_that_repeats_itself_is_not_found() -> None:
    orbits = replace(SHORT, orbit_s=20)
    suggestion = find(orbits)
    assert not suggestion.is_found
    assert "repeats itself" in suggestion.reason
    told = find(replace(orbits, noise_share=0.15))
    assert worst_error_s(told, orbits) < FRAME_S  # a gust or two, and the round is known


def test_the_motors_sound_decides_where_movement_repeats_itself() -> None:
    orbits = replace(SHORT, orbit_s=20)
    log, sound = sounded(orbits, log_of(orbits))
    suggestion = sync_of_motion(picture_of(orbits), log, sound=sound)
    assert worst_error_s(suggestion, orbits) < FRAME_S
    assert suggestion.sync is not None
    assert suggestion.sync.method == "rotation+horizon+sound"
    backwards = replace(sound, pitch_hz=sound.pitch_hz[::-1])
    assert not sync_of_motion(picture_of(orbits), log, sound=backwards).is_found


def test_attitude_that_is_too_seldom_is_refused() -> None:
    log = log_of(replace(FLIGHT, attitude_hz=0.5))
    suggestion = sync_of_motion(picture_of(FLIGHT), log)
    assert "every 2.0 s only" in suggestion.reason


def test_jitter_without_movement_is_refused() -> None:
    log = log_of(FLIGHT)
    still = LogMotion(
        log.times_s, np.tile(log.q_wxyz[:1], (len(log.times_s), 1)), True, np.empty(0), np.empty(0)
    )
    assert "does not turn" in sync_of_motion(picture_of(FLIGHT), still).reason
