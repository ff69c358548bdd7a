"""Mission transfer: `lapwing mission upload` and `download`."""

import argparse
import json
import os
from pathlib import Path
from typing import Any, Final

from app.mission.options import (
    BAD_ENVIRONMENT,
    add_mission_options,
    findings_json,
    findings_lines,
    judge,
    read_for,
    refuse,
)
from telemetry.base.clock import monotonic_s
from telemetry.base.command_line import Subparsers, print_lines
from telemetry.base.folders import Folders
from telemetry.configuration.settings.headless import Headless, add_wait
from telemetry.missions.aircraft_limits import mission_aircraft, settings_in
from telemetry.missions.board.plan import board_home
from telemetry.missions.board.plan_backup import plan_backups
from telemetry.missions.board.transfer import MissionDownload, MissionUpload, PlanTransfer
from telemetry.missions.checks.check import is_refused
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import write_mission
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.objects.cli import catalogue_for

_LINK_BACK_S: Final = 30.0


def add_carrying(commands: Subparsers) -> None:
    """Add both commands."""
    upload = commands.add_parser("upload", help="check a mission and write it to a board")
    download = commands.add_parser("download", help="write a board's mission to a file")
    for parser, run in ((upload, _run_upload), (download, _run_download)):
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("address", metavar="ADDRESS", help="such as tcp:host:9000")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        add_wait(parser)
        parser.set_defaults(run=run)
    add_mission_options(upload)


def _run_upload(options: argparse.Namespace) -> int:
    try:
        mission, ground = read_for(options)
        catalogue = catalogue_for(options)
        with Headless(options.address, options.open_link, catalogue, options.wait) as remote:
            remote.fetch_all()
            recording = remote.vehicle.recording
            aircraft = mission_aircraft(settings_in(recording, float("inf")))
            findings = judge(options, mission, aircraft, ground, board_home(recording))
            report: dict[str, Any] = {"file": str(options.file), "address": options.address}
            report["findings"] = findings_json(findings)
            if is_refused(findings):
                if options.json:
                    print(json.dumps({**report, "uploaded": False}))
                else:
                    print_lines(findings_lines(findings))
                return refuse("Not sent: mend the errors first.")
            kept = plan_backups(Folders.of_user(os.environ).plan_backups)
            upload = MissionUpload(remote.vehicle, mission, ground, kept)
            seconds = _finish(remote, upload)
    except LinkError as error:
        return refuse(error, BAD_ENVIRONMENT)
    except ValueError as error:
        return refuse(error)
    report |= {
        "uploaded": not upload.problem,
        "waypoints": len(upload.image.waypoints),
        "actions": len(upload.image.actions),
        "seconds": round(seconds, 3),
    }
    if options.json:
        print(json.dumps({**report, "problem": upload.problem}))
    elif not upload.problem:
        if findings:
            print_lines(findings_lines(findings))
        print(f"{report['waypoints']} waypoints are on board and read back, in {seconds:.1f} s.")
    return refuse(upload.problem) if upload.problem else 0


def _run_download(options: argparse.Namespace) -> int:
    if options.file.exists():
        return refuse(f"{options.file} is there already and stays as it is; choose another name.")
    try:
        catalogue = catalogue_for(options)
        with Headless(options.address, options.open_link, catalogue, options.wait) as remote:
            remote.fetch_all()
            download = MissionDownload(remote.vehicle)
            seconds = _finish(remote, download)
        if not download.problem:
            write_mission(options.file, download.mission)
    except LinkError as error:
        return refuse(error, BAD_ENVIRONMENT)
    except MissionFileError as error:
        return refuse(error)
    count = len(download.mission.waypoints)
    if options.json:
        report = {"downloaded": not download.problem, "waypoints": count}
        print(json.dumps({**report, "seconds": round(seconds, 3), "problem": download.problem}))
    elif not download.problem:
        print(f"{options.file}: {count} waypoints.")
    return refuse(download.problem) if download.problem else 0


def _finish(remote: Headless, transfer: PlanTransfer) -> float:
    """Wait for a transfer as long as it goes on; seconds it took."""
    began_s = since_s = monotonic_s()
    seen: tuple[str, int] | None = None
    while not transfer.poll():
        if (transfer.text, transfer.done) != seen:
            seen, since_s = (transfer.text, transfer.done), monotonic_s()
        if monotonic_s() - since_s > _LINK_BACK_S:
            transfer.cancel()
            transfer.problem = "The board no longer answers. Try again when the link is back."
        remote.step()
    return monotonic_s() - began_s
