"""Hover: attitude and height of a multirotor, estimated and controlled; hover.c in Python.

    lapwing sim fly examples/sil/hover.json --sil examples/sil/hover.py:Hover

A complementary filter takes roll, pitch and heading from gyro, accelerometer and magnetometer,
and height from barometer and accelerometer. Cascaded controllers with the gains of the
airframe's settings hold attitude and height. There is no position control: asked to hold a
position, it stays level and drifts with the wind.
"""

import math
from typing import Any

from simulation.records.interface import (
    AXIS_ATTITUDE,
    HORIZONTAL_NONE,
    MIXER_MOTOR,
    VERTICAL_LAND,
    VERTICAL_MANUAL,
    VERTICAL_TAKEOFF,
    VERTICAL_VARIO,
)
from simulation.sil.controller import Actuators

GRAVITY = 9.81
DEG = 57.29577951308232
"""Degrees per radian."""

START_S = 1.0  # at rest, for gyro bias and attitude
LEVEL_GAIN = 0.3  # 1/s, trust in the accelerometer as a plumb line
LEVEL_TRUST = 1.5  # m/s2 off gravity at which it is not trusted
HEADING_GAIN = 0.4  # 1/s
HEIGHT_GAIN = 1.5  # 1/s, barometer to height
CLIMB_GAIN = 0.8  # 1/s2, barometer to vertical speed
ACCEL_GAIN = 0.1  # 1/s3, barometer to accelerometer bias
SLOPE_CUTOFF_HZ = 20.0  # low-pass of the rate controllers' D part
STILL_MPS = 0.2  # touchdown: no motion ...
LITTLE_THRUST = 0.7  # ... at less than this share of hover thrust ...
TOUCHDOWN_S = 0.4  # ... for this long
REST_S = 1.0  # and so long again until disarming is asked for

ROLL, PITCH, YAW = range(3)
LEVEL = ((0.0, 0.0), (AXIS_ATTITUDE, AXIS_ATTITUDE))
"""Setpoints and modes of roll and pitch."""


def clamp(value: float, low: float, high: float) -> float:
    """`value` within its limits."""
    return low if value < low else high if value > high else value


def wrap(angle: float) -> float:
    """The same direction within half a turn, radians."""
    while angle > math.pi:
        angle -= 2.0 * math.pi
    while angle <= -math.pi:
        angle += 2.0 * math.pi
    return angle


