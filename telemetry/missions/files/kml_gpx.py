"""KML and GPX routes: places without what to do there.

They are read as lines to follow; KML is written too.

KML (OGC 12-007r2) has longitude before latitude; `altitudeMode` says what heights count from. Of a
GPX file (topografix.com/GPX/1/1) the routes count, else the way points, else the tracks.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from telemetry.base.escaping import markup_text
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.geofences import Fence
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import HeightReference, LegAction, Mission, MissionWaypoint
from telemetry.protocol.objects.xml_tree import XmlElement, XmlError, parse_tree

_KML: Final = re.compile(rb"<(?:\w+:)?kml[\s>]")
_GPX: Final = re.compile(rb"<(?:\w+:)?gpx[\s>]")
_HEIGHT_M: Final = 30.0
"""Above home, where a file has none."""
_MOST: Final = 10_000
_MODES: Final = {
    "absolute": HeightReference.SEA,
    "relativeToGround": HeightReference.GROUND,
    "clampToGround": HeightReference.HOME,
}
_KML_MODES: Final = {
    HeightReference.SEA: "absolute",
    HeightReference.GROUND: "relativeToGround",
    HeightReference.HOME: "relativeToGround",
}


def is_kml(data: bytes) -> bool:
    """Whether these first bytes are of a KML file."""
    return _KML.search(data) is not None


def is_gpx(data: bytes) -> bool:
    """Whether these first bytes are of a GPX file."""
    return _GPX.search(data) is not None


def read_kml(path: Path, data: bytes, _: MissionHome | None = None) -> Mission:
    """Points and lines become waypoints, polygons fences to stay inside. Raises
    MissionFileError."""
    root = _root(path, data, "kml")
    waypoints: list[MissionWaypoint] = []
    fences: list[Fence] = []
    for placemark in _all(root, "Placemark"):
        name = _text(placemark, "name")
        for geometry in _all(placemark, "Point", "LineString", "Polygon"):
            mode = _MODES.get(_text(geometry, "altitudeMode"), HeightReference.HOME)
            points = _coordinates(path, geometry)
            if _local(geometry.tag) == "Polygon":
                corners = tuple((lat, lon) for lat, lon, _ in points)
                corners = corners[:-1] if corners[:1] == corners[-1:] else corners
                if len(corners) >= 3:
                    fences.append(Fence(corners, name=name))
                continue
            waypoints += _waypoints(points, mode, name)
    return _complete(path, waypoints, fences, _text(root, "name"))


def read_gpx(path: Path, data: bytes, _: MissionHome | None = None) -> Mission:
    """Raises MissionFileError."""
    root = _root(path, data, "gpx")
    for tags in (("rtept",), ("wpt",), ("trkpt",)):
        waypoints: list[MissionWaypoint] = []
        for element in _all(root, *tags):
            latitude = _number(path, element, element.attributes.get("lat", ""))
            longitude = _number(path, element, element.attributes.get("lon", ""))
            _check_place(path, element, latitude, longitude)
            text = _text(element, "ele")
            height = _number(path, element, text) if text else math.nan
            point = (latitude, longitude, height)
            waypoints += _waypoints([point], HeightReference.SEA, _text(element, "name"))
        if waypoints:
            return _complete(path, waypoints, (), "")
    return _complete(path, [], (), "")


def not_in_kml(mission: Mission) -> Sequence[str]:
    """What such a file does not say."""
    steps = mission.take_off is not None or mission.ending is not None
    taken = " Taking off and landing are left out." if steps else ""
    return [f"Only places and heights are written: not how each is flown.{taken}"]


def write_kml(mission: Mission) -> bytes:
    """The way as a line, each waypoint as a point, fences as polygons. Actions are not in it."""
    heights = {w.height_reference for w in mission.waypoints}
    mode = _KML_MODES[heights.pop()] if len(heights) == 1 else "relativeToGround"
    way = " ".join(_kml_place(w) for w in mission.waypoints)
    line = f"<altitudeMode>{mode}</altitudeMode><coordinates>{way}</coordinates>"
    parts = [_placemark(mission.name or "Mission", f"<LineString>{line}</LineString>")]
    for number, waypoint in enumerate(mission.waypoints, 1):
        mode = _KML_MODES[waypoint.height_reference]
        place = f"<coordinates>{_kml_place(waypoint)}</coordinates>"
        point = f"<Point><altitudeMode>{mode}</altitudeMode>{place}</Point>"
        parts.append(_placemark(waypoint.name or f"{number} {waypoint.action.mode}", point))
    for fence in mission.fences:
        if len(fence.corners) >= 3:
            ring = " ".join(f"{b:.9f},{a:.9f}" for a, b in (*fence.corners, fence.corners[0]))
            inner = f"<LinearRing><coordinates>{ring}</coordinates></LinearRing>"
            border = f"<outerBoundaryIs>{inner}</outerBoundaryIs>"
            parts.append(_placemark(fence.name or "Fence", f"<Polygon>{border}</Polygon>"))
    body = "\n".join(parts)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">\n'
        f"<Document>\n{body}\n</Document>\n</kml>\n"
    ).encode()


def _placemark(name: str, geometry: str) -> str:
    return f"<Placemark><name>{markup_text(name)}</name>{geometry}</Placemark>"


def _kml_place(waypoint: MissionWaypoint) -> str:
    return f"{waypoint.longitude_deg:.9f},{waypoint.latitude_deg:.9f},{waypoint.height_m:.3f}"


def _root(path: Path, data: bytes, tag: str) -> XmlElement:
    try:
        root = parse_tree(data)
    except XmlError as error:
        raise MissionFileError(path, error.what, error.line) from None
    if _local(root.tag) != tag:
        raise MissionFileError(path, f"this is no {tag.upper()} file.", root.line)
    return root


def _local(tag: str) -> str:
    return tag.rpartition(":")[2].rpartition("}")[2]


def _all(element: XmlElement, *tags: str) -> Iterator[XmlElement]:
    """The elements with these tags anywhere below, in the file's order."""
    for child in element.children:
        if _local(child.tag) in tags:
            yield child
        else:
            yield from _all(child, *tags)


