"""Which samples of a log's attitude are taken."""

from collections.abc import Sequence

import numpy as np
import pytest

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.review.flights.synchronisation.log_motion import read_log_motion

DEFINITION = load_catalogue().find("AttitudeState")


def _times_taken(times_s: Sequence[float]) -> list[float]:
    recording = Recording("made up")
    for time_s in times_s:
        recording.append(time_s, DEFINITION, 0, pack_values(DEFINITION, {"q1": 1.0}))
    motion = read_log_motion(recording)
    assert motion is not None
    taken: list[float] = motion.times_s.tolist()
    return taken


@pytest.mark.parametrize("rate_hz", [10, 100, 500])
def test_regular_samples_are_all_taken_however_fast(rate_hz: int) -> None:
    times_s = np.arange(60) / rate_hz
    assert _times_taken(times_s.tolist()) == pytest.approx(times_s)


def test_of_samples_that_waited_for_each_other_the_last_is_taken() -> None:
    fresh_s = np.arange(1, 31) * 0.1
    waited_s = fresh_s - 0.004
    assert _times_taken(sorted([*fresh_s, *waited_s])) == pytest.approx(fresh_s)
