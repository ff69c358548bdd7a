"""Film files: which frames stand in which of them, and when they were taken."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.worlds.video_faults import VideoFaults

Array = npt.NDArray[np.float64]

_GAP_S = 0.2, 0.5
"""Between two files of a loop recording, nothing is recorded for so long."""


@dataclass(frozen=True, slots=True)
class FilmFile:
    """Frames `first` up to, not with, `end` of all the film's. Time of the film (of all its files
    one behind the other, the first frame at 0) = offset + rate x time of the log."""

    path: Path
    first: int
    end: int
    frames_per_s: int
    offset_s: float
    rate: float

    def log_s(self, video_s: Array) -> Array:
        """The times of the log at times of the film."""
        return (video_s - self.offset_s) / self.rate

    def truth(self) -> dict[str, Any]:
        """A piece, as `telemetry.review.flights.sync.Piece` has it."""
        return {
            "offset_s": self.offset_s,
            "rate": self.rate,
            "medium_start_s": self.first / self.frames_per_s,
            "medium_end_s": self.end / self.frames_per_s,
            "file": self.path.name,
        }


def film_files(
    path: Path,
    faults: VideoFaults,
    end_s: float,
    frames_per_s: int,
    random: np.random.Generator,
) -> tuple[FilmFile, ...]:
    """The files of a film that ends with the log, at its second `end_s`; none if it would end
    before it begins. With `faults.loop` they are numbered: NAME_001.avi, NAME_002.avi, ..."""
    longest = max(round(faults.loop * frames_per_s), 1) if faults.loop else math.inf
    files = []
    for number, (first, end, offset_s) in enumerate(
        _stretches(faults, end_s, frames_per_s, longest, random), 1
    ):
        name = loop_file(path, number) if faults.loop else path
        files.append(FilmFile(name, first, end, frames_per_s, offset_s, faults.rate))
    return tuple(files)


def loop_file(path: Path, number: int) -> Path:
    """What the file of this number, from 1, of a loop recording is called."""
    return path.with_name(f"{path.stem}_{number:03}{path.suffix}")


def _stretches(
    faults: VideoFaults,
    end_s: float,
    frames_per_s: int,
    longest: float,
    random: np.random.Generator,
) -> Iterator[tuple[int, int, float]]:
    """First frame, end and offset of each."""
    first, offset_s = 0, faults.offset
    while (last := math.floor((offset_s + faults.rate * end_s) * frames_per_s)) > first:
        end = int(min(last, first + longest))
        yield first, end, offset_s
        first, offset_s = end, offset_s - random.uniform(*_GAP_S)
