"""Sustained input: 10,000 frames a second through a connection, decoded, kept and recorded."""

import tempfile
import threading
import time
from pathlib import Path

from benchmarks.result import Result, as_table, at_least, at_most
from telemetry.clock import monotonic_s
from telemetry.links.link import Link
from telemetry.links.memory import MemoryLink, pair
from telemetry.logs.reader import read_log
from telemetry.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.objects.definition import ObjectDefinition
from telemetry.objects.values import pack_values
from telemetry.vehicle.connection import connect
from telemetry.vehicle.vehicle import Vehicle
from telemetry.wire.frame import FrameType, encode

FRAMES_PER_S = 10_000
SECONDS = 10.0
_BURST_S = 0.01
_OBJECTS = 40


def run() -> list[Result]:
    """Measure what arrives and what it costs."""
    catalogue = load_catalogue()
    with tempfile.TemporaryDirectory() as folder:
        return _flood(catalogue, Path(folder))


def _flood(catalogue: Catalogue, folder: Path) -> list[Result]:
    near, far = pair("flood")
    spent: list[float] = []
    vehicle = connect("memory:flood", lambda _address: _Metered(near, spent), catalogue, folder)
    start_s = monotonic_s()
    sent = _send(far, catalogue)
    _wait_for(vehicle, sent)
    elapsed_s = monotonic_s() - start_s
    lag_s = elapsed_s - SECONDS
    vehicle.close()
    (file,) = folder.glob("*.opl")
    kept = _counted(vehicle)
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
        at_most("last frame seen after it was sent", max(lag_s, 0.0) * 1e3, "ms", 200),
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


def _send(far: MemoryLink, catalogue: Catalogue) -> int:
    """Send bursts on time; return how many frames that were."""
    objects = [d for d in catalogue.release(DEFAULT_RELEASE) if _is_suitable(d)][:_OBJECTS]
    frames = [_frame(definition) for definition in objects]
    per_burst = int(FRAMES_PER_S * _BURST_S)
    burst = b"".join(frames[index % len(frames)] for index in range(per_burst))
    pause = threading.Event()
    start_s = monotonic_s()
    bursts = int(SECONDS / _BURST_S)
    for number in range(bursts):
        far.write(burst)
        pause.wait(max(0.0, start_s + (number + 1) * _BURST_S - monotonic_s()))
    return bursts * per_burst


def _is_suitable(definition: ObjectDefinition) -> bool:
    own = ("GCSTelemetryStats", "FlightTelemetryStats", "SystemStats", "ObjectPersistence")
    return definition.single_instance and not definition.settings and definition.name not in own


def _frame(definition: ObjectDefinition) -> bytes:
    return encode(FrameType.OBJ, definition.object_id, b"\0\0" + pack_values(definition, {}))


def _wait_for(vehicle: Vehicle, count: int) -> None:
    pause = threading.Event()
    deadline_s = monotonic_s() + 5.0
    while _counted(vehicle) < count and monotonic_s() < deadline_s:
        pause.wait(0.005)


def _counted(vehicle: Vehicle) -> int:
    tracks = vehicle.recording.tracks()
    return sum(t.count for t in tracks if t.definition.name != "GCSTelemetryStats")


if __name__ == "__main__":
    print(as_table(run()))
