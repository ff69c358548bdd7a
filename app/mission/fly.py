"""Mission flight: `lapwing mission fly`, a mission flown fast in simulation."""

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app.mission.options import add_mission_options, read_for, refuse
from telemetry.base.command_line import Subparsers, print_lines
from telemetry.missions.flown_plan import waypoint_words
from telemetry.missions.legs import height_above_home_m
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude
from telemetry.missions.mission import HeightReference, Mission
from telemetry.missions.terrain.elevation import GroundHeights
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.cli import catalogue_for

if TYPE_CHECKING:
    from app.mission.board_settings import BoardSettings
    from simulation.command.mission_flight import MissionFlight

_FASTEST_WIND: Final = 50.0
_OVER_FLAT_GROUND: Final = "The ground of the simulation is flat at home's height."
_OVER_TERRAIN: Final = "It flew over the terrain given, and began on flat ground at home's height."


def add_flying(commands: Subparsers) -> None:
    """Add the command."""
    fly = commands.add_parser("fly", help="fly a mission in simulation, fast")
    fly.add_argument("file", type=Path, metavar="FILE")
    fly.add_argument("--aircraft", metavar="NAME", help="the simulated aircraft")
    fly.add_argument(
        "--settings",
        metavar="FILE",
        type=Path,
        help="fly it by these settings of a board: gains, limits, and the mixer if it fits",
    )
    fly.add_argument(
        "--wind",
        metavar="N,E",
        type=_wind,
        default=(0.0, 0.0),
        help="how the air moves to the north and to the east, m/s",
    )
    fly.add_argument("--record", metavar="LOG", type=Path, help="write telemetry to an .opl")
    fly.add_argument(
        "--firmware",
        metavar="PROGRAM",
        type=Path,
        help="by a flight controller built for this computer (simulation/hitl/README.md)",
    )
    fly.add_argument("--seed", type=int, default=1, help="of the noise (default 1)")
    fly.add_argument("--json", action="store_true", help="print one JSON object")
    add_mission_options(fly)
    fly.set_defaults(run=_run)


def _wind(text: str) -> tuple[float, float]:
    try:
        north, east = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no wind; write N,E in m/s") from None
    if not math.hypot(north, east) <= _FASTEST_WIND:
        raise argparse.ArgumentTypeError(f"'{text}': at most {_FASTEST_WIND:g} m/s")
    return north, east


def _run(options: argparse.Namespace) -> int:
    from simulation.autopilot.preset import DEFAULT_AIRCRAFT
    from simulation.command.firmware_option import firmware_of
    from simulation.command.mission_flight import MissionTask, fly_mission
    from simulation.serving.recording_file import open_recording
    from simulation.serving.warm_up import warm_up

    try:
        mission, ground = read_for(options)
        home = mission.home
        if home is None:
            return refuse(f"{options.file}: home is not known; add --home LAT,LON,ALT.")
        flown = _above_home(mission, home, ground)
        name = options.aircraft or DEFAULT_AIRCRAFT
        catalogue = catalogue_for(options)
        settings = _settings_of(options, name, catalogue)
        with ExitStack() as resources:
            task = MissionTask(
                flown,
                home,
                name,
                options.wind,
                options.seed,
                settings=settings.objects,
                ground_m=_ground_of(ground, home),
                firmware=firmware_of(options.firmware, resources),
            )
            write = open_recording(options.record, _tell, resources, catalogue=catalogue)
            warm_up(task.config(), catalogue)
            flight = fly_mission(task, catalogue, write)
    except ValueError as error:  # of the file, the aircraft, the plan or the log: a sentence each
        return refuse(error)
    if options.json:
        report = {**_report(flight, name, home), "left_out": list(settings.left_out)}
        print(json.dumps(report))
    else:
        print_lines(_lines(flight, mission, name, settings.left_out, has_terrain=bool(ground.maps)))
    return 0 if flight.is_good else 1


def _settings_of(options: argparse.Namespace, name: str, catalogue: Catalogue) -> "BoardSettings":
    """What is taken of the settings of the options. Raises SettingsError, PresetError."""
    from app.mission.board_settings import BoardSettings, board_settings
    from simulation.autopilot.preset import load_preset
    from telemetry.configuration.settings.files import read_settings

    if options.settings is None:
        return BoardSettings({})
    document = read_settings(options.settings, catalogue)
    return board_settings(document.snapshot, load_preset(name), catalogue)


def _ground_of(ground: GroundHeights, home: MissionHome) -> Callable[[float, float], float | None]:
    """The height of the ground above home by metres from home, as far as maps tell."""
    above = ground.above(home)

    def ground_m(north_m: float, east_m: float) -> float | None:
        if not ground.maps:
            return None
        return above.known_m(*to_latitude_longitude(home, north_m, east_m))

    return ground_m


def _above_home(mission: Mission, home: MissionHome, ground: GroundHeights) -> Mission:
    """With all heights counted from home, as the board takes them."""
    return mission.with_waypoints(
        tuple(
            replace(
                w,
                height_m=height_above_home_m(w, home, ground),
                height_reference=HeightReference.HOME,
            )
            for w in mission.waypoints
        )
    )


def _report(flight: "MissionFlight", aircraft: str, home: MissionHome) -> dict[str, Any]:
    places = [to_latitude_longitude(home, p.north_m, p.east_m) for p in flight.track]
    return {
        "aircraft": aircraft,
        "completed": flight.is_good,
        "ending": flight.ending,
        "reason": flight.reason,
        "time_s": round(flight.track[-1].time_s, 2) if flight.track else 0.0,
        "take_off_s": _rounded(flight.take_off_s),
        "largest_cross_track_m": _rounded(flight.largest_cross_track_m),
        "energy_left_percent": round(flight.track[-1].charge_percent, 2) if flight.track else None,
        "legs": [
            {
                "waypoint": leg.waypoint + 1,
                "start_s": round(leg.start_s, 2),
                "time_s": round(leg.end_s - leg.start_s, 2),
                "largest_cross_track_m": _rounded(leg.largest_cross_track_m),
            }
            for leg in flight.legs
        ],
        "track": {
            "time_s": [round(p.time_s, 3) for p in flight.track],
            "latitude_deg": [round(latitude, 8) for latitude, _ in places],
            "longitude_deg": [round(longitude, 8) for _, longitude in places],
            "height_m": [round(p.up_m, 2) for p in flight.track],
            "energy_percent": [round(p.charge_percent, 2) for p in flight.track],
        },
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _lines(
    flight: "MissionFlight",
    mission: Mission,
    aircraft: str,
    left_out: Sequence[str],
    *,
    has_terrain: bool,
) -> list[str]:
    lines = [f"{aircraft}: {flight.ending}. {flight.reason}".rstrip()]
    if flight.take_off_s is not None:
        lines.append(f"take-off: {flight.take_off_s:.1f} s")
    for leg in flight.legs:
        beside = leg.largest_cross_track_m
        aside = "" if beside is None else f", up to {beside:.1f} m beside the path"
        lines.append(
            f"{waypoint_words(mission, leg.waypoint)}: {leg.end_s - leg.start_s:.1f} s{aside}"
        )
    if flight.track:
        last = flight.track[-1]
        lines.append(f"{last.time_s:.0f} s in all, {last.charge_percent:.0f} % of energy left.")
        lines.append(_OVER_TERRAIN if has_terrain else _OVER_FLAT_GROUND)
    lines += [f"Left out: {what}." for what in left_out]
    return lines


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr)
