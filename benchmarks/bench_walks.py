"""Walks of a value: the files and functions on its way, and what editing one setting costs."""

from collections.abc import Iterator

from benchmarks.result import BenchmarkResult, at_most, beside
from benchmarks.walks import WALKS, Walk

MOST_CALLS = 60
"""For editing one value: what holding the arrow of a box repeats many times a second."""


def run() -> Iterator[BenchmarkResult]:
    """Walk every way once."""
    for walk in WALKS:
        yield from _results(walk())


def _results(walk: Walk) -> list[BenchmarkResult]:
    shown = [beside(f"way: {walk.name}", walk.functions, "functions", f"{walk.files} files")]
    if walk.name == "spin box to draft":
        shown.append(at_most(f"way: {walk.name}", walk.calls, "calls", MOST_CALLS))
    return shown
