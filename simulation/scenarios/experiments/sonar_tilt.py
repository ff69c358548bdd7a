"""B6: what a sonar reads over flat ground while the aircraft tilts.

Seed 001 takes the minimum of nine rays; seed 002 drops rays that meet the ground too slantingly.
The nearest ray is computed here once more, from the angles of the cone alone. With the rule of
seed 002 as printed, or with normals that point to the sensor, all rays but an unchecked one in the
centre are dropped. Level beside the edge of a box half as high as the sensor, its rays meet the
triangles of a world: the nearest echo is the box's as long as a ray of the cone comes down on it.
"""

import hashlib
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.records.flight import ATTITUDE, POSITION, STATE
from simulation.records.sensor_table import SONAR
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, Style, curves
from simulation.sensors.sonar import echo_of_surfaces, measure_range
from simulation.worlds.body_meshes import body_mesh
from simulation.worlds.scene import joined
from simulation.worlds.triangle_grid import TriangleGrid
from simulation.worlds.world import Box, Placed, Surface

Array = npt.NDArray[np.float64]

_TILTS_DEG = np.arange(0.0, 85.5, 0.5)
_HALF_ANGLE_DEG, _CONES, _TRACES = 20.0, 2, 4  # of the file
_INCIDENCE_DEG = 50.0


def run(experiment: Experiment) -> RunOutcome:
    """Readings at the tilt asked for and over all tilts."""
    tilt, height = experiment.values["tilt_deg"], experiment.values["height_m"]
    inverted = experiment.values["inverted_rule"] != 0.0
    p = experiment.preset().load_aircraft().parameters.copy()
    p["sensor_error"][SONAR] = (0.0, 0.0, 1.0, 0.0, p["sonar_limits"][1], 1e-4)
    p["sonar_position"] = 0.0
    if inverted:
        p["sonar_rays"], p["sonar_incidence"] = 1, -1.0
    longest = float(p["sonar_limits"][1])
    readings = np.array([_reading(p, float(each), height) for each in _TILTS_DEG])
    reading = _reading(p, tilt, height)
    metrics = {
        "slant_error_m": abs(reading - _nearest(tilt, height, longest)),
        "centre_excess_m": height / math.cos(math.radians(tilt)) - reading,
        "level_error_m": abs(_reading(p, 0.0, height) - height),
        "largest_error_m": max(
            abs(float(found) - _nearest(float(each), height, longest))
            for each, found in zip(_TILTS_DEG, readings, strict=True)
        ),
    }
    asides = np.linspace(0.01, height, 60)
    echoes = np.array([_beside_edge(p, height, float(aside)) for aside in asides])
    nearest = [_nearest_beside(height, float(aside)) for aside in asides]
    metrics["edge_error_m"] = float(np.abs(echoes - np.minimum(nearest, longest)).max())
    digest = hashlib.sha256(readings.tobytes() + echoes.tobytes()).hexdigest()
    return RunOutcome(metrics, _draw(readings, height, longest), digest)


def _reading(p: np.void, tilt_deg: float, height: float) -> float:
    """What the sensor says, rolled by that much."""
    state: Any = np.zeros(1, STATE)[0]
    half = 0.5 * math.radians(tilt_deg)
    state["motion"][ATTITUDE : ATTITUDE + 2] = (math.cos(half), math.sin(half))
    state["motion"][POSITION + 2] = -height
    slot = np.zeros(1)
    measure_range(p, state, slot)
    return float(slot[0])


def _nearest(tilt_deg: float, height: float, longest: float) -> float:
    """The shortest of the rays whose echo comes back, by spherical trigonometry."""
    tilt = math.radians(tilt_deg)
    best = longest
    for cone in range(_CONES + 1):
        angle = math.radians(_HALF_ANGLE_DEG) * cone / _CONES
        for trace in range(_TRACES):
            turn = 2.0 * math.pi * trace / _TRACES
            steep = math.cos(tilt) * math.cos(angle)
            steep += math.sin(tilt) * math.sin(angle) * math.cos(turn)
            if steep >= math.cos(math.radians(_INCIDENCE_DEG)):
                best = min(best, height / steep)
    return best


def _beside_edge(p: np.void, height: float, aside: float) -> float:
    """The nearest echo, level, so far left of a box that is half as high."""
    state: Any = np.zeros(1, STATE)[0]
    state["motion"][ATTITUDE] = 1.0
    state["motion"][POSITION + 2] = -height
    ground = Box("ground", Surface(), Placed((0.0, 0.0, 1.0)), (90.0, 90.0, 1.0))
    place = Placed((0.0, aside + 10.0, 0.0))
    table = Box("table", Surface(), place, (90.0, 20.0, 0.5 * height))
    both = joined([body_mesh(body).mesh for body in (ground, table)])
    return echo_of_surfaces(p, state, TriangleGrid(both.vertices, both.triangles).plain())


def _nearest_beside(height: float, aside: float) -> float:
    """The same by the angles of the rays to the right: the first that comes down on the box. Its
    side is met too slantingly."""
    best = height
    for cone in range(1, _CONES + 1):
        angle = math.radians(_HALF_ANGLE_DEG) * cone / _CONES
        if 0.5 * height * math.tan(angle) >= aside:
            best = min(best, 0.5 * height / math.cos(angle))
    return best


def _draw(readings: Array, height: float, longest: float) -> Figure:
    apart, centre = "nearest echo, computed apart", "ray in the centre"
    values = {
        "sonar": readings,
        apart: [_nearest(float(tilt), height, longest) for tilt in _TILTS_DEG],
        centre: np.minimum(height / np.cos(np.radians(_TILTS_DEG)), longest),
    }
    tilts = ("tilt, deg", _TILTS_DEG)
    dashed: dict[str, Style] = {apart: "dashed", centre: "dashed"}
    axes = curves("Range while tilting", tilts, "m", values, dashed, bands=(height, longest))
    return Figure("Sonar over flat ground", (axes,))
