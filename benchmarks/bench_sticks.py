"""Flying from the station: how long a stick takes to the wire while the window is at full load."""

import json
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.result import BenchmarkResult, at_least, at_most


def run() -> Iterator[BenchmarkResult]:
    """Measure; half a minute, most of it waiting."""
    command = [sys.executable, "-m", "benchmarks.stick_probe"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    told = json.loads(done.stdout.splitlines()[-1])
    title = "Fly 1366x768: stick to wire"
    yield at_most(f"{title}, median", told["median_ms"], "ms", 20, waits=True)
    yield at_most(f"{title}, 99 %", told["p99_ms"], "ms", 40, waits=True)
    yield at_least("Fly: stick moves measured", told["moves"], "moves", 100)
