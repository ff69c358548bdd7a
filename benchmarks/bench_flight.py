"""Opening a log of 150 MB, and a flight of 29 with 146 MB, the size of the campaign of seed 004."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.flight_logs import write_flight
from benchmarks.gui_probe import _station
from benchmarks.result import BenchmarkResult, at_most
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.review.flights.flight import FlightContent, FlightLog, flight_of
from telemetry.review.flights.lapwing_file import write_flight as write_flight_file

LOGS = 29
BYTES = 146_000_000
_MOST_S = 120.0


def run() -> Iterator[BenchmarkResult]:
    """Measure in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "flight.opl"
        write_flight(log, load_catalogue())
        found = _measured_apart(log)
        yield at_most("A log of 150 MB: first plot", found["first_s"], "s", 1.0)
        path, size = make_flight(Path(folder))
        found = _measured_apart(path)
    yield at_most(f"{LOGS} logs of 146 MB: first plot", found["first_s"], "s", 1.0)
    yield at_most(f"{LOGS} logs of 146 MB: all read", found["complete_s"], "s", 2.0)
    yield at_most(f"{LOGS} logs of 146 MB: memory", found["bytes"] / size, "x the files", 3.0)


def _measured_apart(path: Path) -> dict[str, float]:
    code = f"from benchmarks.bench_flight import measure; measure({str(path)!r})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def make_flight(folder: Path) -> tuple[Path, int]:
    """A flight's file for that many logs in this folder, and the bytes of the logs."""
    catalogue = load_catalogue()
    logs = [folder / f"LOG{number:05}.opl" for number in range(LOGS)]
    write_flight(logs[0], catalogue, BYTES // LOGS)
    for log in logs[1:]:
        log.write_bytes(logs[0].read_bytes())
    others = tuple(FlightLog(log.name, log) for log in logs[1:])
    path = folder / "campaign.lapwing"
    write_flight_file(path, logs[0], FlightContent(logs=others))
    return path, sum(log.stat().st_size for log in logs)


def measure(path: str) -> None:
    """Print what opening takes in a window that stands already, as JSON."""
    from PySide6.QtCore import QEventLoop

    from app.refreshing.tick import FRAME_MS

    # As in a window that runs: who asks again and again keeps the other threads from reading.
    sleeping = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
    with _station() as station:
        station.start()

        def is_still() -> bool:
            station.app.processEvents(sleeping)
            return station.tick.interval_ms > FRAME_MS

        _until(is_still)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        station.tick.wake()  # as by the click that opens it
        began_s = monotonic_s()
        station.flights.open([Path(path)])

        def is_shown() -> bool:
            station.app.processEvents(sleeping)
            return station.fleet.active is not None

        _until(is_shown)
        station.tick.refresh_all()
        station.app.processEvents()
        first_s = monotonic_s() - began_s
        assert station.fleet.active is not None
        flight = flight_of(station.fleet.active)

        def is_complete() -> bool:
            station.app.processEvents(sleeping)
            return all(log.recording is not None for log in flight.logs)

        _until(is_complete)
        complete_s = monotonic_s() - began_s
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = {"first_s": first_s, "complete_s": complete_s, "bytes": 1024 * (peak - before)}
    print(json.dumps(found))


def _until(is_so: Callable[[], bool]) -> None:
    end_s = monotonic_s() + _MOST_S
    while not is_so():
        if monotonic_s() > end_s:
            raise TimeoutError("the flight was not opened in time")
