"""Calibrated figures: what a slow machine is allowed, and what a noisy run may not say."""

import pytest

from benchmarks.calibration import REFERENCE_MS, MachineSpeed
from benchmarks.measured import Measured, Summary, Verdict, as_table, summarize
from benchmarks.result import BenchmarkResult, at_least, at_most, beside


def _summary(result: BenchmarkResult, *busyness: float) -> Summary:
    return Summary(tuple(Measured(result, 1.0, busy) for busy in busyness))


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (at_most("a time", 50.0, "ms", 30), 25.0),
        (at_least("a rate", 50.0, "steps/s", 30), 100.0),
        (at_most("a size", 50.0, "MB", 30), 50.0),
        (at_most("a wait", 50.0, "s", 30, waits=True), 50.0),
    ],
)
def test_a_machine_half_as_fast_as_that_of_the_bars_is_allowed_for(
    result: BenchmarkResult, expected: float
) -> None:
    assert result.calibrated(2.0) == expected


def test_a_bar_is_asked_of_the_calibrated_median() -> None:
    slow = [Measured(at_most("a time", value, "ms", 30), 2.0, 0.0) for value in (50.0, 58.0, 90.0)]
    assert Summary(tuple(slow)).verdict is Verdict.OK
    fast = [Measured(one.result, 0.5, 0.0) for one in slow]
    assert Summary(tuple(fast)).verdict is Verdict.MISSED


def test_the_spread_is_the_range_over_the_median() -> None:
    runs = [Measured(at_most("a time", value, "ms", 30), 1.0, 0.0) for value in (9.0, 10.0, 12.0)]
    assert Summary(tuple(runs)).spread == pytest.approx(0.3)


def test_disturbed_runs_are_not_judged() -> None:
    missed = at_most("a time", 99.0, "ms", 30)
    quiet, disturbed = 0.1, 0.5
    assert _summary(missed, quiet, quiet, disturbed).verdict is Verdict.MISSED
    assert _summary(missed, quiet, disturbed, disturbed).verdict is Verdict.NOISY


def test_what_does_not_depend_on_speed_is_judged_by_any_run() -> None:
    lost = at_most("frames lost", 1, "frames", 0)
    assert _summary(lost, 2.0).verdict is Verdict.MISSED


def test_the_table_shows_raw_and_calibrated_values_beside_the_bar() -> None:
    runs = [
        [Measured(at_most("a time", 50.0, "ms", 30), 2.0, 0.0)],
        [Measured(beside("a peer", 7.0, "steps/s", "published"), 2.0, 0.0)],
    ]
    bar, shown = as_table(one for run in runs for one in summarize([run])).splitlines()[1:]
    assert bar.split() == ["ok", "a", "time", "50.0", "25.0", "ms", "0%", "<=", "30"]
    assert shown.split() == ["a", "peer", "7.0", "14.0", "steps/s", "0%", "published"]


def test_a_figure_stands_between_two_calibrations() -> None:
    before, after = _machine(1.0, busy=1.0), _machine(4.0, busy=1.5)
    one = Measured.between(at_most("a time", 50.0, "ms", 30), before, after)
    assert one.calibrated == pytest.approx(25.0)
    assert not one.is_quiet
    assert Measured.from_json(one.to_json()) == one


def _machine(slowness: float, *, busy: float) -> MachineSpeed:
    rounds = (1.0, busy, busy)
    return MachineSpeed(
        {
            name: tuple(slowness * taken_ms * times for times in rounds)
            for name, taken_ms in REFERENCE_MS.items()
        }
    )
