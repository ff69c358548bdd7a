"""C3: what a sonar reads of a wall and the floor before it, while it turns away from the wall.

It looks level at a wall from a little above the floor. Seed 002 takes the nearest of a centre ray
and traces on cones around it, and drops echoes of too slanting surfaces. What it has to read is
computed here once more, ray by ray from two planes. With the rule as printed in seed 002 every ray
of the cones is dropped, and the centre, which it does not check, goes on reading a wall that sends
nothing back.
"""

import hashlib
import math

import numpy as np
import numpy.typing as npt

from simulation.aircraft.parameters.mounts import SensorMount
from simulation.mathematics.rotation import set_euler
from simulation.perception.given_path import GivenPath, Pose
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Figure, Style, curves
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world_file import load_world
from telemetry.protocol.streams.samples import ValueSample

Array = npt.NDArray[np.float64]

_WALL_M = 9.88  # the inner face of the office's north wall; the poster is on its middle
_EAST_M, _HEIGHT_M = -2.5, 0.4
_HALF_ANGLE_DEG, _CONES, _TRACES, _INCIDENCE_DEG, _LONGEST_M = 20.0, 2, 4, 50.0, 3.0  # of the file
_TURN_DPS = 45.0
_END_S = 2.0
_EXACT = {"rate_hz": 50.0, "noise_m": 0.0, "resolution_m": 1e-4}


def run(experiment: Experiment) -> RunOutcome:
    """Turns by a quarter, one reading every degree."""
    distance = experiment.values["distance_m"]
    changes = dict(_EXACT)
    if experiment.values["inverted_rule"]:
        changes |= {"cones": 0, "incidence_deg": 180.0}

    def pose(t: float) -> Pose:
        attitude = [0.0] * 4
        set_euler(attitude, 0.0, 0.0, math.radians(_TURN_DPS * t))
        return (_WALL_M - distance, _EAST_M, -_HEIGHT_M), attitude

    path = GivenPath(pose, experiment.seed)
    mount = SensorMount("sonar", "hector-sonar", changes=changes)
    suite = PerceptionSuite(path, make_scene(load_world("office")), [mount])
    rows: list[tuple[float, float]] = []

    def take(each: SuiteSample) -> None:
        assert isinstance(each.sample, ValueSample)
        rows.append((_TURN_DPS * each.truth.time_us / 1e6, float(each.sample.values[0])))

    suite.subscribe(take)
    path.advance(round(_END_S * 1000))
    angles, readings = np.array(rows).T
    nearest = np.array([_nearest(angle, distance) for angle in angles])
    away = angles > _INCIDENCE_DEG + _HALF_ANGLE_DEG + 1.0
    metrics = {
        "largest_error_m": float(np.abs(readings - nearest).max()),
        "cone_gain_m": float((_centre(angles, distance) - readings)[angles < _INCIDENCE_DEG].max()),
        "slanting_reading_m": float(readings[away].min()),
    }
    digest = hashlib.sha256(readings.tobytes()).hexdigest()
    figure = _draw(angles, readings, nearest, distance)
    return RunOutcome(metrics, figure, digest, duration_s=_END_S)


def _nearest(heading_deg: float, distance: float) -> float:
    """The shortest of the rays whose echo comes back, by spherical trigonometry: each is so far
    from the line of sight, and so far around it from the right towards below."""
    heading, best = math.radians(heading_deg), _LONGEST_M
    for cone in range(_CONES + 1):
        off = math.radians(_HALF_ANGLE_DEG) * cone / _CONES
        for trace in range(_TRACES):
            around = 2.0 * math.pi * trace / _TRACES
            right, below = math.sin(off) * math.cos(around), math.sin(off) * math.sin(around)
            to_wall = math.cos(heading) * math.cos(off) - math.sin(heading) * right
            echoes = [(to_wall, distance), (below, _HEIGHT_M)]
            # What it meets first hides the other.
            steep, away = min(
                ((cosine, far) for cosine, far in echoes if cosine > 1e-9),
                key=lambda echo: echo[1] / echo[0],
                default=(0.0, 1.0),
            )
            if steep >= math.cos(math.radians(_INCIDENCE_DEG)):
                best = min(best, away / steep)
    return best


def _centre(angles_deg: Array, distance: float) -> Array:
    """What the ray in the centre alone has before it."""
    far = distance / np.maximum(np.cos(np.radians(angles_deg)), 1e-9)
    return np.asarray(np.minimum(far, _LONGEST_M))


def _draw(angles: Array, readings: Array, nearest: Array, distance: float) -> Figure:
    apart, centre = "nearest echo, computed apart", "ray in the centre"
    values = {"sonar": readings, apart: nearest, centre: _centre(angles, distance)}
    off_normal = ("between line of sight and wall's normal, deg", angles)
    dashed: dict[str, Style] = {apart: "dashed", centre: "dashed"}
    title = "Range while turning away from a wall"
    return Figure("Sonar before a wall", (curves(title, off_normal, "m", values, dashed),))
