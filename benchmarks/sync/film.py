"""One flight, its film, and what `lapwing sync` finds in it: each made once and kept."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.sync.flights import FilmedFlight, airframe_of, scenario_of
from benchmarks.sync.lapwing_run import FilmingFailedError, found_in, lapwing
from benchmarks.sync.plain_film import PlainFilm, TruePath
from benchmarks.sync.plain_picture import PlainCamera
from benchmarks.sync.true_line import read_truth, truth_file


@dataclass(frozen=True, slots=True)
class Film:
    """A flight's files in a folder; `size` is that of the pictures, "640x480"."""

    flight: FilmedFlight
    folder: Path
    size: str

    @property
    def truth(self) -> dict[str, Any]:
        """What is true of the film."""
        return read_truth(self.video)

    @property
    def log(self) -> Path:
        """The log."""
        return self._file(".opl")

    @property
    def video(self) -> Path:
        """The film; of a loop recording what its files' names begin with."""
        return self._file(".mp4" if self.flight.is_plain else ".avi")

    def make(self) -> None:
        """Fly and film, unless that was done with the same flight and size."""
        recipe = json.dumps(
            [scenario_of(self.flight), repr(self.flight), self.size], sort_keys=True
        )
        kept = self._file(".recipe.json")
        if kept.exists() and kept.read_text(encoding="utf-8") == recipe:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob(f"{self.flight.name}[._]*"):
            old.unlink()
        scenario, airframe = self._file(".json"), self._file(".airframe.json")
        scenario.write_text(json.dumps(scenario_of(self.flight)), encoding="utf-8")
        airframe.write_text(json.dumps(airframe_of(self.flight)), encoding="utf-8")
        fly = ("sim", "fly", scenario, "--aircraft", airframe, "--seed", self.flight.seed)
        said = (self._plain if self.flight.is_plain else self._simulated)(fly)
        if not truth_file(self.video).exists():
            raise FilmingFailedError(f"{self.flight.name} was not filmed: {said}")
        kept.write_text(recipe, encoding="utf-8")

    def _simulated(self, fly: tuple[object, ...]) -> str:
        """A film of the simulator's renderer; returns what went wrong."""
        width, height = self._size
        camera = {"width": width, "height": height, **self.flight.camera}
        faults = {**self.flight.faults, "offset": self.flight.offset_s, "rate": self.flight.rate}
        return lapwing(
            *(*fly, "--record", self.log, "--video", self.video),
            *("--video-fault", _words(faults), "--video-camera", _words(camera)),
        ).stderr

    def _plain(self, fly: tuple[object, ...]) -> str:
        """One of the second make; the same flight is flown twice, for the log and for its path."""
        track, flight = self._file(".parquet"), self.flight
        lapwing(*fly, "--record", self.log)
        run = lapwing(*fly, "--track", track, "--record-rate", 200)
        if not track.exists():
            return run.stderr
        camera, faults = flight.camera, flight.faults
        plain = PlainCamera(
            self._size,
            camera.get("fov", 60.0),
            (camera.get("roll", 0.0), camera.get("pitch", 0.0), camera.get("yaw", 0.0)),
            (camera["k1"], camera["k2"]) if "k1" in camera else (),
            faults.get("rolling_shutter", 0.0),
            faults.get("exposure_s", 0.0),
        )
        path = TruePath(track, faults.get("shake_deg", 0.0), flight.seed)
        line = flight.offset_s, flight.rate
        PlainFilm(plain, path, *line, flight.video_s, flight.seed).write(self.video)
        return ""

    def found(self, again: bool = False) -> dict[str, Any]:
        """What `lapwing sync --json` says of it, see `found_in`."""
        videos = [self.folder / piece["file"] for piece in self.truth["pieces"]]
        return found_in(videos, self.log, self._file(".found.json"), again)

    @property
    def _size(self) -> tuple[int, int]:
        width, height = map(int, self.size.split("x"))
        return width, height

    def _file(self, suffix: str) -> Path:
        return self.folder / f"{self.flight.name}{suffix}"


def _words(values: dict[str, float]) -> str:
    return ",".join(f"{name}={value:g}" for name, value in values.items())
