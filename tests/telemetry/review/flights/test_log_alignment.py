"""Two logs of one flight, made from one motion: a fast one on board, and telemetry of it."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from telemetry.recording.recording import Recording
from telemetry.review.flights.log_alignment import align_logs, compare_flights
from tests.telemetry.recording.logs.books import CATALOGUE

_Column = npt.NDArray[np.float64]
ATTITUDE, BARO = CATALOGUE.find("AttitudeState"), CATALOGUE.find("BaroSensor")
STATUS = CATALOGUE.find("FlightStatus")
OFFSET_S, RATE = -137.25, 1.004
"""The telemetry's time is OFFSET_S + RATE x that of the log on board."""


def motion(seed: int = 0, length_s: float = 400.0) -> Callable[[_Column], tuple[_Column, _Column]]:
    """Roll and height over time, as restless as a flight by hand."""
    random = np.random.default_rng(seed)
    times = np.arange(0.0, length_s, 0.8)
    roll, climb = random.normal(0, 12, len(times)), random.normal(0, 0.8, len(times))

    def at(t: _Column) -> tuple[_Column, _Column]:
        return np.interp(t, times, roll), np.interp(t, times, np.cumsum(climb))

    return at


def recorded(
    times: _Column,
    seen_at: _Column,
    seed: int = 0,
    *,
    noise: float = 0.1,
    outliers: float = 0.0,
) -> Recording:
    """A log with samples at `times` of what was at `seen_at`."""
    random = np.random.default_rng(seed + 100)
    roll, height = motion(seed)(seen_at)
    roll = roll + random.normal(0, noise, len(roll))
    wrong = random.random(len(roll)) < outliers
    roll[wrong] = random.uniform(-60, 60, wrong.sum())
    recording = Recording()
    for definition, field, values in ((ATTITUDE, "Roll", roll), (BARO, "Altitude", height)):
        rows = np.zeros(len(times), definition.dtype)
        rows[field] = values
        recording.extend(definition, 0, times.copy(), rows)
    return recording


def on_board(seed: int = 0) -> Recording:
    times = np.arange(5.0, 380.0, 0.03)
    return recorded(times, times, seed)


def telemetry(*, hz: float = 10.0, outliers: float = 0.0, delay_s: float = 0.02) -> Recording:
    """From 50 s to 300 s of the flight, each sample late by up to twice the delay."""
    random = np.random.default_rng(7)
    seen_at = np.arange(50.0, 300.0, 1 / hz)
    late = random.uniform(0.0, 2 * delay_s, len(seen_at))
    times = np.maximum.accumulate(OFFSET_S + 200.0 + RATE * (seen_at + late))
    return recorded(times, seen_at, outliers=outliers)


@pytest.mark.slow
@pytest.mark.parametrize("hz", [10.0, 3.0])
@pytest.mark.parametrize("outliers", [0.0, 0.3])
def test_offset_and_rate_are_found_from_nothing(hz: float, outliers: float) -> None:
    found = align_logs(on_board(), telemetry(hz=hz, outliers=outliers)).sync
    assert found is not None
    for t in (50.0, 175.0, 300.0):
        late_s = found.pieces[0].medium_s(t) - (OFFSET_S + 200.0 + RATE * (t + 0.02))
        assert abs(late_s) < 0.01, "a link's mean delay is part of its log's time"
    assert found.offset_sigma_s is not None
    assert found.offset_sigma_s < 0.05
    assert found.method == "common fields"


@pytest.mark.slow
def test_either_log_may_be_the_first() -> None:
    there = align_logs(on_board(), telemetry()).sync
    back = align_logs(telemetry(), on_board()).sync
    assert there is not None
    assert back is not None
    assert back.medium_s(there.medium_s(170.0) or 0.0) == pytest.approx(170.0, abs=0.005)


def test_logs_of_two_flights_are_not_aligned() -> None:
    found = align_logs(on_board(seed=1), telemetry())
    assert found.sync is None
    assert "nowhere alike" in found.reason
    assert "AttitudeState.Roll" in found.fields


def test_what_repeats_itself_is_not_placed() -> None:
    times = np.arange(0.0, 200.0, 0.05)
    recordings = []
    for shift_s in (0.0, 3.0):
        rows = np.zeros(len(times), ATTITUDE.dtype)
        rows["Roll"] = 10 * np.sin(times + shift_s)
        recordings.append(Recording())
        recordings[-1].extend(ATTITUDE, 0, times.copy(), rows)
    found = align_logs(*recordings)
    assert found.sync is None
    assert "equally well" in found.reason


def test_samples_too_far_apart_are_refused_rather_than_interpolated() -> None:
    found = align_logs(on_board(), telemetry(hz=0.5))
    assert found.sync is None
    assert "sampled too slowly" in found.reason


def test_without_a_common_field_it_says_so() -> None:
    assert "no field in common" in align_logs(on_board(), Recording()).reason


def test_two_flights_are_laid_over_each_other_at_arming() -> None:
    recordings = []
    for armed_s in (12.0, 40.0):
        rows = np.zeros(3, STATUS.dtype)
        rows["Armed"] = [0, 2, 0]
        recordings.append(Recording())  # of which nobody knows whether it flew
        recordings[-1].extend(STATUS, 0, np.array([0.0, armed_s, armed_s + 60.0]), rows)
    sync = compare_flights(*recordings)
    assert (sync.medium_s(12.0), sync.method) == (40.0, "arming")
    assert compare_flights(recordings[0], telemetry()).method == "start"


def test_two_flights_are_laid_over_each_other_at_take_off_where_both_fly() -> None:
    def flown(armed_s: float, off_s: float, *, flies: bool = True) -> Recording:
        recording, times = Recording(), np.arange(0.0, 90.0, 0.1)
        rows = np.zeros(len(times), BARO.dtype)
        rows["Altitude"] = 200.0 + np.clip(times - off_s, 0.0, 8.0) * flies
        recording.extend(BARO, 0, times, rows)
        status = np.zeros(2, STATUS.dtype)
        status["Armed"] = [0, 2]
        recording.extend(STATUS, 0, np.array([0.0, armed_s]), status)
        return recording

    sync = compare_flights(flown(10.0, 20.0), flown(15.0, 45.0))
    assert sync.method == "take-off"
    assert sync.medium_s(20.0) == pytest.approx(45.0, abs=0.3)
    sync = compare_flights(flown(10.0, 20.0), flown(15.0, 45.0, flies=False))
    assert (sync.method, sync.medium_s(10.0)) == ("arming", 15.0)
