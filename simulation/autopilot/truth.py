"""Truth objects: the aircraft's true motion as numbers, in the order of their fields."""

import math
from typing import Any

from simulation.mathematics.rotation import euler_of, to_body
from simulation.records.members import Members


def attitude_simulated(output: Members) -> list[float]:
    """AttitudeSimulated: q1 to q4, Roll, Pitch, Yaw, Velocity, Position."""
    quaternion = output["true_quaternion"].tolist()
    velocity, position = output["true_velocity"].tolist(), output["true_position"].tolist()
    return [*quaternion, *euler_deg(quaternion), *velocity, *position]


def ground_truth(output: Members) -> list[float]:
    """GroundTruth in its units: AccelerationXYZ, PositionNED, VelocityNED, RPY, AngularRates,
    TrueAirspeed, CalibratedAirspeed, AngleOfAttack, AngleOfSlip. The acceleration is the specific
    force in body axes, as an accelerometer would feel it; both angles are those of the air."""
    north, east, down = velocity = output["true_velocity"].tolist()
    wind = output["true_wind"].tolist()
    quaternion = output["true_quaternion"].tolist()
    ahead, right, below = to_body(quaternion, north - wind[0], east - wind[1], down - wind[2])
    speed = math.sqrt(ahead * ahead + right * right + below * below)
    return [
        *output["true_specific_force"].tolist(),
        *output["true_position"].tolist(),
        *velocity,
        *euler_deg(quaternion),
        *output["true_rates"].tolist(),
        speed,
        speed * math.sqrt(float(output["true_air_density_ratio"])),
        math.degrees(math.atan2(below, ahead)),
        math.degrees(math.asin(right / speed)) if speed > 0.0 else 0.0,
    ]


def euler_deg(quaternion: Any) -> tuple[float, float, float]:
    """Roll, pitch and yaw in degrees of a body-to-NED quaternion (w, x, y, z)."""
    roll, pitch, yaw = euler_of(quaternion)
    return math.degrees(roll), math.degrees(pitch), math.degrees(yaw)
