"""What a stick alone does to an aircraft: the moment that its outputs make, by its physics."""

from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.aircraft.performance import HoverPoint, full_voltage, hover
from simulation.physics.rigid_body import derivative
from simulation.physics.servos import move_servos
from simulation.records.flight import ATTITUDE, FIXED_WING, MOTION, ROTOR, STATE, VELOCITY
from simulation.records.interface import MIX_ROLL, MIXER_SERVO
from simulation.simulator.simulator import Simulator

_FULL_MIX = 128.0
_SETTLED = 40
_STICK = 0.1

Array = npt.NDArray[np.float64]


def stick_moments(simulator: Simulator, speed_mps: float = 0.0) -> Array:
    """Moments in Nm about roll, pitch and yaw, (3, 3), a row for each axis of which a tenth of the
    actuator is asked for; about hover or, of an aeroplane, at this speed."""
    p = simulator.record["parameters"]
    point = None if p["kind"] == FIXED_WING else hover(p)
    still = _moment(simulator, np.zeros(3), speed_mps, point)
    return np.array(
        [_moment(simulator, stick, speed_mps, point) - still for stick in _STICK * np.eye(3)]
    )


def _moment(
    simulator: Simulator, stick: Array, speed_mps: float, point: HoverPoint | None
) -> Array:
    p = simulator.record["parameters"]
    pulses = _pulses(p, simulator.settings, stick, point)
    state: Any = np.zeros(1, STATE)[0]
    state["air_density_ratio"] = 1.0
    for _ in range(_SETTLED if p["servo_count"] else 0):
        move_servos(p, state, {"actuator_command": pulses}, 0.01)
    motion, change, wrench = np.zeros(MOTION), np.zeros(MOTION), np.zeros(6)
    motion[ATTITUDE] = 1.0
    motion[VELOCITY] = speed_mps
    if point is not None:
        _turn_rotors(p, state, motion, pulses, point)
    derivative(p, state, motion, change, wrench)
    return wrench[3:]


def _pulses(p: Any, settings: Any, stick: Array, point: HoverPoint | None) -> Array:
    low, high = p["speed_controller_us"]
    lift_us = low + point.duty * (high - low) if point is not None else low
    shares = settings["mixer_vector"][:, MIX_ROLL : MIX_ROLL + 3] @ stick / _FULL_MIX
    rests = np.where(settings["mixer_type"] == MIXER_SERVO, settings["channel_neutral"], lift_us)
    return rests + shares * (settings["channel_max"] - settings["channel_neutral"])


def _turn_rotors(p: Any, state: Any, motion: Array, pulses: Array, point: HoverPoint) -> None:
    low, high = p["speed_controller_us"]
    full = full_voltage(p)
    for rotor in range(int(p["rotor_count"])):
        duty = (pulses[p["rotor_channel"][rotor]] - low) / (high - low)
        state["voltage"][rotor] = duty * full
        motion[ROTOR + rotor] = point.speed_radps * duty / point.duty
