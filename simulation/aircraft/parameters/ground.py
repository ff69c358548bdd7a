"""[ground]: the points it stands on, and those it must not touch the ground with."""

from typing import Final

import numpy as np

from simulation.files.parameter_file import NumberKey, ParameterFile, ParameterSection, Values
from simulation.physics.hull_shape import set_hull
from simulation.records.flight import POINTS


def _place_points(file: ParameterFile, ground: Values, p: np.void) -> None:
    points = ground["feet_m"] + ground["hull_m"]
    if len(ground["feet_m"]) < 3 or len(points) > POINTS:
        raise file.error(
            "ground",
            "feet_m",
            "The aircraft cannot stand on these points.",
            f"Give at least 3 feet, and at most {POINTS} points together with the hull.",
        )
    p["foot_count"] = len(ground["feet_m"])
    p["point_count"] = len(points)
    p["point"][: len(points)] = points


def measure_reach(_: ParameterFile, p: np.void) -> None:
    """How high the centre of mass may be for a point to touch the ground, and the hull."""
    p["contact_reach"] = np.sqrt(np.square(p["point"]).sum(axis=1).max())
    set_hull(p)


SECTIONS: Final = (
    ParameterSection(
        "ground",
        {
            "feet_m": NumberKey(-10.0, 10.0, (-1, 3)),
            "hull_m": NumberKey(-10.0, 10.0, (-1, 3)),
            "depth_m": NumberKey(0.0005, 0.1, member="contact_depth"),
            "damping": NumberKey(0.05, 2.0, member="contact_damping"),
            "friction": NumberKey(0.0, 5.0, member="friction"),
            "crash_speed_mps": NumberKey(0.1, 100.0, member="crash_speed"),
        },
        _place_points,
    ),
)
