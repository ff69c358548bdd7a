"""B6: what a sonar reads over flat ground while the aircraft tilts.

Seed 001 takes the minimum of nine rays; seed 002 drops rays that meet the ground too slantingly.
The nearest ray is computed here once more, from the angles of the cone alone. With the rule of
seed 002 as printed, or with normals that point to the sensor, all rays but an unchecked one in the
centre are dropped.
"""

import hashlib
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.aircraft import load_aircraft
from simulation.records import ATTITUDE, POSITION, STATE
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, series
from simulation.sensor_table import SONAR
from simulation.sensors.sonar import measure_range

Array = npt.NDArray[np.float64]

_TILTS_DEG = np.arange(0.0, 85.5, 0.5)
_HALF_ANGLE_DEG, _CONES, _TRACES = 20.0, 2, 4  # of the file
_INCIDENCE_DEG = 50.0


def run(experiment: Experiment) -> RunOutcome:
    """Readings at the tilt asked for and over all tilts."""
    tilt, height = experiment.values["tilt_deg"], experiment.values["height_m"]
    inverted = experiment.values["inverted_rule"] != 0.0
    p = load_aircraft(experiment.preset().aircraft).parameters.copy()
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
    digest = hashlib.sha256(readings.tobytes()).hexdigest()
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


def _draw(readings: Array, height: float, longest: float) -> Figure:
    centre = np.minimum(height / np.cos(np.radians(_TILTS_DEG)), longest)
    nearest = [_nearest(float(tilt), height, longest) for tilt in _TILTS_DEG]
    return Figure(
        "Sonar over flat ground",
        (
            Axes(
                "Range while tilting",
                "tilt, deg",
                "m",
                (
                    series("sonar", _TILTS_DEG, readings),
                    series("nearest echo, computed apart", _TILTS_DEG, nearest, "dashed"),
                    series("ray in the centre", _TILTS_DEG, centre, "dashed"),
                ),
                bands=(height, longest),
            ),
        ),
    )
