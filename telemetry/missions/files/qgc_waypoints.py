"""Mission Planner's `.waypoints`, "QGC WPL 110": a line of twelve numbers for each item.

As mavlink.io/en/file_formats describes it: index, whether it is the current one, frame, command,
four parameters, latitude, longitude, height, and whether the next one follows by itself. The first
line is home in Mission Planner's files; it has no commands in it.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from telemetry.missions.files.carried import CarriedMission
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.mavlink_items import (
    SEA,
    ItemError,
    MavlinkItem,
    WrittenItems,
    mission_of,
)
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission

_SIGN: Final = "QGC WPL"
_COLUMNS: Final = 12
_WAYPOINT: Final = 16


def is_waypoints(data: bytes) -> bool:
    """Whether these first bytes are of such a file."""
    return data.removeprefix(b"\xef\xbb\xbf").startswith(_SIGN.encode())


def read_waypoints(path: Path, data: bytes, home: MissionHome | None = None) -> CarriedMission:
    """Raises MissionFileError."""
    lines = data.decode("utf-8-sig", "replace").splitlines()
    if not lines or not lines[0].startswith(_SIGN):
        what = f"this is no list of waypoints: its first line is not '{_SIGN} 110'."
        raise MissionFileError(path, what)
    items = [
        _item(path, number, line)
        for number, line in enumerate(lines[1:], 2)
        if line.strip() and not line.startswith("#")
    ]
    first = items[0] if len(items) > 1 else None
    if first is not None and first.number == 0 and (first.command, first.frame) == (_WAYPOINT, SEA):
        items = items[1:]
        home = _home(first) or home
    try:
        return mission_of(items, home)
    except ItemError as error:
        raise MissionFileError(path, str(error)) from None


def _item(path: Path, line_number: int, line: str) -> MavlinkItem:
    columns = line.split()
    try:
        values = [float(column) for column in columns]
    except ValueError:
        values = []
    is_whole = len(values) >= _COLUMNS and all(
        math.isfinite(values[i]) and values[i] == int(values[i]) and 0 <= values[i] <= 65535
        for i in (0, 2, 3)
    )
    if not is_whole:
        what = f"an item has {_COLUMNS} numbers, the first, third and fourth whole; correct it."
        raise MissionFileError(path, what, line_number)
    number, _, frame, command, a, b, c, d, latitude, longitude, height_m = values[:11]
    return MavlinkItem(
        int(number), int(command), int(frame), (a, b, c, d), latitude, longitude, height_m
    )


def _home(item: MavlinkItem) -> MissionHome | None:
    """None where it is 0, 0, which is written while nobody knows it."""
    is_placed = abs(item.latitude_deg) <= 90.0 and abs(item.longitude_deg) <= 180.0
    is_known = bool(item.latitude_deg or item.longitude_deg) and abs(item.height_m) < 1e6
    if not is_placed or not is_known:
        return None
    return MissionHome(item.latitude_deg, item.longitude_deg, item.height_m)


def write_waypoints(mission: Mission) -> bytes:
    """The file."""
    home = mission.home or MissionHome(0.0, 0.0)
    first = MavlinkItem(
        0, _WAYPOINT, SEA, (0.0,) * 4, home.latitude_deg, home.longitude_deg, home.altitude_m
    )
    rows = [_row(item) for item in (first, *WrittenItems(mission).items)]
    return "\r\n".join((f"{_SIGN} 110", *rows, "")).encode()


def not_in_waypoints(mission: Mission) -> Sequence[str]:
    """What such a file does not say."""
    fences = ["The fences are left out."] if mission.fences else []
    return [*WrittenItems(mission).left_out, *fences]


def _row(item: MavlinkItem) -> str:
    parameters = (0.0 if math.isnan(value) else value for value in item.parameters)
    place = (f"{item.latitude_deg:.8f}", f"{item.longitude_deg:.8f}", f"{item.height_m:.6f}")
    numbers = (item.number, int(item.number == 0), item.frame, item.command)
    return "\t".join((*map(str, numbers), *(f"{p:.8f}" for p in parameters), *place, "1"))
