"""Time constants of an aircraft's fastest motions, checked against the simulation's fixed step.

A motion that decays within less than a step is followed wrongly at first, and diverges where the
step is about three times its time constant (RK4: 2.79, Hairer & Wanner, Solving ODEs II, IV.2).
So what is faster than one step is refused, with the number that would do.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simulation.aircraft.performance import full_voltage, motor_lag_s, steady_speed
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.environment.earth import GRAVITY
from simulation.files.parameter_file import ParameterFile
from simulation.physics.fixed_wing import propeller
from simulation.records.flight import COAXIAL, COMMANDED, FIXED_WING, MOTOR_DC
from simulation.records.interface import STEP_S
from telemetry.base.number_text import significant

_FAST_MPS, _FAST_RADPS = 50.0, 20.0
"""How fast an aircraft moves and turns at most."""
_ROTOR, _FEET, _TURNING, _DRAG, _DAMPING, _FLYBAR = (
    "A rotor's speed settles",
    "What touches the ground comes to rest",
    "Drag stops its turning",
    "Drag stops it",
    "The wing stops its turning",
    "The flybar turns it upright",
)


@dataclass(frozen=True, slots=True)
class _Motion:
    """Something that decays within `time_s`; `key` of `section` is to be at least, or at most,
    `enough` for a time constant of one step."""

    what: str
    time_s: float
    section: str
    key: str
    bound: str
    enough: float


def check_step(file: ParameterFile, p: np.void) -> None:
    """Complain about the first motion that is faster than a step."""
    for motion in _motions(p):
        if motion.time_s < STEP_S:
            within = f"{significant(1e3 * motion.time_s, 2)} ms"
            raise file.error(
                motion.section,
                motion.key,
                f"{motion.what} within {within}, but the simulation steps by {1e3 * STEP_S:g} ms.",
                f"Give {motion.key!r} {motion.bound} {significant(motion.enough, 3)}.",
            )


def _motions(p: np.void) -> Iterator[_Motion]:
    if p["kind"] == FIXED_WING:
        yield _rotor(p, _propeller_lag_s(p), "propeller")
        yield from _wing_damping(p)
    elif p["kind"] == COMMANDED:
        yield from _commands(p)
    elif p["motor_model"] == MOTOR_DC:
        full = full_voltage(p)
        yield _rotor(p, motor_lag_s(p, steady_speed(p, full), full), "propulsion")
    if p["kind"] == COAXIAL:
        yield from _flybar(p)
    yield from _drag(p)
    yield _contact(p)


def _commands(p: np.void) -> Iterator[_Motion]:
    """The linear drags; the time constants in the file are above a step anyway."""
    for what, load, member, key in (
        (_DRAG, p["mass"], "linear_drag", "drag_nspm"),
        (_DRAG, p["mass"], "climb_drag", "climb_drag_nspm"),
        (_TURNING, p["inertia"][2], "yaw_drag", "yaw_drag_nms"),
    ):
        time_s = float(load) / float(p[member])
        yield _Motion(what, time_s, "commands", key, "of at most", float(load) / STEP_S)


def _rotor(p: np.void, lag_s: float, section: str) -> _Motion:
    least = float(p["rotor_inertia"]) * STEP_S / lag_s
    return _Motion(_ROTOR, lag_s, section, "rotor_inertia_kgm2", "of at least", least)


def _propeller_lag_s(p: np.void) -> float:
    """At the fastest it may turn: without load at full voltage."""
    speed = full_voltage(p) / float(p["psi"])
    step = 1e-3 * speed
    slow, fast = (propeller(p, speed + d, 0.0, SEA_LEVEL_DENSITY)[1] for d in (-step, step))
    winding = float(p["psi"] ** 2 / p["resistance"])
    return float(p["rotor_inertia"]) / (winding + (fast - slow) / (2.0 * step))


def _drag(p: np.void) -> Iterator[_Motion]:
    size, turning = p["drag_force"].max(), p["drag_moment"]
    if (turning > 0.0).any():
        time_s = float((p["inertia"] / np.maximum(turning, 1e-300)).min()) / (2.0 * _FAST_RADPS)
        most = float(turning.max()) * time_s / STEP_S
        yield _Motion(_TURNING, time_s, "body", "drag_moment_nms2", "of at most", most)
    if size > 0.0:
        arm = float(p["centre_of_pressure"] @ p["centre_of_pressure"])
        lightness = 1.0 / float(p["mass"]) + arm / float(p["inertia"].min())
        time_s = 1.0 / (2.0 * float(size) * _FAST_MPS * lightness)
        most = float(size) * time_s / STEP_S
        yield _Motion(_DRAG, time_s, "body", "drag_force_ns2pm2", "of at most", most)


def _wing_damping(p: np.void) -> Iterator[_Motion]:
    push = 0.5 * SEA_LEVEL_DENSITY * _FAST_MPS * float(p["wing_area"])
    for section, length, inertia, key, coefficient in (
        ("pitching", p["wing_chord"], p["inertia"][1], "pitch_rate", p["pitching"][2]),
        ("rolling", p["wing_span"], p["inertia"][0], "roll_rate", p["lateral"][1][1]),
        ("yawing", p["wing_span"], p["inertia"][2], "yaw_rate", p["lateral"][2][2]),
    ):
        rate = push * float(length) ** 2 * 0.5 * abs(float(coefficient)) / float(inertia)
        if rate > 0.0:
            least = -abs(float(coefficient)) / (rate * STEP_S)
            yield _Motion(_DAMPING, 1.0 / rate, section, key, "of at least", least)


def _flybar(p: np.void) -> Iterator[_Motion]:
    restoring, damping = float(p["flybar_restoring"]), float(p["flybar_damping"].max())
    least = float(p["inertia"].min())
    if damping > 0.0:
        most = least / STEP_S
        yield _Motion(_FLYBAR, least / damping, "flybar", "damping_nms", "of at most", most)
    if restoring > 0.0:
        swing_s = math.sqrt(least / restoring)
        most = least / STEP_S**2
        yield _Motion(_FLYBAR, swing_s, "flybar", "restoring_nm", "of at most", most)


def _contact(p: np.void) -> _Motion:
    """Spring and damper of all feet, for the axis about which they turn it most easily.

    A foot carries its share of the weight; about an axis they are (r / gyration)^2 times as stiff
    as up and down. The force of the ground is held over a step.
    """
    feet = p["point"][: int(p["foot_count"])]
    share = float(p["mass"]) / len(feet)
    square = np.square(feet)
    leverage = share * (square.sum(axis=1)[:, None] - square).sum(axis=0) / p["inertia"]
    stiffer = max(1.0, float(leverage.max()))
    swing = float(np.sqrt(GRAVITY / p["contact_depth"]))
    fastest = max(swing * np.sqrt(stiffer), 2.0 * float(p["contact_damping"]) * swing * stiffer)
    time_s = 1.0 / float(fastest)
    enough = float(p["contact_depth"]) * (STEP_S / time_s) ** 2
    return _Motion(_FEET, time_s, "ground", "depth_m", "of at least", enough)
