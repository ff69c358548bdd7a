"""`lapwing mission fly`: a mission flown fast in simulation."""

import argparse
import json
import math
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app.mission.words import add_mission_options, read_for, refuse
from telemetry.command_line import Subparsers
from telemetry.missions.legs import height_above_home_m
from telemetry.missions.mission import HeightReference, Mission
from telemetry.missions.places import MissionHome, to_latitude_longitude
from telemetry.missions.terrain.elevation import GroundHeights
from telemetry.objects.cli import catalogue_for

if TYPE_CHECKING:
    from simulation.mission_flight import MissionFlight

_FASTEST_WIND: Final = 50.0


def add_flying(commands: Subparsers) -> None:
    """Add the command."""
    fly = commands.add_parser("fly", help="fly a mission in simulation, fast")
    fly.add_argument("file", type=Path, metavar="FILE")
    fly.add_argument("--aircraft", metavar="NAME", help="the simulated aircraft")
    fly.add_argument(
        "--wind",
        metavar="N,E",
        type=_wind,
        default=(0.0, 0.0),
        help="how the air moves to the north and to the east, m/s",
    )
    fly.add_argument("--record", metavar="LOG", type=Path, help="write telemetry to an .opl")
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
    from simulation.mission_flight import MissionTask, fly_mission
    from simulation.recording import open_recording
    from simulation.warm_up import warm_up

    try:
        mission, ground = read_for(options)
        home = mission.home
        if home is None:
            return refuse(f"{options.file}: home is not known; add --home LAT,LON,ALT.")
        flown = _above_home(mission, home, ground)
        name = options.aircraft or DEFAULT_AIRCRAFT
        task = MissionTask(flown, home, name, options.wind, options.seed)
        catalogue = catalogue_for(options)
        with ExitStack() as resources:
            write = open_recording(options.record, _tell, resources)
            warm_up(task.config(), catalogue)
            flight = fly_mission(task, catalogue, write)
    except ValueError as error:  # of the file, the aircraft, the plan or the log: a sentence each
        return refuse(error)
    print(json.dumps(_report(flight, name, home)) if options.json else _text(flight, name))
    return 0 if flight.is_good else 1


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


def _text(flight: "MissionFlight", aircraft: str) -> str:
    lines = [f"{aircraft}: {flight.ending}. {flight.reason}".rstrip()]
    for leg in flight.legs:
        beside = leg.largest_cross_track_m
        aside = "" if beside is None else f", up to {beside:.1f} m beside the path"
        lines.append(f"waypoint {leg.waypoint + 1}: {leg.end_s - leg.start_s:.1f} s{aside}")
    if flight.track:
        last = flight.track[-1]
        lines.append(f"{last.time_s:.0f} s in all, {last.charge_percent:.0f} % of energy left.")
        lines.append("The ground of the simulation is flat at home's height.")
    return "\n".join(lines)


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr)
