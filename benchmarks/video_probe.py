"""A station that shows a video, measured from inside. Each probe prints one JSON object.

Run by bench_video_view in a process of its own: `python -m benchmarks.video_probe PROBE`, PROBE
being seek, play or long. Each frame of the video has its number in it, so that what counts is what
was painted.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.long_film import marked, number_in

if TYPE_CHECKING:
    from app.station import Station
    from telemetry.vehicle.vehicle import Vehicle
    from widgets.video.picture import VideoPicture

WINDOW = (1366, 768)
FLIGHT_S = 300.0
BEGINS_S = 40.0
"""When in the flight the video begins."""
FRAMES = 1800
RATE_HZ = 30.0
SIZE = (640, 480)
RANDOM_SEEKS = 60
LONG_SEEKS = 50
BACKWARD_SEEKS = 60
PLAY_S = 12.0
_WARM_UP_S = 4.0
_PATIENCE_S = 60.0


def seek() -> dict[str, float]:
    """From moving the cursor to the matching frame on screen, at random and backwards."""
    with _station() as station:
        vehicle, picture = _replay(station)
        screen = _Screen(picture)
        numbers = np.random.default_rng(1).integers(0, FRAMES, RANDOM_SEEKS).tolist()
        anywhere = [_seek_ms(station, vehicle, screen, number) for number in numbers]
        steps = np.random.default_rng(2).integers(1, 20, BACKWARD_SEEKS)
        down = [
            _seek_ms(station, vehicle, screen, int(FRAMES - 1 - back)) for back in np.cumsum(steps)
        ]
        return {
            "median_ms": median(anywhere),
            "worst_ms": max(anywhere),
            "reverse_median_ms": median(down),
            "reverse_worst_ms": max(down),
        }


def play(rate: float = 1.0) -> dict[str, float]:
    """The video beside four plots, a map and the flight display: what is left out of it."""
    with _station() as station:
        vehicle, picture = _replay(station)
        start_s = BEGINS_S + (1.0 if rate > 0 else FRAMES / RATE_HZ - 1.0)
        vehicle.timeline.seek(start_s)
        _wait(1.0)
        screen = _Screen(picture)
        vehicle.timeline.set_rate(rate)
        vehicle.timeline.play()
        station.tick.wake()
        seconds = min(PLAY_S, (FRAMES / RATE_HZ - 3.0) / abs(rate))
        used_s, began_s = time.process_time(), time.monotonic()
        gui_s = time.thread_time()
        _wait(seconds)
        elapsed_s = time.monotonic() - began_s
        used_s, gui_s = time.process_time() - used_s, time.thread_time() - gui_s
        numbers = [number for number, _ in screen.painted]
        gaps_ms = np.diff([at_s for _, at_s in screen.painted]) * 1000
        spanned = abs(numbers[-1] - numbers[0]) + 1
        return {
            "dropped": float(spanned - len(numbers)),
            "painted_per_s": len(numbers) / elapsed_s,
            "gap_p99_ms": float(np.percentile(gaps_ms, 99)),
            "cpu_percent": 100 * used_s / elapsed_s,
            "gui_percent": 100 * gui_s / elapsed_s,
        }


def long(key_every: float) -> dict[str, float]:
    """An hour of 1080p beside a log of 150 MB: the first picture, seeking, memory at the end."""
    from benchmarks.flight_logs import write_flight
    from benchmarks.long_film import MINUTE_FRAMES, write_long_film
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.review.flights.flight import flight_of
    from telemetry.review.flights.sync import Sync
    from widgets.video.picture import VideoPicture

    with _station() as station:
        folder = station.folders.config
        film, log = folder / "film.mp4", folder / "log.opl"
        write_long_film(film, int(key_every))
        write_flight(log, load_catalogue())
        station.start()
        station.open(str(log))
        _wait_until(lambda: station.fleet.active is not None)
        began_s, used_s = time.monotonic(), time.process_time()
        station.open(str(film))
        pictures = station.window.findChildren(VideoPicture)
        _wait_until(lambda: any(one.pixels is not None for one in pictures))
        first_s, first_cpu_s = time.monotonic() - began_s, time.process_time() - used_s
        vehicle = station.fleet.active
        assert vehicle is not None
        flight, (picture,) = flight_of(vehicle), pictures
        vehicle.timeline.pause()
        flight.replace_video(film.name, replace(flight.videos[0], sync=Sync()))
        _wait(_WARM_UP_S)
        screen, used_s = _Screen(picture), time.process_time()
        minutes = np.random.default_rng(1).integers(1, 58, LONG_SEEKS)
        places = np.random.default_rng(2).integers(0, MINUTE_FRAMES, LONG_SEEKS)
        seeks = [
            _seek_ms(station, vehicle, screen, int(place), 60.0 * minute)
            for minute, place in zip(minutes, places, strict=True)
        ]
        return {
            "first_s": first_s,
            "first_cpu_s": first_cpu_s,
            "median_ms": median(seeks),
            "p95_ms": float(np.percentile(seeks, 95)),
            "cpu_ms": 1000 * (time.process_time() - used_s) / LONG_SEEKS,
            "resident_mb": _resident_mb(),
        }


class _Screen:
    """Which frames were painted, and when; a frame painted again counts once."""

    def __init__(self, picture: "VideoPicture") -> None:
        from PySide6.QtCore import QEvent, QObject

        painted: list[tuple[int, float]] = []

        class Paints(QObject):
            def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
                if event.type() is QEvent.Type.Paint and picture.pixels is not None:
                    number = number_in(picture.pixels)
                    if not painted or painted[-1][0] != number:
                        painted.append((number, time.monotonic()))
                return False

        self.painted = painted
        self._paints = Paints()
        picture.installEventFilter(self._paints)

    @property
    def number(self) -> int:
        """The frame on screen."""
        return self.painted[-1][0] if self.painted else -1


def _seek_ms(
    station: "Station",
    vehicle: "Vehicle",
    screen: _Screen,
    number: int,
    start_s: float = BEGINS_S,
) -> float:
    """Until the frame of that number, counted from `start_s` of the flight, is painted."""
    _wait(0.05)
    began_s = time.monotonic()
    vehicle.timeline.seek(start_s + (number + 0.5) / RATE_HZ)
    station.tick.wake()
    while screen.number != number:
        if time.monotonic() - began_s > _PATIENCE_S:
            raise TimeoutError(f"frame {number} never came, {screen.number} stands")
        _wait(0.001)
    return (time.monotonic() - began_s) * 1000


def _replay(station: "Station") -> "tuple[Vehicle, VideoPicture]":
    """A flight with a video in a started station, with everything built and open."""
    from benchmarks.bench_views import make_flight
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.review.flights.flight import FlightVideo, flight_of
    from telemetry.review.flights.sync import Piece, Sync
    from telemetry.vehicle.commands import RefusedCommands
    from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
    from widgets.video.picture import VideoPicture

    station.start()
    recording = make_flight(int(FLIGHT_S * 50), FLIGHT_S)
    commands = RefusedCommands("Replaying a log: nothing is sent.")
    vehicle = Vehicle("filmed", recording, load_catalogue(), commands)
    vehicle.timeline.end_live()
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    video = FlightVideo("film", (_film(station.folders.config),), Sync((Piece(-BEGINS_S),)))
    flight_of(vehicle).videos = (video,)
    station.fleet.add(vehicle)
    _wait(_WARM_UP_S)
    vehicle.timeline.seek(BEGINS_S + 1.0)
    station.tick.wake()
    _wait(1.0)
    (picture,) = station.window.findChildren(VideoPicture)
    return vehicle, picture


def _film(folder: Path) -> Path:
    """A minute of XviD as a small camera writes it: fields that pass by, a number in each frame."""
    from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter

    path = folder / "film.avi"
    random = np.random.default_rng(3)
    ground = random.integers(40, 200, (SIZE[1] // 8, 3 * SIZE[0] // 8, 3), np.uint8)
    ground = ground.repeat(8, axis=0).repeat(8, axis=1)
    with VideoWriter(path, VideoEncoding(SIZE, RATE_HZ)) as writer:
        for number in range(FRAMES):
            start = number * 4 % (2 * SIZE[0])
            pixels = ground[:, start : start + SIZE[0]].copy()
            writer.frame(marked(pixels, number), number / RATE_HZ)
    return path


_PLOTS = {
    "attitude": ["AttitudeState.Roll", "AttitudeState.Pitch", "AttitudeState.Yaw"],
    "north": ["PositionState.North"],
    "east": ["PositionState.East"],
    "heading": ["AttitudeState.Yaw", "AttitudeState.q1"],
}
_WORKSPACE = {
    "version": 1,
    "title": "Film",
    "layout": {
        "split": "horizontal",
        "sizes": [1, 1],
        "children": [
            {"split": "vertical", "sizes": [1, 1, 1, 1], "children": list(_PLOTS)},
            {
                "split": "vertical",
                "sizes": [3, 2],
                "children": [
                    "video",
                    {"split": "horizontal", "sizes": [1, 1], "children": ["map", "display"]},
                ],
            },
        ],
    },
    "panels": {
        **{
            key: {"panel": "plots.plot", "settings": {"fields": fields, "window_s": 60.0}}
            for key, fields in _PLOTS.items()
        },
        "video": {"panel": "video.view", "settings": {"muted": True}},
        "map": {"panel": "map.map", "settings": {}},
        "display": {"panel": "flight_display.display", "settings": {}},
    },
}


class _station:  # noqa: N801 - reads as a function in a with statement
    """A station in a folder of its own, with a workspace that shows all views at once."""

    def __enter__(self) -> "Station":
        from app.preferences import PreferenceStore
        from app.run import make_application
        from app.station import StartOptions, Station
        from telemetry.base.folders import Folders

        self._home = tempfile.TemporaryDirectory()
        folders = Folders.under(Path(self._home.name))
        preferences = PreferenceStore(folders.config / "preferences.json")
        preferences.change(connect_at_start="", theme="light")
        folders.workspaces.mkdir(parents=True, exist_ok=True)
        (folders.workspaces / "film.json").write_text(json.dumps(_WORKSPACE), encoding="utf-8")
        options = StartOptions(size=WINDOW, workspace="film")
        self._made = Station(make_application(), folders, options)
        return self._made

    def __exit__(self, *_error: object) -> None:
        self._made.close()
        self._home.cleanup()


def _wait_until(is_so: Callable[[], bool]) -> None:
    until_s = time.monotonic() + _PATIENCE_S
    while not is_so():
        if time.monotonic() > until_s:
            raise TimeoutError("what was waited for never came")
        _wait(0.002)


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1000


def _wait(seconds: float) -> None:
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


_PROBES: dict[str, Callable[..., dict[str, float]]] = {"seek": seek, "play": play, "long": long}


def main() -> None:
    """Run one probe."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    name, *rest = sys.argv[1:]
    probe = _PROBES[name]
    print(json.dumps(probe(*(float(word) for word in rest))))


if __name__ == "__main__":
    main()
