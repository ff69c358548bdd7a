"""What speaks for a video and a log, and what is said when nothing does."""

from pathlib import Path

import numpy as np
import pytest

from telemetry.review.flights.matching.facts import CAMERA, GPS, MODIFIED, LogFacts, VideoFacts
from telemetry.review.flights.matching.motor_sound import compare_sound
from telemetry.review.flights.matching.proposals import MatchProposal, propose
from telemetry.review.flights.sync import Piece, Sync
from telemetry.review.flights.synchronisation.motion_signals import SoundPitch

NOON_S = 1_321_790_400.0
"""2011-11-20 12:00 UTC."""


def log(name: str, start_s: float = 0.0, length_s: float = 300.0, seed: int = 0) -> LogFacts:
    """A log with its own course of throttle; without GPS if it begins at 0."""
    times = np.arange(0.0, length_s, 0.5)
    steps = np.random.default_rng(seed).uniform(0.2, 0.9, len(times))
    power = np.repeat(steps[::20], 20)[: len(times)]
    starts = {GPS: NOON_S + start_s} if start_s else {}
    return LogFacts(Path(name), 0.0, length_s, starts, ((20.0, 200.0),), times, power)


def film(name: str, start_s: float | None = None, length_s: float = 300.0) -> VideoFacts:
    starts = {} if start_s is None else {CAMERA: NOON_S + start_s}
    return VideoFacts((Path(name),), length_s, starts)


def sound_of(one: LogFacts, offset_s: float, noise_db: float = 3.0) -> SoundPitch:
    """How a log's motors sound in a film in which `medium = offset + flight`."""
    times = np.arange(0.0, 280.0, 0.05)
    power = np.interp(times - offset_s, one.power_times_s, one.power, left=0.0)
    noise = np.random.default_rng(1).normal(0.0, noise_db, len(times))
    silent = np.full(len(times), np.nan)
    return SoundPitch(times, silent, -30.0 + 15.0 * power + noise, np.zeros(len(times)))


def only(proposals: list[MatchProposal]) -> MatchProposal:
    (proposal,) = proposals
    return proposal


def test_gps_time_and_the_camera_s_clock_place_films_in_words() -> None:
    logs = [log("a.opl", 100.0), log("b.opl", 2000.0)]
    films = [film("1.avi", 90.0 - 3600), film("2.avi", 1990.0 - 3600)]
    found = propose(logs, films, {})
    assert [(one.log, one.confidence) for one in found] == [
        (Path("a.opl"), "sure"),
        (Path("b.opl"), "sure"),
    ]
    assert found[0].reasons[0] == (
        "By the GPS time in the log it goes from 2011-11-20 12:01:40 to 12:06:40; by the "
        "camera's clock, which is 1 h behind, as for 1 other video, the video begins at "
        "2011-11-20 12:01:30."
    )


def test_the_motor_s_sound_places_a_film_without_any_clock() -> None:
    logs = [log("a.opl", seed=1), log("b.opl", seed=2), log("c.opl", seed=3)]
    found = only(propose(logs, [film("1.avi")], {Path("1.avi"): sound_of(logs[1], 25.0)}))
    assert (found.log, found.confidence) == (Path("b.opl"), "sure")
    assert found.sync is not None
    assert found.sync.offset_s == pytest.approx(25.0, abs=0.5)
    assert "then begins 25 s before the log" in found.reasons[0]


def test_the_sound_of_another_motor_is_not_taken() -> None:
    stranger = log("x.opl", seed=9)
    logs = [log("a.opl", seed=1), log("b.opl", seed=2)]
    found = only(propose(logs, [film("1.avi")], {Path("1.avi"): sound_of(stranger, 25.0)}))
    assert (found.log, found.confidence) == (None, "none")
    assert found.reasons == ("Nothing in it or its name says which log.",)


def test_flights_of_the_same_course_are_not_told_apart_by_sound() -> None:
    """Take off, hold, land: of two such flights in the simulator the wrong one fitted better."""
    logs = [log("a.opl", seed=2), log("b.opl", seed=2)]
    found = only(propose(logs, [film("1.avi")], {Path("1.avi"): sound_of(logs[1], 25.0)}))
    assert found.confidence == "guess"
    assert "So it does by b.opl" in found.reasons[0]


def test_sound_wins_over_a_clock_that_contradicts() -> None:
    logs = [log("a.opl", 100.0, seed=1), log("b.opl", 2000.0, seed=2)]
    sounds = {Path("1.avi"): sound_of(logs[1], 10.0, noise_db=1.0)}
    found = only(propose(logs, [film("1.avi", 90.0)], sounds))
    assert found.log == Path("b.opl")
    assert found.confidence != "sure"


def test_an_order_of_numbers_places_what_is_between() -> None:
    logs = [log(f"{n}.opl", start) for n, start in ((1, 100.0), (2, 0.0), (3, 4000.0))]
    films = [film("DVR7.avi", 90.0), film("DVR8.avi"), film("DVR9.avi", 3990.0)]
    found = propose(logs, films, {})
    assert [one.log for one in found] == [Path("1.opl"), Path("2.opl"), Path("3.opl")]
    assert found[1].confidence == "guess"
    assert "Its number lies between" in found[1].reasons[0]


def test_the_only_log_is_a_guess_and_says_so() -> None:
    found = only(propose([log("a.opl")], [film("1.avi")], {}))
    assert (found.log, found.confidence) == (Path("a.opl"), "guess")
    assert found.reasons == ("There is no other log.", "Both are about 300 s long.")


def test_the_camera_s_turning_decides_and_synchronises() -> None:
    logs = [log("a.opl", 100.0), log("b.opl", 2000.0)]
    sync = Sync((Piece(-12.0, 1.001),), method="rotation", confidence=0.95)
    turned = {Path("1.avi"): {Path("b.opl"): sync}}
    found = only(propose(logs, [film("1.avi", 90.0)], {}, turned))
    assert (found.log, found.confidence, found.sync) == (Path("b.opl"), "likely", sync)
    assert "(confidence 0.95); the video then begins 12 s after the log." in found.reasons[0]


def test_the_time_of_writing_is_less_than_a_clock() -> None:
    one, two = log("a.opl"), log("b.opl")
    logs = [
        LogFacts(one.path, 0.0, 300.0, {MODIFIED: NOON_S}),
        LogFacts(two.path, 0.0, 300.0, {MODIFIED: NOON_S + 3000}),
    ]
    seen = VideoFacts((Path("1.avi"),), 250.0, {MODIFIED: NOON_S + 3010})
    found = only(propose(logs, [seen], {}))
    assert (found.log, found.confidence) == (Path("b.opl"), "likely")


def test_the_time_of_copying_is_not_believed() -> None:
    logs = [
        LogFacts(Path(f"{n}.opl"), 0.0, 300.0, {MODIFIED: NOON_S + n}, ((0.0, 9.0),))
        for n in range(3)
    ]
    seen = VideoFacts((Path("1.avi"),), 250.0, {MODIFIED: NOON_S + 10})
    assert only(propose(logs, [seen], {})).log is None


def test_a_steady_sound_says_nothing() -> None:
    one = log("a.opl")
    steady = SoundPitch(
        *(np.arange(300.0), np.full(300, np.nan), np.full(300, -20.0), np.zeros(300))
    )
    assert compare_sound(steady, one) is None
