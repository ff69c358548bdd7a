"""What a benchmark reports: a measured number beside the bar it must reach."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BenchmarkResult:
    """One measurement. `bar` is text such as "<= 50"; `ok` says whether it was reached."""

    name: str
    value: float
    unit: str
    bar: str
    ok: bool


def at_least(name: str, value: float, unit: str, bar: float) -> BenchmarkResult:
    """A number that should be large."""
    return BenchmarkResult(name, value, unit, f">= {bar:g}", value >= bar)


def at_most(name: str, value: float, unit: str, bar: float) -> BenchmarkResult:
    """A number that should be small."""
    return BenchmarkResult(name, value, unit, f"<= {bar:g}", value <= bar)


def beside(name: str, value: float, unit: str, source: str) -> BenchmarkResult:
    """A peer's number, for comparison; `source` says where it is from."""
    return BenchmarkResult(name, value, unit, source, ok=True)


def as_table(results: Iterable[BenchmarkResult]) -> str:
    """The results as aligned text lines."""
    lines = [f"{'':6}{'what':46}{'measured':>14} {'unit':12}{'bar':>12}"]
    for r in results:
        mark = "ok" if r.ok else "MISSED"
        lines.append(f"{mark:8}{r.name:44}{r.value:14,.1f} {r.unit:12}{r.bar:>12}")
    return "\n".join(lines)
