"""Where an aircraft is on a path: how far along, how far beside, and which way to go.

Pure geometry of PathDesired's kinds of paths; knows neither objects nor controllers. Metres north,
east, down of home.
"""

import math
from dataclasses import dataclass
from typing import Any

Vector = tuple[float, float, float]

_SHORT_M = 1e-3
_ORBITS = {"CircleRight": 1.0, "CircleLeft": -1.0}


@dataclass(frozen=True, slots=True)
class Path:
    """PathDesired's geometry. A line goes from `start` to `end`; a circle has its centre at `end`
    and passes through `start`; the other modes have only an `end`."""

    mode: str
    start: Vector
    end: Vector


@dataclass(frozen=True, slots=True)
class PathLegProgress:
    """`fraction`: the share of the leg that is done, beyond 1 past its end. `error_m`: distance to
    the path, or to the end where there is no path. `direction`: unit vector along the path, or
    the whole way to the end where there is no path. `correction`: vector from here to the nearest
    point of the path. `left_m`: the way to the end along the path, below 0 past it."""

    fraction: float
    error_m: float
    direction: Vector
    correction: Vector
    left_m: float


def progress_on(path: Path, here: Vector, whole_m: float) -> PathLegProgress:
    """Progress of an aircraft at `here`. `whole_m` is the length of a leg without a line: the
    distance to its end when it began."""
    if path.mode == "FollowVector":
        way = _difference(path.end, path.start)
        if _length(way) > _SHORT_M:
            return _on_line(path, here, way)
    if path.mode in _ORBITS:
        return _on_circle(path, here, _ORBITS[path.mode])
    return _to_end(path.end, here, whole_m)


def _to_end(end: Vector, here: Vector, whole_m: float) -> PathLegProgress:
    way = _difference(end, here)
    left = _length(way)
    fraction = 1.0 - left / whole_m if whole_m > _SHORT_M else 1.0
    return PathLegProgress(fraction, left, way, way, left)


def _on_line(path: Path, here: Vector, way: Vector) -> PathLegProgress:
    length = _length(way)
    direction = _unit(way)
    done = _difference(here, path.start)
    along = sum(d * w for d, w in zip(done, direction, strict=True))
    foot = _sum(path.start, _scaled(direction, along))
    correction = _difference(foot, here)
    return PathLegProgress(
        along / length, _length(correction), direction, correction, length - along
    )


def _on_circle(path: Path, here: Vector, sense: float) -> PathLegProgress:
    """`fraction` counts once round from `start`."""
    radius = math.hypot(path.start[0] - path.end[0], path.start[1] - path.end[1])
    north, east = here[0] - path.end[0], here[1] - path.end[1]
    distance = math.hypot(north, east)
    out = (north / distance, east / distance) if distance > _SHORT_M else (1.0, 0.0)
    correction = (
        out[0] * (radius - distance),
        out[1] * (radius - distance),
        path.end[2] - here[2],
    )
    began = math.atan2(path.start[1] - path.end[1], path.start[0] - path.end[0])
    turned = (sense * (math.atan2(east, north) - began)) % (2.0 * math.pi)
    fraction = turned / (2.0 * math.pi)
    return PathLegProgress(
        fraction,
        abs(radius - distance),
        (-sense * out[1], sense * out[0], 0.0),
        correction,
        (1.0 - fraction) * 2.0 * math.pi * radius,
    )


def vector_of(values: Any) -> Vector:
    """The three numbers of a row or field of an object."""
    north, east, down = values.tolist()
    return float(north), float(east), float(down)


def _difference(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _sum(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _scaled(a: Vector, factor: float) -> Vector:
    return a[0] * factor, a[1] * factor, a[2] * factor


def _length(a: Vector) -> float:
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def _unit(a: Vector) -> Vector:
    length = _length(a)
    return _scaled(a, 1.0 / length) if length > _SHORT_M else (0.0, 0.0, 0.0)
