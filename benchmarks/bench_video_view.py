"""The video view: how soon the matching frame shows, and whether it plays without gaps."""

import json
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.result import BenchmarkResult, at_least, at_most

_BESIDE = "beside 4 plots, map, horizon"


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes about five minutes, most of it playing."""
    yield from _seeking()
    yield from _playing()
    yield from _playing_fast(4.0, "4x")
    yield from _playing_fast(-1.0, "backwards")
    yield from _long(30, "a key a second")
    yield from _long(300, "a key every 10 s")


def _seeking() -> list[BenchmarkResult]:
    found = _probe("seek")
    return [
        at_most("cursor to matching frame, median", found["median_ms"], "ms", 60),
        at_most("cursor to matching frame, worst", found["worst_ms"], "ms", 150),
        at_most("the same backwards, median", found["reverse_median_ms"], "ms", 60),
        at_most("the same backwards, worst", found["reverse_worst_ms"], "ms", 150),
    ]


def _playing() -> list[BenchmarkResult]:
    found = _probe("play", "1")
    return [
        at_most(f"640x480@30 at 1x {_BESIDE}: dropped frames", found["dropped"], "frames", 0),
        at_most("the same: processor", found["cpu_percent"], "% of a core", 80),
        at_most("the same: GUI thread", found["gui_percent"], "% of a core", 80),
    ]


def _playing_fast(rate: float, words: str) -> list[BenchmarkResult]:
    """Four times as fast more frames pass than a screen shows: what counts is that it moves."""
    found = _probe("play", str(rate))
    return [
        at_least(f"640x480@30 {words}: frames painted", found["painted_per_s"], "1/s", 25),
        at_most(f"the same {words}: gap, 99 %", found["gap_p99_ms"], "ms", 80, waits=True),
    ]


def _long(key_every: int, words: str) -> list[BenchmarkResult]:
    """An hour of 1080p beside a log of 150 MB."""
    found = _probe("long", str(key_every))
    film = f"an hour of 1080p, {words}"
    return [
        at_most(f"{film}: first picture", found["first_s"], "s", 1),
        at_most(f"{film}: cursor to matching frame, median", found["median_ms"], "ms", 100),
        at_most(f"{film}: the same, 95 %", found["p95_ms"], "ms", 300),
        at_most(f"{film}: memory at the end", found["resident_mb"], "MB", 500),
    ]


def _probe(*words: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.video_probe", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=900)
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured
