"""Speed of videos: decoding, seeking exactly, stepping back, and pictures for a moving cursor."""

import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from benchmarks.numbered_video import number_in, write_video
from benchmarks.result import BenchmarkResult, at_least, at_most
from telemetry.recording.video_files.reader import open_video
from telemetry.review.playback.prefetch import FramePrefetch

FRAMES = 900
SEEKS = 60
STEPS = 200
PLAYED_S = 4.0
_SHOWN_PER_S = 30.0
_PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    suffix: str
    key_every: int
    b_frames: int = 0


_KINDS = (
    _Kind("XviD, key every 30", ".avi", 30),
    _Kind("XviD, key every 250", ".avi", 250),
    _Kind("H.264, B-frames, key every 250", ".mp4", 250, 2),
)


def run() -> Iterator[BenchmarkResult]:
    """Measure 640x480 at 30 Hz in the kinds that cameras write."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in _KINDS:
            path = Path(folder) / f"video{kind.key_every}{kind.suffix}"
            write_video(path, FRAMES, kind.key_every, kind.b_frames)
            yield from _reading(kind.name, path)
            yield from _cursor(kind.name, path)


def _reading(name: str, path: Path) -> Iterator[BenchmarkResult]:
    opening_s, video = _timed(lambda: open_video([path]))
    yield at_most(f"Open 30 s of video ({name})", 1000 * opening_s, "ms", 150)
    times = video.times()
    all_s, numbers = _timed(lambda: [number_in(video.frame_at(time_s)) for time_s in times])
    yield at_least(f"Decode in order ({name})", FRAMES / all_s / 30, "x real time", 8)
    wrong = sum(number != at for at, number in enumerate(numbers))
    places = random.Random(5).choices(range(FRAMES), k=SEEKS)
    back = list(range(FRAMES - 1, FRAMES - 1 - STEPS, -1))
    for what, numbers, bar in (("Seek", places, 60.0), ("Step back", back, 10.0)):
        taken = []
        for number in numbers:
            taken_s, frame = _timed(partial(video.frame, number))
            taken.append(1000 * taken_s)
            wrong += number_in(frame) != number
        yield at_most(f"{what}, median ({name})", statistics.median(taken), "ms", bar)
        yield at_most(f"{what}, worst ({name})", max(taken), "ms", 150)
    yield at_most(f"Pictures that are not those asked for ({name})", wrong, "frames", 0)
    video.close()


def _cursor(name: str, path: Path) -> Iterator[BenchmarkResult]:
    come = threading.Event()
    prefetch = FramePrefetch(lambda: open_video([path]), on_change=come.set)
    come.wait(_PATIENCE_S)
    moves = random.Random(6).choices(range(FRAMES), k=SEEKS)
    back = list(range(FRAMES - 1, FRAMES - 1 - STEPS, -1))
    for what, places, rate in (("Cursor jumps", moves, 0.0), ("Cursor goes back", back, -1.0)):
        taken = [1000 * _matched_s(prefetch, come, place, rate) for place in places]
        yield at_most(f"{what}, median ({name})", statistics.median(taken), "ms", 60)
        yield at_most(f"{what}, worst ({name})", max(taken), "ms", 150)
    for rate in (1.0, 4.0, -1.0):
        late = _late_frames(prefetch, rate)
        yield at_most(f"Frames late when played at {rate:g}x ({name})", late, "frames", 0)
    prefetch.close()


def _matched_s(prefetch: FramePrefetch, come: threading.Event, number: int, rate: float) -> float:
    """How long after the wish the matching picture is there."""
    time_s = number / 30 + 0.005
    begun = time.perf_counter()
    come.clear()
    prefetch.ask(time_s, rate)
    while not (found := prefetch.frame_for(time_s)).is_exact:
        assert come.wait(_PATIENCE_S), "no picture came"
        come.clear()
    taken = time.perf_counter() - begun
    assert number_in(found.frame) == number
    return taken


def _late_frames(prefetch: FramePrefetch, rate: float) -> int:
    """Ticks of the window, in real time, at which the picture was not there when asked again."""
    late, begin_s = 0, 2.0 if rate > 0 else FRAMES / 30 - 2.0
    begun = time.perf_counter()
    for tick in range(round(PLAYED_S * _SHOWN_PER_S)):
        at_s = tick / _SHOWN_PER_S
        time.sleep(max(begun + at_s - time.perf_counter(), 0.0))
        cursor_s = begin_s + rate * at_s
        prefetch.ask(cursor_s, rate)
        is_start = tick < 6  # the first one is a seek
        late += not (is_start or prefetch.frame_for(cursor_s).is_exact)
    return late


_T = TypeVar("_T")


def _timed(work: Callable[[], _T]) -> tuple[float, _T]:
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result
