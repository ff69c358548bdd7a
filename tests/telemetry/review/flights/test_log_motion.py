"""Motion read from recordings, whatever a release sends."""

from collections.abc import Sequence

import numpy as np
import pytest

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.recording.recording import Recording
from telemetry.review.flights.synchronisation.log_motion import read_log_motion


def recorded(
    catalogue: Catalogue, name: str, times_s: Sequence[float], **fields: Sequence[float]
) -> Recording:
    definition = catalogue.find(name, DEFAULT_RELEASE)
    rows = np.zeros(len(times_s), definition.dtype)
    for field, values in fields.items():
        rows[field] = values
    recording = Recording()
    recording.extend(definition, 0, np.asarray(times_s, np.float64), rows)
    return recording


TIMES = list(np.arange(30) / 10)


def test_angles_stand_in_for_missing_quaternions(catalogue: Catalogue) -> None:
    roll = list(np.arange(30.0))
    motion = read_log_motion(recorded(catalogue, "AttitudeState", TIMES, Roll=roll))
    assert motion is not None
    assert motion.q_wxyz[:, 1] == pytest.approx(np.sin(np.radians(roll) / 2))
    assert motion.has_down
    assert motion.interval_s == pytest.approx(0.1)


def test_a_sample_without_quaternion_is_left_out(catalogue: Catalogue) -> None:
    q1 = [1.0] * 29 + [float("nan")]
    motion = read_log_motion(recorded(catalogue, "AttitudeState", TIMES, q1=q1))
    assert motion is not None
    assert len(motion.times_s) == 29


def test_of_samples_that_arrive_at_once_the_freshest_counts(catalogue: Catalogue) -> None:
    times_s = [*TIMES, 3.0, 3.005]
    motion = read_log_motion(recorded(catalogue, "AttitudeState", times_s, q1=[1.0] * 32))
    assert motion is not None
    assert motion.times_s[-2:] == pytest.approx([2.9, 3.005])


def test_fast_gyros_stand_in_for_attitude(catalogue: Catalogue) -> None:
    times_s = list(np.arange(200) / 50)
    motion = read_log_motion(recorded(catalogue, "GyroState", times_s, z=[90.0] * 200))
    assert motion is not None
    assert not motion.has_down
    turned = 2 * np.degrees(np.arctan2(motion.q_wxyz[50, 3], motion.q_wxyz[50, 0]))
    assert turned == pytest.approx(90.0, abs=0.1)  # a second at 90 degrees a second, to the right


def test_slow_gyros_do_not(catalogue: Catalogue) -> None:
    assert read_log_motion(recorded(catalogue, "GyroState", TIMES, z=[90.0] * 30)) is None
