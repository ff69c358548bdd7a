"""A bare simulator whose sensors all say that it flies a banked circle, by the laws of motion.

Everything the sensors say comes from equations here, nothing from the simulated aircraft (which
stands on the ground): an independent check of the estimator, and a start in motion.
"""

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import set_euler, to_body
from simulation.records.interface import GPS_FIX_3D
from simulation.records.sensor_table import ACCEL, BARO, GPS, GPS_VELOCITY, GYRO, MAG
from simulation.simulator.simulator import Simulator
from telemetry.base.earth.wgs84 import metres_per_degree

Array = npt.NDArray[np.float64]

SPEED_MPS = 12.0
RADIUS_M = 60.0
HEIGHT_M = 50.0
GPS_DELAY_S = 0.150
_RATE = SPEED_MPS / RADIUS_M
_BANK = math.atan2(SPEED_MPS * _RATE, GRAVITY)
_STEP_S = 0.002


@dataclass(frozen=True, slots=True)
class Moment:
    """Truth: NED from home, quaternion body to NED."""

    position: Array
    velocity: Array
    quaternion: Array


def moment(time_s: float) -> Moment:
    """Where it is, turning right about a point east of home."""
    course = _RATE * time_s
    quaternion = np.zeros(4)
    set_euler(quaternion, _BANK, 0.0, course)
    return Moment(
        np.array(
            [RADIUS_M * math.sin(course), RADIUS_M * (1.0 - math.cos(course)), -HEIGHT_M],
        ),
        SPEED_MPS * np.array([math.cos(course), math.sin(course), 0.0]),
        quaternion,
    )


@dataclass(slots=True)
class Circling:
    """Feeds the sensors; `accel_sign` and `delay_s` are for negative controls."""

    simulator: Simulator
    accel_sign: float = 1.0
    delay_s: float = GPS_DELAY_S
    time_s: float = 0.0
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))

    def run(self, seconds: float) -> None:
        """Let the time pass, IMU sample by IMU sample."""
        for _ in range(round(seconds / _STEP_S)):
            self._supply()
            self.simulator.advance(2)
            self.time_s += _STEP_S

    def tilt_error_deg(self) -> float:
        """Angle between the estimated and the true direction of down, in the body."""
        now = moment(self.time_s).quaternion
        down = to_body(self.simulator.output["quaternion"].tolist(), 0.0, 0.0, 1.0)
        return math.degrees(math.acos(min(1.0, float(np.dot(down, to_body(now, 0.0, 0.0, 1.0))))))

    def position_error_m(self) -> float:
        """Distance of the estimate from the truth."""
        away = self.simulator.output["position"] - moment(self.time_s).position
        return float(np.linalg.norm(away))

    def velocity_error_mps(self) -> float:
        """The same of velocity."""
        away = self.simulator.output["velocity"] - moment(self.time_s).velocity
        return float(np.linalg.norm(away))

    def _supply(self) -> None:
        record, number = self.simulator.command["override"], round(self.time_s / _STEP_S)
        record["any"] = 1
        now = moment(self.time_s)
        pull = SPEED_MPS * _RATE
        course = _RATE * self.time_s
        force = (-pull * math.sin(course), pull * math.cos(course), -GRAVITY)
        rates = np.degrees(to_body(now.quaternion, 0.0, 0.0, _RATE))
        felt = self.accel_sign * np.array(to_body(now.quaternion, *force))
        self._put(GYRO, rates + 0.1 * self._random.standard_normal(3))
        self._put(ACCEL, felt + 0.09 * self._random.standard_normal(3))
        if number % 5 == 0:
            field = self.simulator.place.field_mgauss()
            noise = 2.0 * self._random.standard_normal(3)
            self._put(MAG, np.array(to_body(now.quaternion, *field)) + noise)
        if number % 10 == 0:
            altitude = self.simulator.place.altitude_m + HEIGHT_M
            altitude += 0.1 * float(self._random.standard_normal())
            self._put(BARO, np.array([altitude, 15.0, 97.0]))
        if number % 100 == 0:
            self._put_fix(moment(self.time_s - self.delay_s))

    def _put_fix(self, then: Moment) -> None:
        place = self.simulator.place
        north, east = metres_per_degree(place.latitude_deg)
        fix = (
            place.latitude_deg + float(then.position[0]) / north,
            place.longitude_deg + float(then.position[1]) / east,
            place.altitude_m + HEIGHT_M,
        )
        noise = 0.03 * self._random.standard_normal(3)
        self._put(GPS_VELOCITY, then.velocity + noise)
        self._put(GPS, np.array([*fix, GPS_FIX_3D, 12, 1.5, 0.8, 1.4]))

    def _put(self, number: int, values: Array) -> None:
        record = self.simulator.command["override"]
        record["replaced"][number] = 1
        record["value"][number, : len(values)] = values
        record["count"][number] += 1
