"""What the truth objects say: how the simulated aircraft really moves, by field and in the
order of their fields."""

import math
from typing import Any

from simulation.members import Members
from simulation.rotation import euler_of, to_body

Values = dict[str, Any]


def attitude_simulated(output: Members) -> Values:
    """The fields of AttitudeSimulated."""
    quaternion = output["true_quaternion"].tolist()
    values = dict(zip(("q1", "q2", "q3", "q4"), quaternion, strict=True))
    values |= dict(zip(("Roll", "Pitch", "Yaw"), euler_deg(quaternion), strict=True))
    velocity, position = output["true_velocity"].tolist(), output["true_position"].tolist()
    return {**values, "Velocity": velocity, "Position": position}


def ground_truth(output: Members) -> Values:
    """The fields of GroundTruth in its units. AccelerationXYZ is the specific force in body axes,
    as an accelerometer would feel it; angles of attack and slip are those of the air."""
    north, east, down = velocity = output["true_velocity"].tolist()
    wind = output["true_wind"].tolist()
    quaternion = output["true_quaternion"].tolist()
    ahead, right, below = to_body(quaternion, north - wind[0], east - wind[1], down - wind[2])
    speed = math.sqrt(ahead * ahead + right * right + below * below)
    return {
        "AccelerationXYZ": output["true_specific_force"].tolist(),
        "PositionNED": output["true_position"].tolist(),
        "VelocityNED": velocity,
        "RPY": euler_deg(quaternion),
        "AngularRates": output["true_rates"].tolist(),
        "TrueAirspeed": speed,
        "CalibratedAirspeed": speed * math.sqrt(float(output["true_air_density_ratio"])),
        "AngleOfAttack": math.degrees(math.atan2(below, ahead)),
        "AngleOfSlip": math.degrees(math.asin(right / speed)) if speed > 0.0 else 0.0,
    }


def euler_deg(quaternion: Any) -> tuple[float, float, float]:
    """Roll, pitch and yaw in degrees of a body-to-NED quaternion (w, x, y, z)."""
    roll, pitch, yaw = euler_of(quaternion)
    return math.degrees(roll), math.degrees(pitch), math.degrees(yaw)
