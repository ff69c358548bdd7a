"""Speed and memory of logs: decoding into columns, and rebuilding the state after a seek."""

import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.dronin_reader import frames_per_s
from benchmarks.flight_logs import write_dronin, write_flight
from benchmarks.result import BenchmarkResult, at_least, at_most
from telemetry.base.clock import monotonic_s
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType
from telemetry.recording.disk_columns import DiskColumns
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording

FLIGHT_S = 1800
LONG_FLIGHT_S = 36_000
SEEKS = 400
_GATE_REPEATS = 40_000
_RECORD = struct.Struct("<Iq")


def run() -> Iterator[BenchmarkResult]:
    """Measure decoding and seeking."""
    yield from decoding()
    yield from seeking()


def decoding() -> Iterator[BenchmarkResult]:
    """Read a long flight in a fresh process, and count what that takes; dRonin's reader beside."""
    catalogue = load_catalogue()
    with tempfile.TemporaryDirectory() as folder:
        flight, dronin = Path(folder) / "flight.opl", Path(folder) / "dronin.drlog"
        write_flight(flight, catalogue)
        write_dronin(dronin, catalogue)
        taken, size = _measured_apart(flight), flight.stat().st_size
        yield at_least("Decode a log into columns", size / taken.again_s / 1e6, "MB/s", 100)
        frames_per_us = taken.frames / taken.again_s / 1e6
        yield at_least("Decode a log into columns", frames_per_us, "M frames/s", 2)
        yield at_most("Decode 150 MB, the first time", taken.first_s, "s", 1)
        yield at_most("Memory while decoding", taken.peak_bytes / size, "x the file", 3)
        for name, path in (("flight of 2014", flight), ("dRonin's 10 MB", dronin)):
            theirs = frames_per_s(path)
            if theirs is not None:
                taken = _measured_apart(path)
                ours = taken.frames / taken.first_cpu_s
                yield at_least(f"Beside dRonin's reader, {name}", ours / theirs, "x", 25)


@dataclass(frozen=True, slots=True)
class _Taken:
    """What reading a log took in a process of its own, for the first time and at best."""

    first_s: float
    first_cpu_s: float
    again_s: float
    frames: int
    peak_bytes: int


def _measured_apart(path: Path) -> _Taken:
    code = f"from benchmarks.bench_logs import measure; measure({str(path)!r})"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    return _Taken(**json.loads(output))


def measure(path: str) -> None:
    """Read one log three times in this process and print what it took, as JSON."""
    before = _peak_bytes()
    began_cpu_s = time.process_time()
    first_s, frames = _timed(path)
    first_cpu_s = time.process_time() - began_cpu_s
    peak_bytes = _peak_bytes() - before
    again_s = min(_timed(path)[0] for _ in range(2))
    print(json.dumps(asdict(_Taken(first_s, first_cpu_s, again_s, frames, peak_bytes))))


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


def _timed(path: str) -> tuple[float, int]:
    start = monotonic_s()
    frames = read_log(Path(path), load_catalogue()).info.frames
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


def seeking() -> Iterator[BenchmarkResult]:
    """Half an hour of 50 objects at their default rates and attitude at 50 Hz; then ten hours of
    them as they stand on disk while they are flown."""
    catalogue = load_catalogue()
    half_an_hour = _seek_ms(synthetic_flight(catalogue))
    yield at_most(
        "Seek in 30 min, rebuild the state, median", float(np.median(half_an_hour)), "ms", 5
    )
    yield at_most("Seek in 30 min, rebuild the state, worst", max(half_an_hour), "ms", 25)
    with tempfile.TemporaryDirectory() as folder:
        recording = Recording(source="synthetic", grow=DiskColumns(Path(folder)).grown)
        for number in range(LONG_FLIGHT_S // FLIGHT_S):
            synthetic_flight(catalogue, recording, number * FLIGHT_S)
        yield at_most("Seek in 10 h, rebuild the state, worst", max(_seek_ms(recording)), "ms", 50)


def _seek_ms(recording: Recording) -> list[float]:
    taken_ms = []
    for t in np.random.default_rng(1).uniform(0.0, recording.last_s, SEEKS).tolist():
        start = monotonic_s()
        recording.state_at(t)
        taken_ms.append((monotonic_s() - start) * 1000)
    return taken_ms


def synthetic_flight(
    catalogue: Catalogue, recording: Recording | None = None, start_s: float = 0.0
) -> Recording:
    """As long as `FLIGHT_S`, with all settings once and random values; behind a recording that
    ends at `start_s`, if there is one."""
    recording = recording or Recording(source="synthetic")
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
        times = start_s + np.linspace(0.0, FLIGHT_S, count, endpoint=False)
        recording.extend(definition, 0, times, rows.view(definition.dtype).reshape(count))
    return recording
