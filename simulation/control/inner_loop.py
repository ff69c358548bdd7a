"""Rate loop: wanted rates to actuators by the bank's rate PID, axis lock, acro+ and the virtual
flybar. The law is that of LibrePilot's innerloop.c; rates are those of the low-passed gyro.

MeasureBasedDTerm is without effect there: it is looked at once, before the settings are read
(stabilizationInnerloopInit), so that Kd always sees the wanted rate, too. Seen in lockstep.
"""

import math
from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.control.curve import curve_value
from simulation.mathematics.rotation import clamp
from simulation.records.interface import IMU_S

_ROLL, _PITCH, _YAW = range(3)
_P, _I, _D = range(3)
_ACRO_SLOPE = 1.5
"""How fast full stick stops the integral in acro+: at two thirds of its way, as in the firmware."""
# SETTINGS.thrust_scale_source
_BY_THROTTLE_STICK, _BY_STABILIZATION = 0, 1


@njit_part
def _thrust_change(c: Any, m: Any, k: Any, o: Any) -> float:
    """Change of the gains at the present thrust, a share: ThrustPIDScaleCurve."""
    source = c["thrust_scale_source"]
    thrust = o["actuator_desired"][3]
    if source == _BY_THROTTLE_STICK:
        thrust = m["throttle_stick"]
    elif source == _BY_STABILIZATION:
        thrust = k["thrust"]
    return curve_value(c["thrust_scale_curve"], max(thrust, 0.0))


@njit_part
def lock_rate(c: Any, k: Any, axis: int, desired: float) -> float:
    """The desired rate, or, if that is about zero, the one that keeps the angle."""
    if abs(desired) > c["max_axis_lock_rate"]:
        k["lock_angle"][axis] = 0.0
        return desired
    most = c["max_axis_lock"]
    angle = k["lock_angle"][axis] + (desired - k["gyro_smooth"][axis]) * IMU_S
    k["lock_angle"][axis] = clamp(angle, -most, most)
    return float(c["axis_lock_kp"] * k["lock_angle"][axis])


@njit_part
def rate_actuator(c: Any, m: Any, k: Any, o: Any, demand: Any) -> float:
    """The rate PID: actuator, about -1..1. `demand` is (axis, desired rate, stick 0..1, which slows
    the integral down: acro+)."""
    axis, desired, stick = demand
    most = c["maximum_rate"][axis]
    desired = clamp(desired, -most, most)
    kp, ki, kd, limit = c["rate_pid"][axis]
    change, scaled = _thrust_change(c, m, k, o), c["thrust_scale"][axis]
    kp *= 1.0 + change * scaled[_P]
    ki *= (1.0 + change * scaled[_I]) * clamp(1.0 - _ACRO_SLOPE * stick, 0.0, 1.0)
    kd *= 1.0 + change * scaled[_D]
    rate = k["gyro_smooth"][axis]
    integral = clamp(k["rate_integral"][axis] + (desired - rate) * ki * IMU_S, -limit, limit)
    k["rate_integral"][axis] = integral
    followed = c["derivative_gamma"] * desired - rate
    slope = (followed - k["rate_last"][axis]) / IMU_S
    k["rate_last"][axis] = followed
    k["rate_derivative"][axis] += c["derivative_share"] * (kd * slope - k["rate_derivative"][axis])
    damping = k["rate_derivative"][axis] if kd > 0.0 else 0.0
    return float((desired - rate) * kp + integral + damping)


@njit_part
def acro_actuator(c: Any, m: Any, k: Any, o: Any, axis: int) -> float:
    """Acro+: the farther the stick, the more it is the actuator itself (AcroInsanityFactor)."""
    desired = o["rate_desired"][axis]
    stick = clamp(desired / max(c["manual_rate"][axis], 1.0), -1.0, 1.0)
    share = abs(stick) * c["acro_factor"][axis]
    held = rate_actuator(c, m, k, o, (axis, desired, abs(stick)))
    return float(share * stick + (1.0 - share) * held)


@njit_part
def bar_actuator(c: Any, k: Any, axis: int, stick: float) -> float:
    """Virtual flybar: the stick tilts the rotor's plane, a leaking memory of the turn holds it.

    VbarSensitivity, VbarRollPI.., VbarTau, VbarMaxAngle; VbarGyroSuppress weakens gyro and memory
    while the stick is far out.
    """
    kp, ki = c["vbar_pi"][axis]
    most, rate = c["vbar_max_angle"], k["gyro_smooth"][axis]
    angle = clamp(k["vbar_angle"][axis] + rate * IMU_S, -most, most)
    k["vbar_angle"][axis] = angle * math.exp(-IMU_S / max(c["vbar_tau"], IMU_S))
    weight = max(1.0 - abs(stick) * c["vbar_gyro_suppress"], 0.0)
    return clamp(stick * c["vbar_sensitivity"][axis] - weight * (angle * ki + rate * kp), -1.0, 1.0)


@njit_part
def turn_with_body(memory: Any, yaw_rate: float) -> None:
    """Turn what roll and pitch have accumulated along with the yawing body (piro compensation):
    the disturbance that it holds against stays where it is in the world. `yaw_rate` in deg/s."""
    angle = math.radians(yaw_rate) * IMU_S
    roll, pitch = memory[_ROLL], memory[_PITCH]
    memory[_ROLL] = math.cos(angle) * roll + math.sin(angle) * pitch
    memory[_PITCH] = math.cos(angle) * pitch - math.sin(angle) * roll
