"""Map orientation: the direction that points up."""

import math

from PySide6.QtCore import QPointF

from widgets.map.scene import VehicleMark
from widgets.map.symbols import AHEAD_FROM_MPS

_LEAST_DEG = 1.0


def wanted_up(orientation: str, mark: VehicleMark | None, rotation_deg: float) -> float:
    """What an orientation wants up, clockwise from north; `rotation_deg` where that is near."""
    if orientation == "north":
        return 0.0
    if orientation != "track" or mark is None:
        return rotation_deg
    is_moving = (mark.groundspeed_mps or 0.0) >= AHEAD_FROM_MPS
    up = mark.course_deg if is_moving and mark.course_deg is not None else mark.heading_deg
    if up is None or abs((up - rotation_deg + 180) % 360 - 180) < _LEAST_DEG:
        return rotation_deg
    return up


def turned_by_hand(middle: QPointF, start: QPointF, end: QPointF) -> float:
    """How far a hand turns a map about its middle from one place to another, degrees clockwise."""
    before, after = start - middle, end - middle
    moved = math.atan2(after.y(), after.x()) - math.atan2(before.y(), before.x())
    return math.degrees(moved)
