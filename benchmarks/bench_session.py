"""Sustained input: 10,000 frames a second through a connection, decoded, kept and recorded."""

import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.flood import FRAMES_PER_S, count_flood, send_flood
from benchmarks.result import BenchmarkResult, at_least, at_most
from telemetry.base.clock import monotonic_s
from telemetry.protocol.links.link import Link
from telemetry.protocol.links.memory import pair
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.vehicle.connection import connect
from telemetry.vehicle.vehicle import Vehicle

SECONDS = 10.0


def run() -> Iterator[BenchmarkResult]:
    """Measure what arrives and what it costs."""
    catalogue = load_catalogue()
    with tempfile.TemporaryDirectory() as folder:
        yield from _flood(catalogue, Path(folder))


def _flood(catalogue: Catalogue, folder: Path) -> list[BenchmarkResult]:
    near, far = pair("flood")
    spent: list[float] = []
    vehicle = connect("memory:flood", lambda _address: _Metered(near, spent), catalogue, folder)
    start_s = monotonic_s()
    sent = send_flood(far, catalogue, SECONDS)
    _wait_for(vehicle, sent)
    elapsed_s = monotonic_s() - start_s
    lag_s = elapsed_s - SECONDS
    vehicle.close()
    (file,) = folder.glob("*.opl")
    kept = count_flood(vehicle.recording)
    on_disk = sum(
        item.count
        for name, item in read_log(file, catalogue).info.per_object.items()
        if name != "GCSTelemetryStats"
    )
    worker_s = spent[-1]
    return [
        at_least("frames a second sent", sent / elapsed_s, "1/s", 0.95 * FRAMES_PER_S),
        at_most("frames lost on the way to the screen", sent - kept, "frames", 0),
        at_most("frames lost on the way to disk", sent - on_disk, "frames", 0),
        at_most("worker's time per frame", worker_s / sent * 1e6, "us", 40),
        at_most("worker's share of a core", 100.0 * worker_s / elapsed_s, "%", 40),
        at_most("last frame seen after it was sent", max(lag_s, 0.0) * 1e3, "ms", 200, waits=True),
    ]


class _Metered:
    """Notes the processor time of the thread that reads."""

    can_write = True

    def __init__(self, inner: Link, spent: list[float]) -> None:
        self.name, self.address = inner.name, inner.address
        self._inner = inner
        self._spent = spent

    def read(self, timeout_s: float) -> bytes:
        self._spent[:] = [time.thread_time()]
        return self._inner.read(timeout_s)

    def write(self, data: bytes) -> None:
        self._inner.write(data)

    def close(self) -> None:
        self._inner.close()


def _wait_for(vehicle: Vehicle, count: int) -> None:
    pause = threading.Event()
    deadline_s = monotonic_s() + 5.0
    while count_flood(vehicle.recording) < count and monotonic_s() < deadline_s:
        pause.wait(0.005)
