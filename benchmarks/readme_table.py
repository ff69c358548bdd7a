"""The table of speeds in README.md: `python -m benchmarks --readme` measures it and writes it."""

import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measured import Summary, Verdict

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- python -m benchmarks --readme -->", "<!-- end of what it wrote -->"

# The benchmark, and how the names of the figures begin that the table shows.
FIGURES: dict[str, tuple[str, ...]] = {
    "simulation": (
        "window and simulator to first telemetry (cold cache)",
        "the same (warm cache)",
        "one quadrotor, all sensors, control",
        "standing in a world",
        "1,000 quadrotors, one core",
    ),
    "autopilot": ("simulator: complete loop",),
    "sil": (
        "--sil at 500 Hz, a controller in C",
        "--sil at 500 Hz, in Python",
        "its exchange beyond own code, a controller in C",
        "its exchange beyond own code, in Python",
    ),
    "perception": ("scans of them",),
    "cameras": ("640x480 with rolling shutter", "64x64", "ring of 8"),
    "logs": ("Decode a log into columns", "Decode 150 MB"),
    "flight": ("A log of 150 MB: first plot", "29 logs of 146 MB: all read"),
    "picture_motion": ("190 s of 480p synchronised",),
    "views": ("map 800x500, 20k points, anew",),
    "theme": ("new look: repainted", "new look: longest step"),
    "configure": ("configure: longest step of a first opening",),
    "gui": (
        "start: usable window",
        "Fly 1366x768: processor",
        "flood: GUI deaf, worst",
        "seek in 30 min, Fly repainted, worst",
    ),
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
    return [
        _first_of(measured[name], figure) for name, figures in FIGURES.items() for figure in figures
    ]


def _first_of(summaries: Sequence[Summary], figure: str) -> Summary:
    for summary in summaries:
        if summary.result.name.startswith(figure):
            return summary
    raise KeyError(f"no figure begins with {figure!r}: renew the list of README's figures")


def table(summaries: Sequence[Summary]) -> str:
    """Markdown: where and when it was measured, then a row for each figure."""
    rows = [_HEADINGS, ("---", "--:", "--:", "---", "--:", "---"), *map(_cells, summaries)]
    return "\n".join(
        [_measured_where(len(summaries[0].runs)), "", *(f"| {' | '.join(row)} |" for row in rows)]
    )


def _cells(summary: Summary) -> tuple[str, ...]:
    verdict = "" if summary.verdict in {Verdict.OK, Verdict.SHOWN} else f" ({summary.verdict})"
    return (
        summary.result.name,
        _figure(summary.raw),
        _figure(summary.calibrated),
        summary.result.unit,
        f"{summary.spread:.0%}" if len(summary.runs) > 1 else "-",
        f"{summary.result.bar_text}{verdict}",
    )


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _measured_where(runs: int) -> str:
    asked = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=README.parent,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    often = "once" if runs == 1 else f"{runs} times, medians"
    return (
        f"Measured on {datetime.now(UTC).date()} at {asked.stdout.strip()} ({often}) on"
        f" {os.cpu_count()} cores ({_processor()})."
    )


def _processor() -> str:
    """What the system calls it."""
    if _CPU_FILE.exists():
        for line in _CPU_FILE.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
