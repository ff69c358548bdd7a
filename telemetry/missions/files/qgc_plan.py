"""QGroundControl's `.plan`: JSON with mission items, fences and rally points.

As docs.qgroundcontrol.com has it under *Plan File Format*. Of what is drawn as a pattern (a survey,
a corridor) the flight lines that stand beside it are read.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from telemetry.base.text_formats import FormatError, parse_json
from telemetry.missions.files.carried import CarriedMission
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.mavlink_items import (
    GROUND,
    NO_PLACE,
    ItemError,
    MavlinkItem,
    WrittenItems,
    mission_of,
)
from telemetry.missions.geofences import Fence, FenceKind
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission

_MOST: Final = 10_000
_ABOVE_TERRAIN: Final = 3
"""AltitudeMode in which `Altitude` counts from the ground and the item's own height from sea."""
_FIXED_WING: Final = 1
"""MAV_TYPE."""
_GENERIC: Final = 0
_MULTIROTOR: Final = 2
_LANDINGS: Final = ("fwLandingPattern", "vtolLandingPattern")
_LAND: Final = 21
_USUAL_MPS: Final = 3.0

Json = Mapping[str, Any]


def is_plan(data: bytes) -> bool:
    """Whether these first bytes are of such a file."""
    compact = b"".join(data.split())
    return compact.lstrip(b"\xef\xbb\xbf").startswith(b"{") and b'"fileType":"Plan"' in compact


def read_plan(path: Path, data: bytes, home: MissionHome | None = None) -> CarriedMission:
    """Raises MissionFileError."""
    try:
        top = parse_json(data)
    except FormatError as error:
        raise MissionFileError(path, f"{error}. Save it anew.") from None
    if not isinstance(top, dict) or top.get("fileType") != "Plan":
        raise MissionFileError(path, "this is no plan: 'fileType' is not 'Plan'.")
    try:
        return _carried(top, home)
    except ItemError as error:
        raise MissionFileError(path, str(error)) from None


def _carried(top: Json, home: MissionHome | None) -> CarriedMission:
    mission = _object(top.get("mission"), "'mission'")
    left_out: list[str] = []
    items = list(_items(_list(mission.get("items"), "'items'"), left_out))
    rally = _object(top.get("rallyPoints", {}), "'rallyPoints'").get("points")
    if isinstance(rally, list) and rally:
        left_out.append(f"{len(rally)} rally points: a board returns to home only.")
    fences = tuple(_fences(_object(top.get("geoFence", {}), "'geoFence'")))
    planned = mission.get("plannedHomePosition")
    home = _home(planned) if planned is not None else home
    return mission_of(items, home, _speed_mps(mission), fences, left_out)


def _home(value: Any) -> MissionHome:
    latitude, longitude, *altitude = _numbers(value, (2, 3), "'plannedHomePosition'")
    _check_place(latitude, longitude, "home")
    return MissionHome(latitude, longitude, altitude[0] if altitude else 0.0)


def _speed_mps(mission: Json) -> float:
    name = "cruiseSpeed" if mission.get("vehicleType") == _FIXED_WING else "hoverSpeed"
    speed = mission.get(name)
    speed_mps = _number(speed)
    return speed_mps if speed_mps is not None and 0.0 < speed_mps <= 300.0 else _USUAL_MPS


def _items(values: Sequence[Any], left_out: list[str]) -> Iterator[MavlinkItem]:
    for place, value in enumerate(values, 1):
        item = _object(value, f"item {place}")
        if item.get("type") == "ComplexItem":
            yield from _of_pattern(item, place, left_out)
        else:
            yield _simple(item, place)


def _simple(item: Json, place: int) -> MavlinkItem:
    wholes: list[Any] = [
        item.get("doJumpId", place),
        item.get("command"),
        item.get("frame", NO_PLACE),
    ]
    values = item.get("params")
    is_whole = all(type(v) is int and 0 <= v <= 65535 for v in wholes)
    if not is_whole or not isinstance(values, list) or len(values) != 7:
        raise ItemError(f"item {place}: it needs a command, a frame and seven parameters.")
    number, command, frame = wholes
    a, b, c, d, latitude, longitude, height_m = (
        math.nan if v is None else _number(v, math.inf) for v in values
    )
    above_m = _number(item.get("Altitude"))
    if item.get("AltitudeMode") == _ABOVE_TERRAIN and above_m is not None:
        frame, height_m = GROUND, above_m
    places = (0.0 if math.isnan(v) else v for v in (latitude, longitude, height_m))
    return MavlinkItem(number, command, frame, (a, b, c, d), *places)


def _of_pattern(item: Json, place: int, left_out: list[str]) -> Iterator[MavlinkItem]:
    kind = str(item.get("complexItemType", "pattern"))[:40]
    lines = item.get("TransectStyleComplexItem")
    inner = lines.get("Items") if isinstance(lines, dict) else None
    if isinstance(inner, list) and inner:
        left_out.append(f"Item {place}: of the {kind} its flight lines are read, as waypoints.")
        for value in inner:
            yield _simple(_object(value, f"item {place}"), place)
    elif kind in _LANDINGS and item.get("landCoordinate") is not None:
        latitude, longitude, height_m = _numbers(
            item["landCoordinate"], (3,), f"item {place}: its place to land"
        )
        left_out.append(f"Item {place}: its approach is left out; it lands at its end.")
        yield MavlinkItem(place, _LAND, 3, (0.0,) * 4, latitude, longitude, height_m)
    else:
        left_out.append(f"Item {place}: a {kind} is known by its shape only, and is left out.")


