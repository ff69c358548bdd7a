"""The command `lapwing video calibrate`."""

import argparse
import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telemetry.base.command_line import BAD_INPUT, Subparsers, percent_bar, print_lines, refuse
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.chessboard import Chessboard, parse_board

if TYPE_CHECKING:
    from telemetry.review.cameras.lens_calibration import LensCalibration


def add_command(commands: Subparsers) -> None:
    """Add `calibrate`; it sets `run`, which returns the exit code."""
    calibrate = commands.add_parser(
        "calibrate", help="find a camera's lens from a film of a chessboard"
    )
    calibrate.add_argument("video", type=Path, metavar="VIDEO", help="the film of the board")
    calibrate.add_argument(
        "--board",
        default="9x6",
        metavar="CxR",
        help="its inner corners, where four squares meet; %(default)s if not given",
    )
    calibrate.add_argument("--json", action="store_true", help="print one JSON object")
    calibrate.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from telemetry.review.cameras.lens_calibration import LensCalibrationError

    try:
        found = _calibrate(arguments.video, parse_board(arguments.board))
    except ValueError as error:
        text = str(error)
        return refuse(f"{text[:1].upper()}{text[1:]}.")
    except VideoError as error:
        return refuse(error)
    except LensCalibrationError as error:
        if not arguments.json:
            return refuse(f"Not calibrated. {error}")
        print(json.dumps({"found": False, "reason": str(error)}))
        return BAD_INPUT
    print_lines([json.dumps(_as_json(found))] if arguments.json else _lines(found))
    return 0


def _calibrate(video: Path, board: Chessboard) -> "LensCalibration":
    from telemetry.recording.video_files.reader import open_video
    from telemetry.review.cameras.lens_calibration import calibrate_lens, film_of

    with closing(open_video([video])) as source, percent_bar("Looking for the board") as show:
        return calibrate_lens(film_of(source), board, show)


def _as_json(found: "LensCalibration") -> dict[str, Any]:
    camera = found.camera(CameraSettings())
    return {
        "found": True,
        "size": list(found.size),
        "focal_px": list(camera.focal_px),
        "centre_px": list(camera.centre_px),
        "distortion": list(camera.distortion),
        "field_of_view_deg": camera.field_of_view_deg,
        "rms_px": round(found.rms_px, 4),
        "views_used": found.views_used,
        "views_found": found.views_found,
        "frames_seen": found.frames_seen,
        "coverage": round(found.coverage, 3),
        "tilt_deg": round(found.tilt_deg, 1),
        "focal_sigma": round(found.focal_sigma, 6),
    }


def _lines(found: "LensCalibration") -> list[str]:
    camera = found.camera(CameraSettings())
    width, height = found.size
    rows = (
        ("Pictures", f"{width}x{height}"),
        ("Focal lengths", "{:.1f}, {:.1f} px".format(*camera.focal_px)),
        ("Centre", "{:.1f}, {:.1f} px".format(*camera.centre_px)),
        ("Distortion", ", ".join(f"{value:.4f}" for value in camera.distortion)),
        ("Field of view", f"{camera.field_of_view_deg:.1f} degrees"),
        ("Error", f"{found.rms_px:.2f} px RMS over {found.views_used} views"),
        ("Seen", f"in {found.views_found} of {found.frames_seen} pictures"),
        ("Coverage", f"{100 * found.coverage:.0f} % of the picture"),
        ("Tilt", f"{found.tilt_deg:.0f} degrees"),
    )
    return [f"{name + ':':<15}{text}" for name, text in rows]
