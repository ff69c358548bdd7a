"""The command `lapwing sync`."""

import argparse
import json
import math
from pathlib import Path

from telemetry.base.command_line import Subparsers, percent_bar, print_lines, refuse
from telemetry.protocol.objects.cli import catalogue_for
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.recording.recording import Recording
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.sync import Piece
from telemetry.review.flights.synchronisation.suggestion import SyncSuggestion

NOT_FOUND = 1


def add_commands(subparsers: Subparsers) -> None:
    """Add `sync`; it sets `run`, which returns the exit code."""
    sync = subparsers.add_parser("sync", help="find how a video runs against a log, by itself")
    sync.add_argument(
        "videos",
        type=Path,
        nargs="+",
        metavar="VIDEO",
        help="one file, or the files of a loop recording in their order",
    )
    sync.add_argument("log", type=Path, metavar="LOG")
    sync.add_argument("--json", action="store_true", help="print one JSON object")
    sync.add_argument(
        "--field-of-view",
        type=float,
        default=CameraSettings().field_of_view_deg,
        metavar="DEG",
        help="horizontal, about (%(default)g if not given); it is estimated along",
    )
    sync.add_argument(
        "--shutter",
        type=float,
        default=0.0,
        metavar="S",
        help="a rolling shutter's time from the first row to the last",
    )
    sync.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if not 10 <= arguments.field_of_view <= 170 or not 0 <= arguments.shutter <= 0.1:
        return refuse(
            "--field-of-view lies between 10 and 170 degrees, --shutter between 0 and 0.1 s."
        )
    camera = CameraSettings(field_of_view_deg=arguments.field_of_view, shutter_s=arguments.shutter)
    try:
        recording = read_log(arguments.log, catalogue_for(arguments)).recording
        suggestion = _find(arguments.videos, recording, camera)
    except (LogError, VideoError) as error:
        if arguments.json:
            print(json.dumps(SyncSuggestion(None, str(error)).as_json()))
        return refuse(error)
    as_json = [json.dumps(suggestion.as_json())]
    print_lines(as_json if arguments.json else suggestion_lines(suggestion))
    return 0 if suggestion.is_found else NOT_FOUND


def _find(videos: list[Path], recording: Recording, camera: CameraSettings) -> SyncSuggestion:
    from telemetry.review.flights.synchronisation.find_sync import find_sync

    with percent_bar("Looking at the video") as show:
        return find_sync(videos, recording, camera, show)


def suggestion_lines(suggestion: SyncSuggestion) -> list[str]:
    """A suggestion for people."""
    sync, noted = suggestion.sync, [suggestion.note] if suggestion.note else []
    if sync is None:
        return [f"Not found. {suggestion.reason}", *noted]
    lines = [f"video = {piece.offset_s:.3f} s + {piece.rate:.6f} x log" for piece in sync.pieces]
    if len(sync.pieces) > 1:
        lines = [
            f"{line}   {_extent(piece)}{_quality(piece)}"
            for line, piece in zip(lines, sync.pieces, strict=True)
        ]
    lines.append(
        f"Exact to {sync.sigma_s or 0.0:.4f} s (one sigma), "
        f"confidence {sync.confidence or 0.0:.2f}, by {sync.method}."
    )
    if suggestion.camera is not None:
        lines.extend(suggestion.camera.lines)
    return [*lines, *noted]


def _extent(piece: Piece) -> str:
    end_s = piece.medium_end_s
    to = f"{end_s:.2f} s" if math.isfinite(end_s) else "the end"
    return f"from {max(piece.medium_start_s, 0.0):.2f} s to {to} of the video"


def _quality(piece: Piece) -> str:
    if piece.sigma_s is None or piece.confidence is None:
        return ""
    return f", exact to {piece.sigma_s:.4f} s, confidence {piece.confidence:.2f}"
