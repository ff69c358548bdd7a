"""[sensors.*]: the errors of each sensor, see `simulation.sensors`."""

from typing import Final

import numpy as np

from simulation.parameter_file import Key, ParameterFile, Section, Values

_ERROR: Final = {
    "white": Key(0.0, 1e4),
    "drift": Key(0.0, 1e4),
    "drift_tau_s": Key(0.1, 1e6),
    "turn_on": Key(0.0, 1e4),
    "range": Key(1e-12, 1e6),
    "resolution": Key(1e-12, 1e6),
}


def _error_model(name: str, is_optional: bool = False) -> Section:
    def keep(_: ParameterFile, model: Values, p: np.void) -> None:
        p[f"{name}_error"] = [model[key] for key in _ERROR]
        if is_optional:
            p[f"{name}_fitted"] = 1

    return Section(f"sensors.{name}", _ERROR, keep, is_optional)


SECTIONS: Final = (
    *(_error_model(name) for name in ("gyro", "accel", "mag", "baro", "gps_velocity")),
    _error_model("airspeed", is_optional=True),
    Section(
        "sensors.gps",
        {
            "period_ms": Key(20, 10_000, whole=True, member="gps_period"),
            "delay_ms": Key(0, 1000, whole=True, member="gps_delay"),
            "first_fix_s": Key(0.0, 600.0, member="gps_first_fix", scale=1000.0),
            "position_white_m": Key(0.0, 100.0, member="gps_position_white"),
            "position_tau_s": Key(1.0, 1e5, member="gps_position_tau"),
            "satellites": Key(4, 40, member="gps_satellites"),
        },
    ),
)
