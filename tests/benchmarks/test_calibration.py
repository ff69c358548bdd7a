"""The workloads that tell how fast a machine is, and how busy."""

from collections.abc import Callable
from itertools import chain, count, cycle, repeat

import pytest

from benchmarks.calibration import REFERENCE_MS, MachineSpeed, calibrate


def _clock(taken_s: Callable[[], float]) -> Callable[[], float]:
    """Stands still but while a workload is timed, which takes what is said."""
    now_s, calls = 0.0, count()

    def clock() -> float:
        nonlocal now_s
        if next(calls) % 2:
            now_s += taken_s()
        return now_s

    return clock


def test_the_machine_of_the_bars_is_one() -> None:
    taken_ms = {name: (taken,) for name, taken in REFERENCE_MS.items()}
    assert MachineSpeed(taken_ms).slowness == pytest.approx(1.0)


def test_a_machine_twice_as_slow_is_two() -> None:
    taken_ms = {name: (2 * taken,) for name, taken in REFERENCE_MS.items()}
    assert MachineSpeed(taken_ms).slowness == pytest.approx(2.0)


@pytest.mark.slow
def test_each_workload_is_timed_by_the_clock_that_was_given() -> None:
    speed = calibrate(_clock(lambda: 0.25))
    assert set(speed.taken_ms) == set(REFERENCE_MS)
    assert {taken for rounds in speed.taken_ms.values() for taken in rounds} == {250.0}


def test_what_else_is_running_changes_the_busyness_and_not_the_speed() -> None:
    """Three quarters of the rounds take twice as long: half of them would be enough to be told."""
    quiet = calibrate(_clock(lambda: 0.002))
    disturbed = cycle(chain([0.002], repeat(0.004, 3)))
    busy = calibrate(_clock(lambda: next(disturbed)))
    assert busy.slowness == pytest.approx(quiet.slowness)
    assert quiet.busyness == pytest.approx(0.0)
    assert busy.busyness == pytest.approx(1.0)
