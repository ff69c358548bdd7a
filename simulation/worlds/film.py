"""Film of a flight, made with the truth about it beside it."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.worlds.camera import CarriedCamera, FilmCamera, LyingCamera
from simulation.worlds.camera_pictures import CameraPictures
from simulation.worlds.file_damage import damage_frames, truncate
from simulation.worlds.film_error import FilmError
from simulation.worlds.film_files import FilmFile, film_files, loop_file
from simulation.worlds.flight_path import FlightPath, PathRecorder
from simulation.worlds.make_scene import make_scene
from simulation.worlds.motor_sound import SAMPLES_PER_S, MotorSound
from simulation.worlds.row_motion import PosesOverTime
from simulation.worlds.scene import Picture
from simulation.worlds.shared_renderer import SharedRenderer
from simulation.worlds.video_faults import VideoFaults
from simulation.worlds.world import World
from simulation.worlds.world_file import load_world
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter

Array = npt.NDArray[np.float64]
Progress = Callable[[range], Iterable[int]]

_BITS_PER_S = 2_000_000
CLOCK = datetime(2011, 1, 1)  # noqa: DTZ001 - a camera knows no time zones
"""The earliest that its clock says at the beginning of a film."""
_CLOCK_DAYS = 300
_BLOCK = 30
DEFAULT_WORLD = "field"
"""Frames whose views are worked out at once."""


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """What is filmed where; `seed` chooses what a world leaves to chance, what is broken, and all
    noise."""

    path: Path
    faults: VideoFaults = field(default_factory=VideoFaults)
    camera: FilmCamera = field(default_factory=FilmCamera)
    seed: int = 1
    world: World = field(default_factory=lambda: load_world(DEFAULT_WORLD))
    is_gpu: bool = False

    @property
    def truth_path(self) -> Path:
        """The file that says what is true of the film."""
        return self.path.with_name(f"{self.path.name}.truth.json")


class FilmMaker:
    """One film. Made before the flight, which `recorder` has to watch, so that what cannot be is
    said before it."""

    def __init__(self, plan: FilmPlan) -> None:
        """Raises FilmError if a file is there already, NoRendererError if nothing can be drawn,
        WorldError for a world that cannot be shown."""
        if not plan.path.parent.is_dir():
            raise FilmError(f"There is no folder {plan.path.parent}. Give another one, or make it.")
        first = loop_file(plan.path, 1) if plan.faults.loop else plan.path
        for path in (first, plan.truth_path):
            if path.exists():
                raise FilmError(f"{path} is there already. Give another file.")
        self.recorder = PathRecorder()
        self._plan = plan
        self._pictures = CameraPictures(
            SharedRenderer(make_scene(plan.world, plan.seed), plan.is_gpu), plan.camera, plan.faults
        )
        self._random = np.random.default_rng([plan.seed, 0xF11])
        wrong_by = timedelta(seconds=float(self._random.uniform(0.0, _CLOCK_DAYS * 86_400.0)))
        self._clock_start = CLOCK + wrong_by

    def make(self, progress: Progress = iter) -> None:
        """Write the film of the flight and its truth. `progress` is handed the numbers of all
        frames and hands them on. Raises FilmError; what was written is removed then."""
        path, plan = self.recorder.path(), self._plan
        files = self._files(path)
        if path is None or not files:
            raise FilmError(
                "The film would end before it begins; fly longer, or give a larger offset."
            )
        count = files[-1].end
        broken = np.flatnonzero(self._random.random(count) < plan.faults.broken)
        with ExitStack() as undo:
            try:
                numbers = iter(progress(range(count)))
                for file in files:
                    if file.path.exists():
                        raise FilmError(f"{file.path} is there already. Give another file.")
                    undo.callback(file.path.unlink, missing_ok=True)
                    self._write(file, path, numbers, set(broken.tolist()))
                next(numbers, None)  # tells the bar that this was all
                if plan.faults.truncate < 1.0:
                    truncate(files[-1].path, plan.faults.truncate)
                undo.callback(plan.truth_path.unlink, missing_ok=True)
                truth = json.dumps(self._truth(files, broken.tolist()), indent=1)
                plan.truth_path.write_text(truth, encoding="utf-8")
            except VideoError as error:
                raise FilmError(str(error)) from error
            except OSError as error:
                raise FilmError(
                    f"{plan.path} could not be written: {error.strerror}. Make room or give "
                    "another folder; nothing of it was kept."
                ) from error
            undo.pop_all()

    def _files(self, path: FlightPath | None) -> tuple[FilmFile, ...]:
        plan = self._plan
        if path is None:
            return ()
        hz = plan.camera.frames_per_s
        return film_files(plan.path, plan.faults, path.end_s, hz, self._random)

    def _write(
        self, file: FilmFile, path: FlightPath, numbers: Iterator[int], broken: set[int]
    ) -> None:
        plan = self._plan
        sound = MotorSound(path, plan.seed) if plan.faults.sound else None
        encoding = VideoEncoding(
            plan.camera.size,
            file.frames_per_s,
            bits_per_s=_BITS_PER_S,
            sound_hz=SAMPLES_PER_S if sound else 0,
        )
        with VideoWriter(file.path, encoding) as writer:
            pictures = self._taken(file, path)
            for number in islice(numbers, file.end - file.first):
                # What follows a broken frame stands for itself: damage is not handed on.
                time_s = (number - file.first) / file.frames_per_s
                writer.frame(next(pictures), time_s, is_key=number - 1 in broken)
                if sound is not None:
                    writer.sound(sound.samples(_sample_times(file, number)))
        own = sorted(n - file.first for n in broken if file.first <= n < file.end)
        damage_frames(file.path, own, self._random)

    def _taken(self, file: FilmFile, path: FlightPath) -> Iterator[Picture]:
        plan = self._plan
        carried: PosesOverTime = (
            LyingCamera(plan.camera)
            if plan.faults.static
            else CarriedCamera(plan.camera, path, plan.faults.vibration)
        )
        for first in range(file.first, file.end, _BLOCK):
            video_s = np.arange(first, min(first + _BLOCK, file.end)) / file.frames_per_s
            clock = (self._clock_start + timedelta(seconds=t) for t in video_s.tolist())
            yield from self._pictures.take(carried, file.log_s(video_s), clock)

    def _truth(self, files: tuple[FilmFile, ...], broken: list[int]) -> dict[str, Any]:
        plan = self._plan
        return {
            "format": "lapwing-video-truth",
            "version": 1,
            "offset_s": plan.faults.offset,
            "rate": plan.faults.rate,
            "frames": files[-1].end,
            "frames_per_s": plan.camera.frames_per_s,
            "broken": broken,
            "pieces": [file.truth() for file in files],
            "moves": not plan.faults.static,
            "clock_start": self._clock_start.isoformat(sep=" ", timespec="seconds"),
            "camera": {
                **asdict(plan.camera.settings),
                "shutter_s": plan.faults.rolling_shutter,
            },
            "faults": asdict(plan.faults),
            "seed": plan.seed,
            "renderer": self._pictures.renderer_name,
            "world": plan.world.name,
        }


def _sample_times(file: FilmFile, number: int) -> Array:
    """The log's times of the samples that belong to a frame."""
    first, end = (n * SAMPLES_PER_S // file.frames_per_s for n in (number, number + 1))
    return file.log_s(np.arange(first, end) / SAMPLES_PER_S)
