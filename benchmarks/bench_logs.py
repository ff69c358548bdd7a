"""Speed and memory of logs: decoding into columns, and rebuilding the state after a seek."""

import os
import resource
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.result import BenchmarkResult, at_least, at_most
from telemetry.clock import monotonic_s
from telemetry.logs.reader import read_log
from telemetry.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.objects.definition import ObjectDefinition, UpdateMode
from telemetry.recording.recording import Recording
from telemetry.wire.dialect import Dialect
from telemetry.wire.frame import FrameType

LOG_BYTES = 120_000_000
FLIGHT_S = 1800
SEEKS = 400
_GATE_REPEATS = 40_000
_RECORD = struct.Struct("<Iq")


def run() -> Iterator[BenchmarkResult]:
    """Measure decoding and seeking."""
    yield from decoding()
    yield from seeking()


def decoding() -> list[BenchmarkResult]:
    """Write a large log, read it in a fresh process, and count what that takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.opl"
        _write_large_log(path)
        code = f"from benchmarks.bench_logs import measure; measure({str(path)!r})"
        output = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        seconds, frames, memory = (float(word) for word in output.split())
        size = path.stat().st_size
    return [
        at_least("Decode a log into columns", size / seconds / 1e6, "MB/s", 100),
        at_least("Decode a log into columns", frames / seconds / 1e6, "M frames/s", 2),
        at_most("Memory while decoding", memory / size, "x the file", 3),
    ]


def measure(path: str) -> None:
    """Read one log in this process; print seconds (best of three), frames, peak memory in bytes."""
    catalogue = load_catalogue()
    with tempfile.NamedTemporaryFile(suffix=".opl") as small:
        small.write(_log(_example_objects(catalogue), repeats=2))
        small.flush()
        read_log(Path(small.name), catalogue)
    before = _peak_bytes()
    seconds, frames = _timed(path, catalogue)
    memory = _peak_bytes() - before
    again = (_timed(path, catalogue)[0] for _ in range(2))
    print(min(seconds, *again), frames, memory)


def decode_us_per_frame(clock: Callable[[], float]) -> float:
    """Microseconds by `clock` for each frame of a small log, best of three."""
    catalogue = load_catalogue()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.opl"
        path.write_bytes(_log(_example_objects(catalogue), repeats=_GATE_REPEATS))
        read_log(path, catalogue)
        taken_s = []
        for _ in range(3):
            began_s = clock()
            frames = read_log(path, catalogue).info.frames
            taken_s.append(clock() - began_s)
    return min(taken_s) / frames * 1e6


def _timed(path: str, catalogue: Catalogue) -> tuple[float, int]:
    start = monotonic_s()
    frames = read_log(Path(path), catalogue).info.frames
    return monotonic_s() - start, frames


def _peak_bytes() -> int:
    """This process's own peak; on Linux getrusage would also count the parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _example_objects(catalogue: Catalogue) -> list[ObjectDefinition]:
    names = ("AttitudeState", "GyroState", "AccelState", "PositionState", "ManualControlCommand")
    return [catalogue.find(name, DEFAULT_RELEASE) for name in names]


def _log(definitions: list[ObjectDefinition], repeats: int, start_ms: int = 0) -> bytes:
    """Records of one frame each, all objects every 5 ms."""
    dialect = Dialect()
    frames = [
        dialect.encode(FrameType.OBJ, d.object_id, 0, True, os.urandom(d.size)) for d in definitions
    ]
    records = (
        _RECORD.pack(start_ms + 5 * number, len(frame)) + frame
        for number in range(repeats)
        for frame in frames
    )
    return b"".join(records)


def _write_large_log(path: Path) -> None:
    definitions = _example_objects(load_catalogue())
    repeats = 10_000
    with path.open("wb") as file:
        while file.tell() < LOG_BYTES:
            block_ms = 5 * repeats * (file.tell() // 1_000_000)
            file.write(_log(definitions, repeats, block_ms))


def seeking() -> list[BenchmarkResult]:
    """Half an hour of 50 objects at their default rates and attitude at 50 Hz."""
    recording = synthetic_flight(load_catalogue())
    times = np.random.default_rng(1).uniform(0.0, FLIGHT_S, SEEKS)
    taken_ms = np.empty(SEEKS)
    for index, t in enumerate(times.tolist()):
        start = monotonic_s()
        recording.state_at(t)
        taken_ms[index] = (monotonic_s() - start) * 1000
    return [
        at_most("Seek in 30 min, rebuild the state, median", float(np.median(taken_ms)), "ms", 5),
        at_most("Seek in 30 min, rebuild the state, worst", float(taken_ms.max()), "ms", 25),
    ]


def synthetic_flight(catalogue: Catalogue) -> Recording:
    """A recording as long as `FLIGHT_S`, with all settings once and random values."""
    recording = Recording(source="synthetic")
    rng = np.random.default_rng(0)
    periodic = [
        d for d in catalogue.release(DEFAULT_RELEASE) if d.flight_policy.mode is UpdateMode.PERIODIC
    ][:50]
    others = [d for d in catalogue.release(DEFAULT_RELEASE) if d not in periodic]
    for definition in [*others, *periodic]:
        period_s = max(0.02, definition.flight_policy.period_ms / 1000)
        if definition.name == "AttitudeState":
            period_s = 0.02
        count = int(FLIGHT_S / period_s) if definition in periodic else 1
        rows = rng.integers(0, 256, (count, definition.size), np.uint8)
        times = np.linspace(0.0, FLIGHT_S, count, endpoint=False)
        recording.extend(definition, 0, times, rows.view(definition.dtype).reshape(count))
    return recording
