"""Mixer: desired actuators to pulses."""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.control.curve import curve_value
from simulation.control.inverted_propulsion import share_thrust, thrust_pulse
from simulation.mathematics.rotation import clamp
from simulation.records.interface import (
    CHANNELS,
    MIX_CURVE1,
    MIX_CURVE2,
    MIX_PITCH,
    MIX_ROLL,
    MIX_YAW,
    MIXER_DISABLED,
    MIXER_MOTOR,
    MIXER_REVERSABLE_MOTOR,
    MIXER_SERVO,
)

_FULL = 128.0  # what a mixer element of the wire is divided by


@njit_part
def _mix(c: Any, o: Any, channel: int, curve1: float, curve2: float) -> float:
    v = c["mixer_vector"][channel]
    a = o["actuator_desired"]
    total = v[MIX_CURVE1] * curve1 + v[MIX_CURVE2] * curve2
    total += v[MIX_ROLL] * a[0] + v[MIX_PITCH] * a[1] + v[MIX_YAW] * a[2]
    return float(total / _FULL)


@njit_part
def _pulse(c: Any, channel: int, value: float) -> float:
    """Whole us for -1..1 about neutral, as scaleChannel of actuator.c cuts them off, within the
    channel's ends (which may be swapped)."""
    low, high = c["channel_min"][channel], c["channel_max"][channel]
    neutral = c["channel_neutral"][channel]
    reach = high - neutral if value >= 0.0 else neutral - low
    return clamp(neutral + float(int(value * reach)), min(low, high), max(low, high))


@njit_part
def _motor_pulse(c: Any, channel: int, value: float) -> float:
    """Whole us, as scaleMotorMoveAndCompress of actuator.c cuts them off: a running motor never
    goes below neutral, its slowest speed."""
    neutral, high = c["channel_neutral"][channel], c["channel_max"][channel]
    pulse = float(int(neutral + value * (high - neutral)))
    return clamp(pulse, min(neutral, high), max(neutral, high))


@njit_part
def _motor_range(c: Any, o: Any, mixed: Any) -> tuple[float, float]:
    """How all motors are moved, then divided, so that none is below zero and the strongest not
    above full: turning moments stay while their room lasts. Also sets the flag `saturated`."""
    highest, lowest = -1.0, 1.0
    for i in range(CHANNELS):
        if c["mixer_type"][i] == MIXER_MOTOR:
            highest = max(highest, mixed[i])
            lowest = min(lowest, mixed[i])
    o["saturated"] = 1 if highest > 1.0 or lowest < 0.0 else 0
    shift = 0.0
    if lowest <= 0.0:
        shift = -lowest
    elif highest > 1.0:
        shift = -min(highest - 1.0, lowest)
    return shift, max(highest - lowest, 1.0)


@njit_part
def mix(c: Any, m: Any, o: Any, mixed: Any) -> None:
    """Set `actuator_command`. `mixed` is scratch for CHANNELS values."""
    thrust = o["actuator_desired"][3]
    armed = m["armed"] != 0
    curve1 = curve_value(c["throttle_curve1"], thrust)
    curve2 = curve_value(c["throttle_curve2"], thrust)
    for i in range(CHANNELS):
        kind = c["mixer_type"][i]
        if kind != MIXER_DISABLED:
            curve = max(curve1, 0.0) if kind == MIXER_MOTOR else curve1
            mixed[i] = _mix(c, o, i, curve, curve2)
            if kind == MIXER_MOTOR and c["is_multirotor"] == 0:  # others move none of them up
                mixed[i] = max(mixed[i], 0.0)
    known = c["propulsion"]["known"] != 0
    if known:
        share_thrust(c, o, mixed)
    shift, span = _motor_range(c, o, mixed)
    runs = armed and (thrust > 0.0 or c["motors_spin_while_armed"] != 0)
    for i in range(CHANNELS):
        kind = c["mixer_type"][i]
        pulse = c["channel_min"][i]
        if kind == MIXER_MOTOR and runs:
            value = (mixed[i] + shift) / span if thrust > 0.0 else 0.0
            pulse = _motor_pulse(c, i, value)
            if known and thrust > 0.0:
                pulse = max(thrust_pulse(c["propulsion"], o, value), c["channel_neutral"][i])
        elif kind == MIXER_REVERSABLE_MOTOR:
            pulse = _pulse(c, i, mixed[i] if armed and thrust != 0.0 else 0.0)
        elif kind == MIXER_SERVO:
            pulse = _pulse(c, i, mixed[i])
        o["actuator_command"][i] = pulse
