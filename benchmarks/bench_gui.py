"""The window: how fast it starts, what Fly costs while a simulator streams, how fast it seeks."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median

from benchmarks.result import BenchmarkResult, at_least, at_most

_STARTS = 5


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes about three minutes, most of it waiting."""
    yield from _starting()
    yield from _flying()
    yield from _slowed()
    yield from _flooded()
    yield from _resting()
    yield from _seeking()


def _starting() -> list[BenchmarkResult]:
    probes = [_probe("start", str(time.monotonic())) for _ in range(_STARTS + 1)][1:]
    return [
        at_most("start: first pixel", median(p["first_pixel_s"] for p in probes), "s", 1.2),
        at_most("start: usable window", median(p["usable_s"] for p in probes), "s", 2.0),
    ]


def _flying() -> list[BenchmarkResult]:
    fly = _probe("fly")
    return [
        at_most("Fly 1366x768: GUI thread per tick, median", fly["tick_median_ms"], "ms", 8),
        at_most("Fly 1366x768: GUI thread per tick, 99 %", fly["tick_p99_ms"], "ms", 25),
        at_most("Fly 1366x768: processor", fly["cpu_percent"], "% of a core", 20),
        at_least("Fly 1366x768: ticks", fly["ticks_per_s"], "Hz", 50),
        at_least("Fly 1366x768: objects received", fly["objects_per_s"], "1/s", 50),
    ]


def _slowed() -> list[BenchmarkResult]:
    slow = _probe("slow")
    title = "Fly with a third of a processor"
    return [
        at_least(f"{title}: flight display painted", slow["paints_per_s"], "Hz", 18),
        at_most(f"{title}: GUI deaf, worst", slow["deaf_worst_ms"], "ms", 300),
        at_least(f"{title}: objects received", slow["objects_per_s"], "1/s", 100),
    ]


def _flooded() -> list[BenchmarkResult]:
    flood = _probe("flood")
    return [
        at_least("flood of a minute: frames sent", flood["sent_per_s"], "1/s", 9_900),
        at_most("flood: frames lost on the way to the screen", flood["lost"], "frames", 0),
        at_most("flood: GUI deaf, 99 %", flood["deaf_p99_ms"], "ms", 50),
        at_most("flood: GUI deaf, worst", flood["deaf_worst_ms"], "ms", 60),
    ]


def _resting() -> list[BenchmarkResult]:
    return [at_most("idle and disconnected", _probe("idle")["cpu_percent"], "% of a core", 0.5)]


def _seeking() -> list[BenchmarkResult]:
    seek = _probe("seek")
    return [
        at_most("seek in 30 min, Fly repainted, median", seek["median_ms"], "ms", 50),
        at_most("seek in 30 min, Fly repainted, worst", seek["worst_ms"], "ms", 150),
    ]


def _probe(*words: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.gui_probe", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured
