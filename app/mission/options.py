"""Shared options of `lapwing mission`: arguments, files, refusals, findings as text."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from telemetry.base.finding import Level
from telemetry.missions.aircraft_limits import MissionAircraft, ReadSetting, mission_aircraft
from telemetry.missions.checks.check import check_mission
from telemetry.missions.checks.situation import MissionFinding, MissionLimits, MissionSituation
from telemetry.missions.files.formats import read_carried
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import GroundHeights
from telemetry.missions.terrain.opening import open_terrain
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, read_path, row_of

BAD_INPUT: Final = 1
BAD_ENVIRONMENT: Final = 2
_WORDS: Final = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note"}


def add_mission_options(parser: argparse.ArgumentParser) -> None:
    """Add what says where a mission is flown and what is allowed."""
    limits = MissionLimits()
    parser.add_argument(
        "--home",
        metavar="LAT,LON[,ALT]",
        type=_home,
        help="where it is flown from, for files that do not say; altitude above sea level",
    )
    parser.add_argument(
        "--terrain",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="heights of the ground, SRTM .hgt or GeoTIFF; may be given several times",
    )
    for name, value, what in (
        ("--farthest", limits.farthest_m, "the farthest from home"),
        ("--highest", limits.highest_m, "the highest above home"),
        ("--clearance", limits.clearance_m, "the lowest above ground"),
    ):
        parser.add_argument(
            name, metavar="M", type=float, default=value, help=f"{what} (default {value:g} m)"
        )


def _home(text: str) -> MissionHome:
    try:
        latitude, longitude, *altitude = (float(part) for part in text.split(","))
        (height,) = altitude or (0.0,)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no place; write LAT,LON,ALT") from None
    if not (-90.0 <= latitude <= 90.0 and -180.0 <= longitude <= 180.0 and abs(height) < 1e5):
        raise argparse.ArgumentTypeError(f"'{text}' is no place on Earth")
    return MissionHome(latitude, longitude, height)


def read_for(options: argparse.Namespace) -> tuple[Mission, GroundHeights]:
    """The mission and the ground of the options; what of the file could not be taken is told on
    stderr. Raises MissionFileError, TerrainError."""
    carried = read_carried(options.file, options.home)
    mission = carried.mission
    for sentence in carried.left_out:
        print(sentence, file=sys.stderr)
    if options.home is not None:
        mission = replace(mission, home=options.home)
    return mission, GroundHeights(tuple(open_terrain(path) for path in options.terrain))


def judge(
    options: argparse.Namespace,
    mission: Mission,
    aircraft: MissionAircraft,
    ground: GroundHeights,
    home: MissionHome | None = None,
) -> tuple[MissionFinding, ...]:
    """What is found in it, by the limits of the options, flown from `home` or else its own."""
    limits = MissionLimits(options.farthest, options.highest, options.clearance)
    return check_mission(MissionSituation(mission, aircraft, limits, ground, home))


def preset_aircraft(name: str, catalogue: Catalogue) -> MissionAircraft:
    """A simulated aircraft as missions see it. Raises PresetError."""
    from simulation.autopilot.preset import load_preset

    preset = load_preset(name)
    return mission_aircraft(_read_values(preset.objects, catalogue), preset.name)


def _read_values(objects: Any, catalogue: Catalogue) -> ReadSetting:
    """Values over the defaults of the release that the simulated board has."""

    def read(name: str, path: str) -> Any:
        if not name or name == "GeoFenceSettings":
            return None
        definition = catalogue.find(name, DEFAULT_RELEASE)
        if not definition.has_field(path.partition(".")[0]):
            return None
        row = row_of(definition, pack_values(definition, objects.get(name, {})))
        return read_path(definition, row, path)

    return read


def findings_json(findings: tuple[MissionFinding, ...]) -> list[dict[str, Any]]:
    """Findings as JSON; waypoints count from 1, as in the texts."""
    return [
        {
            "level": f.finding.level.name.lower(),
            "code": f.finding.code,
            "text": f.finding.text,
            "remedy": f.finding.remedy,
            "waypoints": [i + 1 for i in f.waypoints],
        }
        for f in findings
    ]


def findings_lines(findings: tuple[MissionFinding, ...]) -> list[str]:
    """Findings, one a line."""
    return [
        f"{_WORDS.get(f.finding.level, 'note')}: {f.finding.text} {f.finding.remedy}".rstrip()
        for f in findings
    ]


def refuse(sentence: object, code: int = BAD_INPUT) -> int:
    """Say why not, and give the exit code."""
    print(sentence, file=sys.stderr)
    return code