def _fences(value: Json) -> Iterator[Fence]:
    for polygon in _list(value.get("polygons", []), "'polygons'"):
        shape = _object(polygon, "a fence")
        corners = _list(shape.get("polygon"), "a fence's 'polygon'")
        yield Fence(tuple(_corner(corner) for corner in corners), _kind(shape))
    for circle in _list(value.get("circles", []), "'circles'"):
        shape = _object(circle, "a fence")
        round_ = _object(shape.get("circle"), "a fence's 'circle'")
        radius_m = _number(round_.get("radius"))
        if radius_m is None or not 0.0 < radius_m < 1e6:
            raise ItemError("a fence's 'radius' must be a number above 0.")
        yield Fence((_corner(round_.get("center")),), _kind(shape), radius_m)
    older = _list(value.get("polygon", []), "'polygon'")
    if older:
        yield Fence(tuple(_corner(corner) for corner in older))


def _kind(shape: Json) -> FenceKind:
    return FenceKind.STAY_INSIDE if shape.get("inclusion", True) else FenceKind.STAY_OUTSIDE


def _corner(value: Any) -> tuple[float, float]:
    latitude, longitude = _numbers(value, (2,), "a fence's corner")
    _check_place(latitude, longitude, "a fence's corner")
    return latitude, longitude


def _check_place(latitude: float, longitude: float, what: str) -> None:
    if not (abs(latitude) <= 90.0 and abs(longitude) <= 180.0):
        raise ItemError(f"{what}: {latitude:g}, {longitude:g} is no place on Earth; correct it.")


def _object(value: Any, what: str) -> Json:
    if not isinstance(value, dict):
        raise ItemError(f"{what} must be an object in braces.")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MOST:
        raise ItemError(f"{what} must be a list of at most {_MOST}.")
    return value


def _numbers(value: Any, lengths: tuple[int, ...], what: str) -> list[float]:
    is_good = isinstance(value, list) and len(value) in lengths and all(map(_is_number, value))
    if not is_good or not all(abs(v) < 1e6 for v in value):
        raise ItemError(f"{what} must be {' or '.join(map(str, lengths))} numbers.")
    return [float(v) for v in value]


def _number(value: object, otherwise: Any = None) -> Any:
    return float(value) if isinstance(value, int | float) and _is_number(value) else otherwise


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def write_plan(mission: Mission) -> bytes:
    """The file. Raises ValueError without a home, which such a file has to have."""
    home = mission.home
    if home is None:
        raise ValueError("such a plan needs home; connect the aircraft, or set home")
    items = [_item_json(item) for item in WrittenItems(mission).items]
    speed = next((w.velocity_mps for w in mission.waypoints if w.velocity_mps > 0.0), _USUAL_MPS)
    top = {
        "fileType": "Plan",
        "version": 1,
        "groundStation": "QGroundControl",
        "mission": {
            "version": 2,
            "firmwareType": _GENERIC,
            "vehicleType": _MULTIROTOR,
            "cruiseSpeed": speed,
            "hoverSpeed": speed,
            "plannedHomePosition": [home.latitude_deg, home.longitude_deg, home.altitude_m],
            "items": items,
        },
        "geoFence": _fences_json(mission.fences),
        "rallyPoints": {"version": 2, "points": []},
    }
    return f"{json.dumps(top, indent=4, allow_nan=False)}\n".encode()


def not_in_plan(mission: Mission) -> Sequence[str]:
    """What such a file does not say."""
    banded = any(
        math.isfinite(fence.lowest_m) or math.isfinite(fence.highest_m) for fence in mission.fences
    )
    fences = ["The heights of the fences are left out."] if banded else []
    return [*WrittenItems(mission).left_out, *fences]


def _item_json(item: MavlinkItem) -> Json:
    parameters = [None if math.isnan(value) else value for value in item.parameters]
    return {
        "type": "SimpleItem",
        "doJumpId": item.number,
        "command": item.command,
        "frame": item.frame,
        "autoContinue": True,
        "params": [*parameters, item.latitude_deg, item.longitude_deg, item.height_m],
    }


def _fences_json(fences: Sequence[Fence]) -> Json:
    def is_inside(fence: Fence) -> bool:
        return fence.kind is FenceKind.STAY_INSIDE

    polygons = [
        {"inclusion": is_inside(f), "polygon": [list(c) for c in f.corners], "version": 1}
        for f in fences
        if len(f.corners) > 1
    ]
    circles = [
        {
            "inclusion": is_inside(f),
            "circle": {"center": list(f.corners[0]), "radius": f.radius_m},
            "version": 1,
        }
        for f in fences
        if len(f.corners) == 1
    ]
    return {"version": 2, "polygons": polygons, "circles": circles}
