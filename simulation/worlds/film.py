"""Makes the film of a flight, and writes the truth about it beside it."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.worlds.avi import AviWriter
from simulation.worlds.camera import FilmCamera
from simulation.worlds.field import make_field
from simulation.worlds.film_error import FilmError
from simulation.worlds.flight_path import FlightPath
from simulation.worlds.motor_sound import SAMPLES_PER_S, MotorSound
from simulation.worlds.renderer import SceneRenderer
from simulation.worlds.scene import Picture
from simulation.worlds.video_faults import VideoFaults

Array = npt.NDArray[np.float64]
Progress = Callable[[range], Iterable[int]]

_BLOCK = 30
"""Frames whose views are worked out at once."""


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """What is filmed where: `faults` and `camera` see there; `seed` chooses the scene, the
    frames that are broken and all noise."""

    path: Path
    faults: VideoFaults = field(default_factory=VideoFaults)
    camera: FilmCamera = field(default_factory=FilmCamera)
    seed: int = 1

    @property
    def truth_path(self) -> Path:
        """The file that says what is true of the film."""
        return self.path.with_name(f"{self.path.name}.truth.json")


class FilmMaker:
    """One film. Made before the flight, so that what cannot be is said before it; `path` is to
    watch the flight."""

    def __init__(self, plan: FilmPlan) -> None:
        """Raises FilmError if a file is there already, NoRendererError if nothing can be drawn."""
        self.plan = plan
        self.path = FlightPath()
        for path in (plan.path, plan.truth_path):
            if path.exists():
                raise FilmError(f"{path} is there already. Give another file.")
        camera = plan.camera
        width_deg = camera.settings.field_of_view_deg
        self._renderer = SceneRenderer(make_field(plan.seed), camera.size, width_deg)
        self._random = np.random.default_rng([plan.seed, 0xF11])

    def make(self, progress: Progress = iter) -> None:
        """Write the film of the flight and its truth. `progress` is handed the numbers of all
        frames and hands them on. Raises FilmError."""
        path, plan, faults = self.path, self.plan, self.plan.faults
        count = int(np.floor(faults.video_s(path.end_s) * plan.camera.frames_per_s))
        if count < 1 or not len(path):
            raise FilmError(
                f"The film would end before it begins: the flight of {path.end_s:.1f} s ends at "
                f"{faults.video_s(path.end_s):.1f} s of the video. Give a larger offset."
            )
        broken = np.flatnonzero(self._random.random(count) < faults.broken)
        try:
            self._write(path, progress(range(count)), set(broken.tolist()))
            if faults.truncate < 1.0:
                _truncate(plan.path, faults.truncate)
            plan.truth_path.write_text(json.dumps(self._truth(count, broken.tolist()), indent=1))
        except OSError as error:
            for made in (plan.path, plan.truth_path):
                made.unlink(missing_ok=True)
            raise FilmError(
                f"{plan.path} could not be written ({error.strerror}), and was removed; make room "
                "or give another folder."
            ) from error

    def _write(self, path: FlightPath, numbers: Iterable[int], broken: set[int]) -> None:
        camera = self.plan.camera
        sound = MotorSound(path, self.plan.seed)
        writer = AviWriter(self.plan.path, camera.size, camera.frames_per_s, True)
        with ExitStack() as undo:
            undo.callback(self.plan.path.unlink, missing_ok=True)
            undo.callback(writer.abandon)
            for number, picture in self._pictures(path, numbers):
                damage = self._damage if number in broken else None
                # The frame after a broken one stands for itself: damage is not handed on.
                writer.add(picture, number - 1 in broken, damage)
                writer.add_sound(sound.samples(self._sample_times(number)))
            writer.close()
            undo.pop_all()

    def _pictures(self, path: FlightPath, numbers: Iterable[int]) -> Iterator[tuple[int, Picture]]:
        camera = self.plan.camera
        views: list[Any] = []
        for number in numbers:
            if number % _BLOCK == 0:
                video_s = np.arange(number, number + _BLOCK) / camera.frames_per_s
                views = camera.views(path.motion(self.plan.faults.log_s(video_s)))
            yield number, self._renderer.draw(views[number % _BLOCK])

    def _sample_times(self, number: int) -> Array:
        first, end = (
            n * SAMPLES_PER_S // self.plan.camera.frames_per_s for n in (number, number + 1)
        )
        return self.plan.faults.log_s(np.arange(first, end) / SAMPLES_PER_S)

    def _damage(self, data: bytes) -> bytes:
        """Random bytes in the place of some, behind the frame's own header."""
        spoilt = bytearray(data)
        first = int(self._random.integers(16, max(len(spoilt) // 2, 17)))
        spoilt[first:] = self._random.bytes(max(len(spoilt) - first, 0))
        return bytes(spoilt)

    def _truth(self, count: int, broken: list[int]) -> dict[str, Any]:
        plan, faults = self.plan, self.plan.faults
        end_s = count / plan.camera.frames_per_s
        piece = {
            "offset_s": faults.offset,
            "rate": faults.rate,
            "medium_start_s": 0.0,
            "medium_end_s": end_s,
            "file": plan.path.name,
        }
        return {
            "format": "lapwing-video-truth",
            "version": 1,
            "offset_s": faults.offset,
            "rate": faults.rate,
            "frames": count,
            "frames_per_s": plan.camera.frames_per_s,
            "broken": broken,
            "pieces": [piece],
            "camera": asdict(plan.camera.settings),
            "faults": asdict(faults),
            "seed": plan.seed,
        }


def _truncate(path: Path, share: float) -> None:
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))
