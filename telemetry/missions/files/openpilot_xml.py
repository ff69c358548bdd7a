"""OpenPilot's and LibrePilot's mission files: XML, read and written.

As ground/gcs/src/plugins/opmap/flightdatamodel.cpp has it. Options are numbers in the wire's order.
Jumps and errors lead to waypoints counted from 1 there (modeluavoproxy.cpp takes 1 away); 0 means
the next waypoint, and for errors none. AboveAltitude counts upwards as in firmware since LP-601;
files from before have it downwards, which only a negative height tells.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from telemetry.base.escaping import markup_attribute
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.flown_plan import flown_plan
from telemetry.missions.legs import height_above_home_m
from telemetry.missions.local_coordinates import MissionHome, to_latitude_longitude
from telemetry.missions.mission import (
    HeightReference,
    LegAction,
    Mission,
    MissionWaypoint,
    Parameters,
    place_of,
)
from telemetry.missions.waypoint_options import COMMANDS, END_CONDITIONS, MODES
from telemetry.protocol.objects.xml_tree import XmlElement, XmlError, parse_tree

ROOT: Final = "waypoints"
_OPTIONS: Final = {
    "mode": [mode.name for mode in MODES],
    "condition": [condition.name for condition in END_CONDITIONS],
    "command": [command.name for command in COMMANDS],
}


def read_peers(path: Path, data: bytes, home: MissionHome | None = None) -> Mission:
    """The mission in a file. `home` is needed where waypoints are relative to home and the file
    has no coordinates. Raises MissionFileError."""
    try:
        root = parse_tree(_text(data))
    except XmlError as error:
        raise MissionFileError(path, error.what, error.line) from None
    if root.tag != ROOT:
        what = f"this is no plan: it begins with <{root.tag}> instead of <{ROOT}>."
        raise MissionFileError(path, what, root.line)
    waypoints = [_Fields(path, element).waypoint(home) for element in root.all("waypoint")]
    return Mission(tuple(waypoints), home)


def _text(data: bytes) -> bytes | str:
    """The peers write Latin 1 without saying so."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data if data[:5] == b"<?xml" or b"\0" in data else data.decode("latin-1")
    return data


class _Fields:
    """The fields of one waypoint."""

    def __init__(self, path: Path, element: XmlElement) -> None:
        self._path = path
        self._element = element
        self._fields = {
            field.attributes.get("name", ""): (field.attributes.get("value", ""), field.line)
            for field in element.all("field")
        }

    def waypoint(self, home: MissionHome | None) -> MissionWaypoint:
        latitude, longitude = self._place(home)
        is_relative = bool(self._whole("is_relative_to_home", 1))
        return MissionWaypoint(
            latitude,
            longitude,
            self._number("altitude_above_home" if is_relative else "altitude"),
            self._number("velocity"),
            HeightReference.HOME if is_relative else HeightReference.SEA,
            self._action(),
            self._fields.get("description", ("", 0))[0],
            bool(self._whole("is_locked", 0)),
        )

    def _place(self, home: MissionHome | None) -> tuple[float, float]:
        latitude, longitude = self._number("latitude"), self._number("longitude")
        if not (-90.0 <= latitude <= 90.0 and -180.0 <= longitude <= 180.0):
            self._fail("latitude", f"{latitude:g}, {longitude:g} is no place on Earth; correct it.")
        if latitude or longitude:
            return latitude, longitude
        distance = self._number("distance_to_home")
        bearing = math.radians(self._number("bearing_from_home"))
        if home is None:
            self._fail("latitude", "it has no coordinates, only a distance from home; give home.")
            raise AssertionError
        return to_latitude_longitude(
            home, distance * math.cos(bearing), distance * math.sin(bearing)
        )

    def _action(self) -> LegAction:
        return LegAction(
            self._option("mode"),
            self._four("mode_param"),
            self._option("condition"),
            self._four("condition_param"),
            self._option("command"),
            self._whole("jumpdestination", 0) - 1,
            self._whole("errordestination", 0) - 1,
        )

    def _option(self, name: str) -> str:
        number, options = self._whole(name, 0), _OPTIONS[name]
        if not 0 <= number < len(options):
            self._fail(name, f"there is no {name} {number}; give 0 to {len(options) - 1}.")
        return options[number]

    def _four(self, name: str) -> Parameters:
        a, b, c, d = (self._number(f"{name}{i}") for i in range(4))
        return a, b, c, d

    def _number(self, name: str) -> float:
        text, _ = self._fields.get(name, ("0", 0))
        try:
            value = float(text.replace(",", "."))  # a station in German writes a comma
        except ValueError:
            value = math.nan
        if not abs(value) < 1e9:
            self._fail(name, f"'{text}' is no number for {name}; correct it.")
        return value

    def _whole(self, name: str, default: int) -> int:
        text, _ = self._fields.get(name, (str(default), 0))
        number = {"true": 1.0, "false": 0.0}.get(text.lower())
        value = self._number(name) if number is None and name in self._fields else number
        value = float(default) if value is None else value
        if value != int(value) or abs(value) > 32768:
            self._fail(name, f"'{text}' is no whole number for {name}; correct it.")
        return int(value)

    def _fail(self, name: str, what: str) -> None:
        line = self._fields.get(name, ("", self._element.line))[1] or self._element.line
        raise MissionFileError(self._path, what, line)


