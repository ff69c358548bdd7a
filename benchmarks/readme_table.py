"""The table of speeds in README.md: `python -m benchmarks --readme` measures it and writes it."""

import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.calibration import calibrate
from benchmarks.measured import Summary, Verdict

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- python -m benchmarks --readme -->", "<!-- end of what it wrote -->"

# The benchmark, and the figures of it that the table shows.
FIGURES: dict[str, tuple[str, ...]] = {
    "simulation": ("one quadrotor, all sensors, control", "1,000 quadrotors, one core"),
}
_HEADINGS = ("Figure", "measured", "at speed 1.00", "unit", "spread", "bar at speed 1.00")
_CPU_FILE = Path("/proc/cpuinfo")


def write(measured: Mapping[str, Sequence[Summary]]) -> None:
    """Put the chosen figures into README; KeyError names one that is measured no more."""
    README.write_text(written(README.read_text("utf-8"), table(_chosen(measured))), "utf-8")


def written(readme: str, shown: str) -> str:
    """README with this between its two marks; ValueError if it lacks one."""
    before, begin, rest = readme.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{README.name} has no line {BEGIN!r} followed by {END!r}")
    return f"{before}{BEGIN}\n{shown}\n{END}{after}"


def _chosen(measured: Mapping[str, Sequence[Summary]]) -> list[Summary]:
    by_name = {
        (name, summary.result.name): summary
        for name, summaries in measured.items()
        for summary in summaries
    }
    return [by_name[name, figure] for name, figures in FIGURES.items() for figure in figures]


def table(summaries: Sequence[Summary]) -> str:
    """Markdown: where and when it was measured, then a row for each figure."""
    rows = [_HEADINGS, ("---", "--:", "--:", "---", "--:", "---"), *map(_cells, summaries)]
    return "\n".join([_measured_where(), "", *(f"| {' | '.join(row)} |" for row in rows)])


def _cells(summary: Summary) -> tuple[str, ...]:
    verdict = "" if summary.verdict in {Verdict.OK, Verdict.SHOWN} else f" ({summary.verdict})"
    return (
        summary.result.name,
        _figure(summary.raw),
        _figure(summary.calibrated),
        summary.result.unit,
        f"{summary.spread:.0%}",
        f"{summary.result.bar_text}{verdict}",
    )


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _measured_where() -> str:
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=README.parent,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return (
        f"Measured on {datetime.now(UTC).date()} at {asked.stdout.strip()} on one of"
        f" {os.cpu_count()} cores ({_processor()}), speed {1 / calibrate().slowness:.2f}; medians"
        " of the runs."
    )


def _processor() -> str:
    """What the system calls it."""
    if _CPU_FILE.exists():
        for line in _CPU_FILE.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
