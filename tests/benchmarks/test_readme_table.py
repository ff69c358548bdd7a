"""The table of speeds in README.md."""

import pytest

from benchmarks.measured import Measured, Summary
from benchmarks.readme_table import BEGIN, END, README, table, written
from benchmarks.result import BenchmarkResult, at_least, at_most


def _summary(result: BenchmarkResult) -> Summary:
    return Summary((Measured(result, 2.0, 0.0),))


def test_a_row_says_what_was_measured_and_what_was_missed() -> None:
    shown = table([_summary(at_least("steps", 1e6, "steps/s", 1e6))])
    shown += table([_summary(at_most("a time", 30.0, "ms", 10))])
    assert "| steps | 1,000,000 | 2,000,000 | steps/s | - | >= 1e+06 |" in shown
    assert "| a time | 30 | 15 | ms | - | <= 10 (MISSED) |" in shown


def test_the_table_stands_between_its_marks() -> None:
    once = written(README.read_text("utf-8"), "the 1st")
    twice = written(once, "second")
    assert "the 1st" not in twice
    assert f"{BEGIN}\nsecond\n{END}" in twice


def test_a_readme_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="has no line"):
        written("# Lapwing", "| a | b |")
