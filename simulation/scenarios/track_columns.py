"""Track columns as a table: one column per number, the unit and the axis in its name.

Names end in the unit (`m`, `mps`, `mps2`, `deg`, `dps`, `radps`, `mgauss`, `v`, `a`, `us`, ...); a
number without one is a share, a count, a flag, or one of SETTINGS' options. Frames are those of
`simulation.records.interface`: north, east, down of the world (truth) or of home (estimate); x, y,
z of the body are forward, right, down.
"""

from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.records.interface import CHANNELS, OUTPUT, ROTORS
from simulation.records.sensor_table import VALUES

Columns = dict[str, npt.NDArray[Any]]

_NED: Final = ("north", "east", "down")
_XYZ: Final = ("x", "y", "z")
_WXYZ: Final = ("w", "x", "y", "z")
_TURNS: Final = ("roll", "pitch", "yaw")


def _in(unit: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}_{unit}" for name in names)


def _numbered(unit: str, count: int) -> tuple[str, ...]:
    return _in(unit, tuple(str(i + 1) for i in range(count)))


ENDINGS: Final = MappingProxyType[str, tuple[str, ...]](
    {
        "true_position": _in("m", _NED),
        "true_velocity": _in("mps", _NED),
        "true_quaternion": _WXYZ,
        "true_specific_force": _in("mps2", _XYZ),
        "true_rates": _in("dps", _XYZ),
        "true_wind": _in("mps", _NED),
        "rotor_speed": _numbered("radps", ROTORS),
        "true_battery_voltage": ("v",),
        "true_battery_current": ("a",),
        "raw_gyro": _in("dps", _XYZ),
        "raw_accel": _in("mps2", _XYZ),
        "raw_mag": _in("mgauss", _XYZ),
        "gyro": _in("dps", _XYZ),
        "accel": _in("mps2", _XYZ),
        "mag": _in("mgauss", _XYZ),
        "gps_velocity": _in("mps", _NED),
        "rotor_speed_measured": _numbered("radps", VALUES),
        "battery_voltage": ("v",),
        "battery_current": ("a",),
        "quaternion": _WXYZ,
        "attitude_deg": _TURNS,
        "rates": _in("dps", _XYZ),
        "gyro_bias": _in("dps", _XYZ),
        "specific_force": _in("mps2", _XYZ),
        "position": _in("m", _NED),
        "velocity": _in("mps", _NED),
        "wind": _in("mps", _NED[:2]),
        "airspeed_true": ("mps",),
        "airspeed_calibrated": ("mps",),
        "accel_bias": _in("mps2", _XYZ),
        "estimate_variance": (
            *(f"position_{axis}_m2" for axis in _NED),
            *(f"velocity_{axis}_m2ps2" for axis in _NED),
            *(f"attitude_{axis}_rad2" for axis in _NED),
            *(f"gyro_bias_{axis}_rad2ps2" for axis in _XYZ),
        ),
        "ekf_variance": (
            *(f"position_{axis}_m2" for axis in _NED),
            *(f"velocity_{axis}_m2ps2" for axis in _NED),
            *(f"quaternion_{part}" for part in _WXYZ),
            *(f"gyro_bias_{axis}_rad2ps2" for axis in _XYZ),
        ),
        "velocity_desired": _in("mps", _NED),
        "attitude_desired": _in("deg", _TURNS),
        "thrust_desired": ("share",),
        "rate_desired": _in("dps", _TURNS),
        "wing_error": ("course_deg", "airspeed_mps", "climb_mps"),
        "wing_integral": ("roll_deg", "pitch_deg", "thrust"),
        "wing_command": ("roll_deg", "pitch_deg", "thrust"),
        "actuator_desired": (*_TURNS, "thrust"),
        "actuator_command": _numbered("us", CHANNELS),
    }
)
"""What is added to the name of a member of OUTPUT, number by number. Members that are not here are
single numbers whose names say all."""


def columns_of(rows: npt.NDArray[np.void]) -> Columns:
    """The numbers of these rows of members of OUTPUT, by column name."""
    columns: Columns = {}
    for member in rows.dtype.names or ():
        names = column_names(member)
        numbers = rows[member].reshape(len(rows), len(names))
        columns |= {name: numbers[:, i] for i, name in enumerate(names)}
    return columns


def column_names(member: str) -> tuple[str, ...]:
    """The columns of a member of OUTPUT, in its order; numbers of one that has no entry in ENDINGS
    are counted from 0."""
    counted = ("_".join(map(str, place)) for place in np.ndindex(OUTPUT[member].shape))
    endings = ENDINGS.get(member) or tuple(counted)
    return tuple(f"{member}_{ending}" if ending else member for ending in endings)