def _text(element: XmlElement, tag: str) -> str:
    found = next(_all(element, tag), None)
    return found.text.strip() if found is not None else ""


def _coordinates(path: Path, geometry: XmlElement) -> list[tuple[float, float, float]]:
    """Latitude, longitude and height of the outer border or line; no height is NaN."""
    found = next(_all(geometry, "coordinates"), None)
    points: list[tuple[float, float, float]] = []
    if found is None:
        return points
    for place in found.text.split():
        parts = place.split(",")
        if len(parts) not in (2, 3):
            what = f"'{place}' must be longitude,latitude,height."
            raise MissionFileError(path, what, found.line)
        values = [_number(path, found, part) for part in parts]
        _check_place(path, found, values[1], values[0])
        points.append((values[1], values[0], values[2] if len(values) == 3 else math.nan))
    return points


def _number(path: Path, element: XmlElement, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) < 1e6:
        raise MissionFileError(path, f"'{text}' is no number; correct it.", element.line)
    return value


def _check_place(path: Path, element: XmlElement, latitude: float, longitude: float) -> None:
    if not (-90.0 <= latitude <= 90.0 and -180.0 <= longitude <= 180.0):
        what = f"{latitude:g}, {longitude:g} is no place on Earth; are they exchanged?"
        raise MissionFileError(path, what, element.line)


def _waypoints(
    points: Sequence[tuple[float, float, float]], reference: HeightReference, name: str
) -> list[MissionWaypoint]:
    made = []
    for latitude, longitude, height in points:
        known = math.isfinite(height) and (reference is not HeightReference.HOME or height > 0.0)
        where = reference if known else HeightReference.HOME
        up = height if known else _HEIGHT_M
        made.append(MissionWaypoint(latitude, longitude, up, height_reference=where, name=name))
    return made


def _complete(
    path: Path, waypoints: list[MissionWaypoint], fences: Iterable[Fence], name: str
) -> Mission:
    if len(waypoints) > _MOST:
        raise MissionFileError(path, f"it has {len(waypoints)} points; {_MOST} is the most.")
    if waypoints:
        stays = LegAction("GoToEndpoint", end_condition="None")
        waypoints[-1] = replace(waypoints[-1], action=stays, velocity_mps=0.0)
    elif not fences:
        raise MissionFileError(path, "it has no points, lines or routes.")
    return Mission(tuple(waypoints), None, tuple(fences), name)
