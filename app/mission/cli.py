"""Command line of `lapwing mission`, with its commands."""

import argparse
import json
from pathlib import Path
from typing import Any

from app.mission.fly import add_flying
from app.mission.options import (
    BAD_INPUT,
    add_mission_options,
    findings_json,
    findings_lines,
    judge,
    preset_aircraft,
    read_for,
    refuse,
)
from app.mission.transfer import add_carrying
from telemetry.base.command_line import Subparsers, add_word, print_lines
from telemetry.missions.aircraft_limits import MissionAircraft
from telemetry.missions.checks.check import is_refused
from telemetry.missions.estimate import MissionEstimate, estimate
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import read_suffixes, write_mission, written_suffixes
from telemetry.missions.flown_plan import flown_plan
from telemetry.missions.legs import legs_of
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import GroundHeights, TerrainError
from telemetry.protocol.objects.cli import catalogue_for


def add_commands(subparsers: Subparsers) -> None:
    """Add `mission` with its commands; each sets `run`, which returns the exit code."""
    commands = add_word(subparsers, "mission", "check, carry, convert and fly missions")
    check = commands.add_parser("check", help="say what is wrong with a mission")
    check.add_argument("file", type=Path, metavar="FILE")
    check.add_argument("--aircraft", metavar="NAME", help="a simulated aircraft, for its limits")
    check.add_argument("--json", action="store_true", help="print one JSON object")
    add_mission_options(check)
    check.set_defaults(run=_run_check)
    convert = commands.add_parser("convert", help="write a mission in another format")
    convert.add_argument("file", type=Path, metavar="A", help=", ".join(read_suffixes()))
    convert.add_argument("out", type=Path, metavar="B", help=", ".join(written_suffixes()))
    add_mission_options(convert)
    convert.set_defaults(run=_run_convert)
    add_carrying(commands)
    add_flying(commands)


def _run_check(options: argparse.Namespace) -> int:
    aircraft = MissionAircraft()
    try:
        mission, ground = read_for(options)
        if options.aircraft is not None:
            aircraft = preset_aircraft(options.aircraft, catalogue_for(options))
    except ValueError as error:  # of the file, the ground or the aircraft: a sentence each
        return refuse(error)
    findings = judge(options, mission, aircraft, ground)
    expected = _estimated(mission, aircraft, ground)
    if options.json:
        report = {
            "file": str(options.file),
            "waypoints": len(mission.waypoints),
            "ready": not is_refused(findings),
            "findings": findings_json(findings),
            "estimate": None if expected is None else _estimate_json(expected),
        }
        print(json.dumps(report))
    else:
        print(f"{options.file}: {len(mission.waypoints)} waypoints.")
        if expected is not None:
            print(_estimate_text(expected))
        if findings:
            print_lines(findings_lines(findings))
    return BAD_INPUT if is_refused(findings) else 0


def _estimated(
    mission: Mission, aircraft: MissionAircraft, ground: GroundHeights
) -> MissionEstimate | None:
    if mission.home is None:
        return None
    flown = flown_plan(mission, mission.home, ground)
    legs = legs_of(flown, mission.home, ground, aircraft.take_off_height_m or 0.0)
    return estimate(flown, legs, aircraft)


def _estimate_json(found: MissionEstimate) -> dict[str, Any]:
    return {
        "time_s": round(found.time_s, 1),
        "distance_m": round(found.distance_m, 1),
        "highest_above_home_m": round(found.highest_m, 1),
        "ends_by_itself": not found.is_endless,
        "basis": list(found.basis),
    }


def _estimate_text(found: MissionEstimate) -> str:
    until = "one round, or until it stays" if found.is_endless else "until it has landed"
    return (
        f"About {found.time_s:.0f} s and {found.distance_m:.0f} m {until}, at most "
        f"{found.highest_m:.0f} m above home. {' '.join(found.basis)}"
    )


def _run_convert(options: argparse.Namespace) -> int:
    if options.out.exists():
        return refuse(f"{options.out} is there already and stays as it is; choose another name.")
    try:
        mission, _ = read_for(options)
        left_out = write_mission(options.out, mission)
    except (MissionFileError, TerrainError) as error:
        return refuse(error)
    print(f"{options.out}: {len(mission.waypoints)} waypoints.")
    print_lines(left_out)
    return 0
