"""Eight simulated aircraft at once in one station: processors taken, and the GUI's answer."""

import json
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.result import BenchmarkResult, at_least, at_most

_TIMEOUT_S = 600


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes about a minute."""
    command = [sys.executable, "-m", "benchmarks.gui_probe", "fleet"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=_TIMEOUT_S
    )
    fleet: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    percent = 100.0 * (fleet["station_cores"] + fleet["simulators_cores"])
    station = 100.0 * fleet["station_cores"]
    yield at_most("eight aircraft: processors, all processes", percent, "% of a core", 200)
    yield at_most("eight aircraft: processors, station alone", station, "% of a core", 100)
    yield at_most("eight aircraft: GUI deaf, 99 %", fleet["deaf_p99_ms"], "ms", 50)
    yield at_least("eight aircraft: objects received", fleet["objects_per_s"], "1/s", 400)