class Estimate:
    """Attitude and height, from the sensors only. Angles and rates in radians."""

    def __init__(self, settings: Any, dt: float) -> None:
        self.is_running = False
        self.bias = [0.0, 0.0, 0.0]
        self.angle = [0.0, 0.0, 0.0]
        self.rate = [0.0, 0.0, 0.0]
        self.down = 0.0
        self.speed_down = 0.0
        self._declination = float(settings["home_declination_deg"]) / DEG
        self._dt = dt
        self._samples = 0
        self._gyro_sum = [0.0, 0.0, 0.0]
        self._accel_sum = [0.0, 0.0, 0.0]
        self._accel_bias = 0.0
        self._baro_zero = 0.0
        self._baro_seen = 0
        self._baro_time_us = 0

    def update(self, sensors: Any) -> None:
        """Use one step's sensor values."""
        if not self.is_running:
            self._begin(sensors)
            return
        accel = sensors["accel"].tolist()
        self._update_attitude(sensors, accel)
        self._update_height(sensors, accel)

    def quaternion(self) -> tuple[float, float, float, float]:
        """Body to NED, scalar first."""
        hr, hp, hy = (0.5 * angle for angle in self.angle)
        sr, cr, sp, cp = math.sin(hr), math.cos(hr), math.sin(hp), math.cos(hp)
        sy, cy = math.sin(hy), math.cos(hy)
        return (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        )

    def _begin(self, sensors: Any) -> None:
        """Average while standing still; then know the gyro's bias and where down is."""
        for i in range(3):
            self._gyro_sum[i] += float(sensors["gyro"][i])
            self._accel_sum[i] += float(sensors["accel"][i])
        self._samples += 1
        n = float(self._samples)
        if n * self._dt < START_S or sensors["mag_count"] == 0 or sensors["baro_count"] == 0:
            return
        self.bias = [total / n / DEG for total in self._gyro_sum]
        self.angle[ROLL], self.angle[PITCH] = plumb(self._accel_sum)
        self.angle[YAW] = self._heading(sensors)
        self._baro_zero = float(sensors["baro_altitude_m"])
        self._note_baro(sensors)
        self.is_running = True

    def _update_attitude(self, sensors: Any, accel: list[float]) -> None:
        angle, dt = self.angle, self._dt
        sr, cr = math.sin(angle[ROLL]), math.cos(angle[ROLL])
        gyro = sensors["gyro"].tolist()
        self.rate = rate = [gyro[i] / DEG - self.bias[i] for i in range(3)]
        turn = rate[1] * sr + rate[2] * cr
        angle[ROLL] += (rate[0] + math.tan(angle[PITCH]) * turn) * dt
        angle[YAW] += turn / math.cos(angle[PITCH]) * dt
        angle[PITCH] += (rate[1] * cr - rate[2] * sr) * dt
        size = math.sqrt(accel[0] * accel[0] + accel[1] * accel[1] + accel[2] * accel[2])
        if abs(size - GRAVITY) < LEVEL_TRUST:
            roll, pitch = plumb(accel)
            angle[ROLL] += LEVEL_GAIN * wrap(roll - angle[ROLL]) * dt
            angle[PITCH] += LEVEL_GAIN * (pitch - angle[PITCH]) * dt
        angle[YAW] += HEADING_GAIN * wrap(self._heading(sensors) - angle[YAW]) * dt
        angle[ROLL] = wrap(angle[ROLL])
        angle[YAW] = wrap(angle[YAW])

    def _update_height(self, sensors: Any, accel: list[float]) -> None:
        dt = self._dt
        sr, cr = math.sin(self.angle[ROLL]), math.cos(self.angle[ROLL])
        sp, cp = math.sin(self.angle[PITCH]), math.cos(self.angle[PITCH])
        down = -sp * accel[0] + cp * (sr * accel[1] + cr * accel[2])
        change = down + GRAVITY - self._accel_bias
        self.down += (self.speed_down + 0.5 * change * dt) * dt
        self.speed_down += change * dt
        if sensors["baro_count"] != self._baro_seen:
            gap_s = clamp((int(sensors["baro_time_us"]) - self._baro_time_us) / 1e6, 0.0, 0.1)
            error = self._baro_zero - float(sensors["baro_altitude_m"]) - self.down
            self.down += HEIGHT_GAIN * error * gap_s
            self.speed_down += CLIMB_GAIN * error * gap_s
            self._accel_bias -= ACCEL_GAIN * error * gap_s
            self._note_baro(sensors)

    def _note_baro(self, sensors: Any) -> None:
        self._baro_seen = int(sensors["baro_count"])
        self._baro_time_us = int(sensors["baro_time_us"])

    def _heading(self, sensors: Any) -> float:
        x, y, z = sensors["mag"].tolist()
        sr, cr = math.sin(self.angle[ROLL]), math.cos(self.angle[ROLL])
        sp, cp = math.sin(self.angle[PITCH]), math.cos(self.angle[PITCH])
        level_y = cr * y - sr * z
        level_x = cp * x + sp * (sr * y + cr * z)
        return wrap(math.atan2(-level_y, level_x) + self._declination)


def plumb(accel: list[float]) -> tuple[float, float]:
    """Roll and pitch of an aircraft at rest, from the direction of its weight."""
    level = math.sqrt(accel[1] * accel[1] + accel[2] * accel[2])
    return math.atan2(-accel[1], -accel[2]), math.atan2(accel[0], level)


class CascadedControl:
    """Cascaded controllers; all memory of one flight."""

    def __init__(self, settings: Any, dt: float) -> None:
        self.heading = 0.0  # rad, held
        self.thrust = -1.0
        self.still_s = 0.0
        self.speed_wish = 0.0
        self.rate_wish = [0.0, 0.0, 0.0]
        self.actuator = [0.0, 0.0, 0.0]
        self._dt = dt
        self._rate_gains = settings["rate_pid"].tolist()
        self._angle_gains = [float(row[0]) for row in settings["attitude_pi"]]
        self._fastest = settings["maximum_rate"].tolist()
        self._height_gain = float(settings["altitude_hold_position_p"])
        self._speed_gains = settings["altitude_hold_velocity_pid"].tolist()
        self._fastest_climb = float(settings["altitude_hold_rate"])
        self._thrust_limits = settings["altitude_hold_thrust"].tolist()
        self._thrust_integral = 0.0
        self._rate_integral = [0.0, 0.0, 0.0]
        self._rate_slope = [0.0, 0.0, 0.0]
        self._rate_last = [0.0, 0.0, 0.0]

    def clear(self, estimate: Estimate) -> None:
        """Begin anew from the present attitude, motors off."""
        self._rate_integral = [0.0, 0.0, 0.0]
        self._rate_slope = [0.0, 0.0, 0.0]
        self.actuator = [0.0, 0.0, 0.0]
        self._rate_last = [rate * DEG for rate in estimate.rate]
        self.heading = estimate.angle[YAW]
        self.thrust = -1.0
        self._thrust_integral = self.still_s = self.speed_wish = 0.0

    def update(self, estimate: Estimate, command: Any) -> None:
        """One step while armed."""
        self._control_height(estimate, command)
        wishes, modes = command["axis_setpoint"].tolist(), command["axis_mode"].tolist()
        if command["horizontal_mode"] != HORIZONTAL_NONE:
            wishes[:YAW], modes[:YAW] = LEVEL  # it cannot hold a position
        for axis in range(3):
            self.rate_wish[axis] = self._wished_rate(estimate, axis, modes[axis], wishes[axis])
            self._control_rate(estimate, axis)
            if self.thrust <= 0.0:
                self._rate_integral[axis] = 0.0

    def _wished_speed(self, estimate: Estimate, command: Any) -> float:
        """The vertical speed that is wished for, m/s down."""
        mode = int(command["vertical_mode"])
        speed = float(command["velocity_down"])
        if mode in (VERTICAL_VARIO, VERTICAL_LAND):
            return speed
        most = abs(speed) if mode == VERTICAL_TAKEOFF else self._fastest_climb
        return clamp(self._height_gain * (float(command["down_m"]) - estimate.down), -most, most)

    def _control_height(self, estimate: Estimate, command: Any) -> None:
        mode = int(command["vertical_mode"])
        if mode == VERTICAL_MANUAL:
            self.thrust = float(command["thrust"])
            return
        low, neutral, high = self._thrust_limits
        gain = self._speed_gains
        self.speed_wish = self._wished_speed(estimate, command)
        error = estimate.speed_down - self.speed_wish
        self._thrust_integral = clamp(
            self._thrust_integral + gain[1] * error * self._dt, low - neutral, high - neutral
        )
        self.thrust = clamp(neutral + gain[0] * error + self._thrust_integral, low, high)
        if mode != VERTICAL_LAND:
            self.still_s = 0.0
            return
        still = abs(estimate.speed_down) < STILL_MPS and self.thrust < LITTLE_THRUST * neutral
        self.still_s = self.still_s + self._dt if self.still_s >= TOUCHDOWN_S or still else 0.0
        if self.still_s >= TOUCHDOWN_S:
            self.thrust = -1.0

    def _wished_rate(self, estimate: Estimate, axis: int, mode: int, wish: float) -> float:
        """The turn rate about one axis that is wished for, deg/s."""
        if axis == YAW:
            if mode == AXIS_ATTITUDE:
                self.heading = wish / DEG
            else:
                self.heading = wrap(self.heading + wish / DEG * self._dt)
            error = wrap(self.heading - estimate.angle[YAW]) * DEG
        elif mode == AXIS_ATTITUDE:
            error = wish - estimate.angle[axis] * DEG
        else:
            return wish
        most = self._fastest[axis]
        return clamp(self._angle_gains[axis] * error, -most, most)

    def _control_rate(self, estimate: Estimate, axis: int) -> None:
        gain, dt = self._rate_gains[axis], self._dt
        rate = estimate.rate[axis] * DEG
        error = self.rate_wish[axis] - rate
        slope = (self._rate_last[axis] - rate) / dt
        tau = 1.0 / (2.0 * math.pi * SLOPE_CUTOFF_HZ)
        self._rate_last[axis] = rate
        self._rate_slope[axis] += dt / (dt + tau) * (slope - self._rate_slope[axis])
        self._rate_integral[axis] = clamp(
            self._rate_integral[axis] + gain[1] * error * dt, -gain[3], gain[3]
        )
        self.actuator[axis] = clamp(
            gain[0] * error + self._rate_integral[axis] + gain[2] * self._rate_slope[axis],
            -1.0,
            1.0,
        )


class RotorMixer:
    """Thrust and turning moments to pulses, by the airframe's MixerSettings."""

    def __init__(self, settings: Any) -> None:
        kinds = settings["mixer_type"].tolist()
        self._motors = [i for i, kind in enumerate(kinds) if kind == MIXER_MOTOR]
        self._vector = settings["mixer_vector"].tolist()
        self._min = settings["channel_min"].tolist()
        self._neutral = settings["channel_neutral"].tolist()
        self._max = settings["channel_max"].tolist()

    def mix(self, armed: bool, control: CascadedControl) -> list[float]:
        """The pulses. Turning goes before climbing."""
        roll, pitch, yaw = control.actuator
        vectors = (self._vector[i] for i in self._motors)
        share = [
            (v[0] * control.thrust + v[2] * roll + v[3] * pitch + v[4] * yaw) / 128.0
            for v in vectors
        ]
        shift = min(1.0 - max(share, default=0.0), 0.0) + max(-min(share, default=0.0), 0.0)
        pulses = list(self._neutral)
        for i, thrust in zip(self._motors, share, strict=True):
            if not armed:
                pulses[i] = self._min[i]
            elif control.thrust > 0.0:
                reach = self._max[i] - self._neutral[i]
                pulses[i] = self._neutral[i] + clamp(thrust + shift, 0.0, 1.0) * reach
        return pulses


class Hover:
    """The controller that `--sil` names."""

    def start(self, settings: Any) -> None:
        """Begin on the ground, at rest."""
        dt = int(settings["step_us"]) / 1e6
        self._estimate = Estimate(settings, dt)
        self._control = CascadedControl(settings, dt)
        self._mixer = RotorMixer(settings)

    def step(self, sensors: Any, command: Any) -> Actuators:
        """One step from sensors to pulses."""
        estimate, control = self._estimate, self._control
        was_running = estimate.is_running
        armed = bool(command["armed"]) and was_running
        estimate.update(sensors)
        if armed:
            control.update(estimate, command)
        else:
            control.clear(estimate)
        pulses = self._mixer.mix(armed, control)
        if not estimate.is_running:
            return Actuators(pulses)
        return Actuators(
            pulses,
            attitude_valid=True,
            quaternion=estimate.quaternion(),
            rates=[rate * DEG for rate in estimate.rate],
            gyro_bias=[bias * DEG for bias in estimate.bias],
            position=(0.0, 0.0, estimate.down),
            velocity=(0.0, 0.0, estimate.speed_down),
            velocity_desired=(0.0, 0.0, control.speed_wish),
            attitude_desired=(0.0, 0.0, control.heading * DEG),
            rate_desired=control.rate_wish,
            actuator_desired=(*control.actuator, control.thrust),
            landed=control.still_s >= TOUCHDOWN_S,
            disarm_request=control.still_s >= TOUCHDOWN_S + REST_S,
        )
