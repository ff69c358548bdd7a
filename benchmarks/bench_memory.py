"""Memory of the station: 500 connections one after the other, and an hour of Fly."""

import json
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.result import BenchmarkResult, at_most

_TIMEOUT_S = 840


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes about ten minutes."""
    cycles, hour = _probe("cycles"), _probe("hour")
    yield at_most("memory: grown by 500 connections", cycles["grown_mb"], "MB", 20)
    yield at_most("memory: grown by an hour of Fly", hour["grown_mb_per_h"], "MB/h", 20)


def _probe(name: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.gui_probe", name]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=_TIMEOUT_S
    )
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured
