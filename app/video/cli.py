"""Command line of `lapwing video`: a video with instruments, without a window; a lens."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.exporting.video_template import USUAL, VideoTemplate, VideoTemplates
from app.workspaces.workspace import PanelPlace, Workspace, WorkspaceStore
from telemetry.base.command_line import Subparsers, add_word, print_lines, refuse
from telemetry.base.escaping import drawn_on
from telemetry.base.folders import Folders
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.recording.timeline import parse_time
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.cameras import calibrate_cli
from telemetry.review.flights.flight import FlightContent, FlightVideo, flight_of
from telemetry.review.flights.lapwing_file import (
    SUFFIX,
    FlightFileError,
    check_not_own,
    read_flight,
)
from telemetry.review.flights.streams import take_streams
from telemetry.vehicle.replay import replay_vehicle
from telemetry.vehicle.vehicle import Fleet, Vehicle

_WORKSPACE = "analyse"
_LEAST_SIDE, _MOST_SIDE = 64, 8192


class _RefusedError(Exception):
    """What was asked for cannot be done; the text is one sentence for the user."""


def add_commands(subparsers: Subparsers) -> None:
    """Add `video` with its commands, which set `run(args) -> exit code`."""
    commands = add_word(subparsers, "video", "write videos of flights, calibrate cameras")
    calibrate_cli.add_command(commands)
    export = commands.add_parser("export", help="write a flight's video with instruments")
    export.add_argument("flight", type=Path, metavar="FLIGHT", help="a .lapwing file, or a log")
    export.add_argument("out", type=Path, metavar="OUT", help="a .mp4, .mkv, .mov or .avi file")
    export.add_argument("--from", dest="start", default=None, metavar="S", help="first second")
    export.add_argument("--to", dest="end", default=None, metavar="S", help="last second")
    export.add_argument(
        "--template",
        default=USUAL,
        metavar="NAME",
        help=f"what stands where, see 'lapwing video templates'; {USUAL} if not given",
    )
    export.add_argument(
        "--size",
        default="",
        metavar="WxH",
        help="1280x720 if not given, or the picture's shape where nothing stands beside it",
    )
    export.add_argument("--encoder", default="", metavar="NAME", help="such as libx264 or mpeg4")
    export.add_argument("--video", default="", metavar="NAME", help="the first one if not given")
    export.add_argument(
        "--views",
        metavar="A,B",
        help="what stands beside the picture: panels of the workspace by name, or kinds of "
        "panels; those of the template if not given",
    )
    export.add_argument(
        "--workspace",
        default="",
        metavar="NAME",
        help=f"where the views are from: the flight's own or {_WORKSPACE} if not given",
    )
    export.add_argument("--tell-progress", action="store_true", help=argparse.SUPPRESS)
    export.add_argument("--theme", choices=("light", "dark", "sunlight"), default="dark")
    export.set_defaults(run=_run_export)
    templates = commands.add_parser("templates", help="list what a video can be written with")
    templates.set_defaults(run=_run_templates)


def _run_export(arguments: argparse.Namespace) -> int:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        frames = _export(arguments)
    except (_RefusedError, FlightFileError, LogError, VideoError, ValueError) as error:
        return refuse(error)
    print(f"{frames} frames written to {arguments.out}.")
    return 0


def _run_templates(_arguments: argparse.Namespace) -> int:
    """One line each: its name and what it is; one that is not right with what is wrong."""
    folder = Folders.of_user(os.environ).video_templates
    templates, has_failed = VideoTemplates(folder), False
    for name in templates.names():
        try:
            print_lines([f"{name:<12} {templates.load(name).title}"])
        except ValueError as error:
            has_failed = bool(refuse(error))
    print(f"Your own stand in {folder}.")
    return int(has_failed)


def _export(arguments: argparse.Namespace) -> int:
    size = _size(arguments.size) if arguments.size else None
    start_s = None if arguments.start is None else parse_time(arguments.start)
    end_s = None if arguments.end is None else parse_time(arguments.end)
    folders = Folders.of_user(os.environ)
    template = VideoTemplates(folders.video_templates).load(arguments.template)
    names = _view_names(arguments.views, template)
    vehicle = _open(arguments.flight, arguments.out, catalogue_for(arguments))

    from PySide6.QtWidgets import QApplication
    from tqdm import tqdm

    from app.plugin_loading.loader import find_plugins
    from app.run import make_application
    from app.video.export import VideoExportRequest, export_video
    from app.video.views import ViewSpace
    from widgets.theme import apply_theme, load_theme

    panels = find_plugins(folders.plugins).panels
    places = _places(arguments.workspace, vehicle, folders)
    views = [_view(name, places, panels) for name in names]
    video = _video(arguments.video, vehicle)
    app = QApplication.instance() or make_application()
    theme = load_theme(arguments.theme)
    if isinstance(app, QApplication):
        apply_theme(app, theme)
    fleet = Fleet()
    fleet.add(vehicle)
    with (
        ThreadPoolExecutor(2, thread_name_prefix="job") as jobs,
        tqdm(unit="s", leave=False, disable=None, file=drawn_on(sys.stderr)) as bar,
        _interrupts() as check_interrupt,
    ):

        def show(done_s: float, total_s: float) -> None:
            check_interrupt()
            bar.total = round(total_s, 1)
            bar.update(round(done_s, 1) - bar.n)
            if arguments.tell_progress:
                print(f"{done_s / max(total_s, 1e-9):.4f}", flush=True)

        request = VideoExportRequest(
            *(arguments.out, video, template, views, size, start_s, end_s),
            *(arguments.encoder, show, places),
        )
        return export_video(request, vehicle, ViewSpace(fleet, theme, jobs, panels))


@contextmanager
def _interrupts() -> Iterator[Callable[[], None]]:
    """Have Ctrl+C raised where it is asked for: while a widget paints, Qt would swallow it."""
    asked: list[int] = []

    def check() -> None:
        if asked:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, lambda number, _frame: asked.append(number))
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def _open(path: Path, out: Path, catalogue: Catalogue) -> Vehicle:
    """A flight, or a log as a flight of what was recorded with it. Raises FlightFileError and
    LogError; also where `out` is one of its files."""
    if path.suffix.lower() != SUFFIX:
        check_not_own(out, path, path, FlightContent())
        vehicle = replay_vehicle(read_log(path, catalogue), catalogue)
        for problem in attach_streams(vehicle.recording, streams_beside(path)):
            print(problem, file=sys.stderr)
        take_streams(flight_of(vehicle), vehicle.recording)
        return vehicle
    stored = read_flight(path)
    check_not_own(out, path, stored.log, stored.content)
    if stored.problem:
        raise FlightFileError(f"{stored.problem} Put it beside {path.name}.")
    vehicle = replay_vehicle(read_log(stored.log, catalogue), catalogue)
    flight_of(vehicle).content = stored.content
    return vehicle


def _places(workspace: str, vehicle: Vehicle, folders: Folders) -> tuple[PanelPlace, ...]:
    """The panels that views are chosen from, the flight's own before those of every flight."""
    usual = WorkspaceStore(folders.workspaces).load(workspace or _WORKSPACE).panels
    layout = flight_of(vehicle).layout
    if layout and not workspace:
        return (*Workspace.from_json("flight", dict(layout)).panels, *usual)
    return usual


def _video(name: str, vehicle: Vehicle) -> FlightVideo | None:
    """The video of this name, or the first; None where there is none and none was asked for."""
    videos = flight_of(vehicle).videos
    if not name:
        return videos[0] if videos else None
    found = flight_of(vehicle).video(name)
    if found is None:
        names = ", ".join(video.name for video in videos) or "none"
        raise _RefusedError(f"The flight has no video '{name}'; it has {names}.")
    return found


def _view(name: str, places: Sequence[PanelPlace], panels: "dict[str, Any]") -> PanelPlace:
    """A panel of the workspace by its name there, or any panel by the name of its kind."""
    for place in places:
        if place.key == name and place.panel in panels:
            return place
    if name in panels:
        return PanelPlace(name, name)
    known = ", ".join([*(place.key for place in places), *panels])
    raise _RefusedError(f"There is no view '{name}'; choose among {known}.")


def _view_names(asked: str | None, template: VideoTemplate) -> Sequence[str]:
    """Those that are asked for, or the template's own."""
    if asked is None:
        return template.views
    if asked and template.strip_share is None:
        raise _RefusedError(
            f"The template {template.name} has no room for views. Leave --views away, or take "
            f"--template {USUAL}."
        )
    return _words(asked)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    sides = (width, height)
    if not all(side.isdecimal() and _LEAST_SIDE <= int(side) <= _MOST_SIDE for side in sides):
        raise _RefusedError(f"'{text}' is not a size; write it like 1280x720.")
    return int(width), int(height)
