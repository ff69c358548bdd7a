"""The workloads that tell how fast a machine is."""

from itertools import count

import pytest

from benchmarks.calibration import REFERENCE_MS, MachineSpeed, calibrate, disagreement


def test_the_machine_of_the_bars_is_one() -> None:
    assert MachineSpeed(dict(REFERENCE_MS)).slowness == pytest.approx(1.0)


def test_a_machine_twice_as_slow_is_two() -> None:
    doubled = {name: 2 * taken_ms for name, taken_ms in REFERENCE_MS.items()}
    assert MachineSpeed(doubled).slowness == pytest.approx(2.0)


def test_each_workload_is_timed_by_the_clock_that_was_given() -> None:
    ticks = count()
    taken_ms = calibrate(lambda: next(ticks) * 0.25).taken_ms
    assert taken_ms == dict.fromkeys(REFERENCE_MS, 250.0)


def test_disagreement_has_no_direction() -> None:
    assert disagreement(1.0, 1.2) == disagreement(1.2, 1.0) == pytest.approx(0.2)
