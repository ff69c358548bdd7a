"""What the operator of a served flight is told. Loads nothing heavy: the station reads it too."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Report:
    """The flight as its operator sees it, by the simulator's truth.

    Positions are NED in metres from the start, the wind is the velocity of the air in m/s,
    angles are in degrees. `factor` is how fast time has really passed since the last report.
    """

    time_s: float
    speed: float
    factor: float
    north_m: float
    east_m: float
    down_m: float
    roll_deg: float
    pitch_deg: float
    yaw_deg: float
    airspeed_mps: float
    wind_north_mps: float
    wind_east_mps: float
    wind_down_mps: float
    battery_v: float
    has_crashed: bool
    trouble: str
    values: Mapping[str, float]
    link: Mapping[str, float]