def not_in_peers(mission: Mission) -> Sequence[str]:
    """What such a file does not say."""
    found = []
    if mission.take_off is not None:
        found.append("The take-off is left out: such a plan begins in the air.")
    if mission.fences:
        found.append("The fences are left out.")
    return found


def write_peers(mission: Mission) -> bytes:
    """The file, an ending as waypoints. Heights above ground become heights above home on flat
    ground. Raises ValueError where home is needed and not known."""
    home = mission.home
    if home is None:
        raise ValueError("the peers' plans need home; connect the aircraft, or set home")
    mission = flown_plan(mission, home)
    lines = ["<!DOCTYPE PathPlan>", f"<{ROOT}>"]
    for number, waypoint in enumerate(mission.waypoints):
        lines.append(f' <waypoint number="{number}">')
        for name, value in _field_values(waypoint, home).items():
            lines.append(
                f"  <field value={markup_attribute(value)} name={markup_attribute(name)}/>"
            )
        lines.append(" </waypoint>")
    return "\n".join((*lines, f"</{ROOT}>", "")).encode("ascii", "xmlcharrefreplace")


def _field_values(waypoint: MissionWaypoint, home: MissionHome) -> Mapping[str, str]:
    north, east = place_of(waypoint, home)
    height, action = height_above_home_m(waypoint, home), waypoint.action
    is_relative = waypoint.height_reference is not HeightReference.SEA
    return {
        "description": waypoint.name,
        "latitude": f"{waypoint.latitude_deg:.16f}",
        "longitude": f"{waypoint.longitude_deg:.16f}",
        "distance_to_home": f"{math.hypot(north, east):.16f}",
        "bearing_from_home": f"{math.degrees(math.atan2(east, north)) % 360.0:.16f}",
        "altitude_above_home": f"{height:.16f}",
        "is_relative_to_home": str(int(is_relative)),
        "altitude": f"{height + home.altitude_m:.9g}",
        "velocity": f"{waypoint.velocity_mps:.9g}",
        "mode": str(_OPTIONS["mode"].index(action.mode)),
        **{f"mode_param{i}": f"{p:.9g}" for i, p in enumerate(action.mode_parameters)},
        "condition": str(_OPTIONS["condition"].index(action.end_condition)),
        **{f"condition_param{i}": f"{p:.9g}" for i, p in enumerate(action.condition_parameters)},
        "command": str(_OPTIONS["command"].index(action.command)),
        "jumpdestination": str(action.jump_destination + 1),
        "errordestination": str(action.error_destination + 1),
        "is_locked": str(int(waypoint.is_locked)),
    }
