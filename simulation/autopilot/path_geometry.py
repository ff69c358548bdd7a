"""Path geometry: progress along a path, distance beside it, and the direction to go.

The rules are those of path_progress in LibrePilot's flight/libraries/paths.c: an aircraft flies the
`velocity` of its path and, besides, what its gains make of the `correction`. Pure geometry of
PathDesired's kinds of paths; knows neither objects nor controllers. Metres north, east, down of
home, and m/s.
"""

import math
from dataclasses import dataclass
from typing import Any

from simulation.mathematics.vectors import between, dot, length, moved

Vector = tuple[float, float, float]
NOWHERE: Vector = (0.0, 0.0, 0.0)
_SHORT = 1e-6
_ORBITS = {"CircleRight": 1.0, "CircleLeft": -1.0}
_LINES = frozenset({"FollowVector", "Brake"})
_IN_SPACE = frozenset({"GoToEndpoint", "AutoTakeoff"})
"""Of the modes with an end only, those in which height counts."""


@dataclass(frozen=True, slots=True)
class Path:
    """PathDesired's geometry. A line goes from `start` to `end`; a circle has its centre at `end`
    and passes through `start`; the other modes have only an `end`."""

    mode: str
    start: Vector
    end: Vector
    start_mps: float = 0.0
    end_mps: float = 0.0


@dataclass(frozen=True, slots=True)
class PathLegProgress:
    """`fraction`: the share of the leg that is done; of a line beyond 1 past its end and below 0
    before its start. `error_m`: distance to the path, or to the end where there is no path.
    `velocity`: what to fly there, m/s. `correction`: vector from here to the nearest point of the
    path, or to the end."""

    fraction: float
    error_m: float
    velocity: Vector
    correction: Vector


def progress_on(path: Path, here: Vector) -> PathLegProgress:
    """Progress of an aircraft at `here`."""
    if path.mode in _ORBITS:
        return _on_circle(path, here, _ORBITS[path.mode])
    if path.mode in _LINES:
        way = between(path.start, path.end)
        if length(way) > _SHORT:
            return _on_line(path, here, way)
        there = _to_end(path, here, is_in_space=True)
        return PathLegProgress(1.0, there.error_m, there.velocity, there.correction)
    return _to_end(path, here, path.mode in _IN_SPACE)


def _to_end(path: Path, here: Vector, is_in_space: bool) -> PathLegProgress:
    """A velocity towards the end, however near it is: an aircraft that is to pass it flies to and
    fro."""
    north, east, down = between(here, path.end)
    way = (north, east, down if is_in_space else 0.0)
    left = length(way)
    if left < _SHORT:
        return PathLegProgress(1.0, 0.0, NOWHERE, NOWHERE)
    north, east, down = between(path.start, path.end)
    whole = max(length((north, east, down if is_in_space else 0.0)), 1.0)
    fraction = max(1.0 - left / whole, 0.0)
    return PathLegProgress(fraction, left, _scaled(way, path.end_mps / left), way)


def _on_line(path: Path, here: Vector, way: Vector) -> PathLegProgress:
    """The velocity changes evenly along the line, and stays beyond its ends."""
    far = length(way)
    direction = _scaled(way, 1.0 / far)
    along = dot(between(path.start, here), direction)
    correction = between(here, moved(path.start, along, direction))
    fraction = along / far
    share = min(max(fraction, 0.0), 1.0)
    speed = path.start_mps + share * (path.end_mps - path.start_mps)
    return PathLegProgress(fraction, length(correction), _scaled(direction, speed), correction)


def _on_circle(path: Path, here: Vector, sense: float) -> PathLegProgress:
    """Circles are horizontal."""
    radius = math.hypot(path.start[0] - path.end[0], path.start[1] - path.end[1])
    north, east = here[0] - path.end[0], here[1] - path.end[1]
    distance = math.hypot(north, east)
    down = path.end[2] - here[2]
    error = abs(radius - distance)
    if distance < _SHORT:  # just fly somewhere
        return PathLegProgress(1.0, error, (path.end_mps, 0.0, 0.0), (0.0, 0.0, down))
    out = (north / distance, east / distance)
    correction = (out[0] * (radius - distance), out[1] * (radius - distance), down)
    velocity = (-sense * out[1] * path.end_mps, sense * out[0] * path.end_mps, 0.0)
    return PathLegProgress(_round(path, (north, east), sense), error, velocity, correction)


def _round(path: Path, out: tuple[float, float], sense: float) -> float:
    """The share of a circle that is done: one half at `start`, all of it opposite, where it begins
    anew (a_diff and a_radius of path_circle)."""
    north, east = path.start[0] - path.end[0], path.start[1] - path.end[1]
    here = math.atan2(out[0], out[1]) % (2.0 * math.pi)
    began = math.atan2(north, east) % (2.0 * math.pi)
    share = ((here - began + math.pi) / (2.0 * math.pi)) % 1.0
    return 1.0 - share if sense > 0.0 else share


def vector_of(values: Any) -> Vector:
    """The three numbers of a row or field of an object."""
    north, east, down = values.tolist()
    return float(north), float(east), float(down)


def _scaled(a: Vector, factor: float) -> Vector:
    return a[0] * factor, a[1] * factor, a[2] * factor
