"""`--video`, `--video-fault`, `--video-camera`: the film of the on-board camera."""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.command.options import Options, flag, value
from simulation.worlds.video_faults import FAULTS, VideoFaults, check_number, parse_numbers
from telemetry.base.escaping import drawn_on

if TYPE_CHECKING:
    from simulation.worlds.camera import FilmCamera
    from simulation.worlds.film import FilmMaker

_CAMERA = {
    "pitch": (-90.0, 90.0),
    "roll": (-180.0, 180.0),
    "yaw": (-180.0, 180.0),
    "fov": (5.0, 140.0),
    "width": (16.0, 4096.0),
    "height": (16.0, 4096.0),
    "fps": (1.0, 240.0),
}
_WHOLE = ("width", "height", "fps")


def _faults(text: str) -> VideoFaults:
    try:
        return VideoFaults(**parse_numbers(text, FAULTS))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}") from None


def _camera(text: str) -> "FilmCamera":
    from simulation.worlds.camera import FilmCamera

    camera = FilmCamera()
    try:
        values = parse_numbers(text, _CAMERA)
        for name, value in values.items():
            check_number(name, value, *_CAMERA[name])
            if name in _WHOLE and value % (1 if name == "fps" else 2):
                raise ValueError(f"{name} must be a whole number, width and height even ones")
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}") from None
    mount = camera.settings
    settings = replace(
        mount,
        field_of_view_deg=values.get("fov", mount.field_of_view_deg),
        mount_roll_deg=values.get("roll", mount.mount_roll_deg),
        mount_pitch_deg=values.get("pitch", mount.mount_pitch_deg),
        mount_yaw_deg=values.get("yaw", mount.mount_yaw_deg),
    )
    width, height = camera.size
    size = int(values.get("width", width)), int(values.get("height", height))
    fps = int(values.get("fps", camera.frames_per_s))
    return replace(camera, size=size, frames_per_s=fps, settings=settings)


VIDEO_OPTIONS: Options = {
    "--video": value(
        "FILE.avi",
        "film the flight of --record by an on-board camera, and write what is true of the "
        "film to FILE.avi.truth.json",
        Path,
    ),
    "--video-fault": value(
        "NAME=N,...",
        "what is wrong with the film: "
        + "; ".join(f"{name}: {kind.text}" for name, kind in FAULTS.items()),
        _faults,
    ),
    "--video-camera": value(
        "NAME=N,...",
        "how the camera is mounted and its field of view, in degrees (pitch=-8, roll=0, "
        "yaw=0, fov=60), and its pictures (width=640, height=480, fps=30)",
        _camera,
    ),
    "--gpu": flag(
        "draw pictures by the graphics card: faster, but not the same on every machine; "
        "without it they are drawn in software, where there is a renderer that does so"
    ),
}


def check_video_options(options: argparse.Namespace) -> None:
    """Refuse what does not go together. Raises ValueError."""
    if options.gpu and options.video is None and not options.streams:
        raise ValueError("--gpu draws pictures; add --video FILE.avi or --streams.")
    if options.video is None:
        if options.video_fault is not None or options.video_camera is not None:
            raise ValueError("--video-fault and --video-camera belong to a film; add --video FILE.")
        return
    if options.video.suffix.lower() != ".avi":
        raise ValueError(f"--video writes AVI as that camera does; name {options.video} .avi.")
    if options.record is None:
        raise ValueError("--video films the flight that is recorded; add --record FILE.opl.")
    if options.real_time:
        raise ValueError("--video is drawn after the flight; leave out --real-time.")


def open_film(options: argparse.Namespace, world: str) -> "FilmMaker | None":
    """What makes the film of a flight in a world ("": none), if one is wanted. Raises FilmError and
    WorldError."""
    if options.video is None:
        return None
    from simulation.worlds.camera import FilmCamera
    from simulation.worlds.film import DEFAULT_WORLD, FilmMaker, FilmPlan
    from simulation.worlds.world_file import load_world

    faults, camera = options.video_fault or VideoFaults(), options.video_camera or FilmCamera()
    shown = load_world(world or DEFAULT_WORLD)
    return FilmMaker(FilmPlan(options.video, faults, camera, options.seed, shown, options.gpu))


def with_bar(numbers: range) -> Iterable[int]:
    """The same, and how far they have come, on standard error."""
    from tqdm import tqdm

    bar: Iterable[int] = tqdm(
        numbers, "Filming", unit=" frames", file=drawn_on(sys.stderr), mininterval=1.0, disable=None
    )
    return bar
