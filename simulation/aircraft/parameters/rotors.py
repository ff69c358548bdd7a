"""[rotors], [propulsion] and [motor.dc] or [motor.lag]: where the rotors are, what turns them."""

import math
from typing import Final

import numpy as np

from simulation.aircraft.performance import (
    figure_of_merit,
    hover_speed,
    lifting_rotors,
    static_thrust,
)
from simulation.environment.atmosphere import SEA_LEVEL_DENSITY
from simulation.environment.earth import GRAVITY
from simulation.files.parameter_file import (
    NumberKey,
    ParameterFile,
    ParameterSection,
    Values,
    WordKey,
)
from simulation.physics.rotor_wake import hover_velocity
from simulation.records.flight import (
    DEAD_STEPS,
    FIXED_WING,
    LAW_MOMENTUM,
    LAW_SEED,
    MOTOR_DC,
    MOTOR_LAG,
    MOTOR_LAG_ROOT,
    MOTOR_LAG_SPEED,
)
from simulation.records.interface import CHANNELS, ROTORS
from telemetry.base.number_text import significant

_ON_AXIS = 0.1
"""Radii by which the axes of a coaxial pair may miss each other."""
_LEAST_LIFT = 1.05
"""Below this thrust to weight an aircraft could not be controlled even if it hovered."""


def _place_rotors(file: ParameterFile, rotors: Values, p: np.void) -> None:
    n = len(rotors["position_m"])
    if not 1 <= n <= ROTORS or any(len(rotors[k]) != n for k in ("spin", "channel")):
        raise file.error(
            "rotors",
            "position_m",
            "position_m, spin and channel must describe the same rotors.",
            f"Give each of them 1 to {ROTORS} entries, as many as the others.",
        )
    if 0 in rotors["spin"]:
        raise file.error("rotors", "spin", "A rotor must turn, but 'spin' is 0.", "Give 1 or -1.")
    _check_channels(file, rotors)
    file.check_ascending("rotors", "pulse_us", rotors)
    p["rotor_count"] = n
    p["rotor_position"][:n] = rotors["position_m"]
    p["rotor_spin"][:n] = rotors["spin"]
    p["rotor_channel"][:n] = np.subtract(rotors["channel"], 1)
    p["rotor_axis"][:n] = (0.0, 0.0, -1.0)
    if rotors["tilt_deg"]:
        _tilt_rotors(file, rotors, p)


def _tilt_rotors(file: ParameterFile, rotors: Values, p: np.void) -> None:
    """Set the axes from how far each rotor's thrust leans forward and to the right."""
    n = int(p["rotor_count"])
    if len(rotors["tilt_deg"]) != n:
        raise file.error(
            "rotors",
            "tilt_deg",
            f"There are {n} rotors, but 'tilt_deg' has {len(rotors['tilt_deg'])} entries.",
            "Give [forward, right] for each of them, [0, 0] for one that stands upright.",
        )
    ahead, right = np.tan(np.radians(rotors["tilt_deg"])).T
    axes = np.column_stack((ahead, right, -np.ones(n)))
    p["rotor_axis"][:n] = axes / np.linalg.norm(axes, axis=1)[:, None]
    p["tilted"] = int(np.any(rotors["tilt_deg"]))


def _check_channels(file: ParameterFile, rotors: Values) -> None:
    """Complain about rotors that share an output, unless there are more rotors than outputs."""
    channels = rotors["channel"]
    if len(channels) > CHANNELS:
        return
    doubled = sorted({channel for channel in channels if channels.count(channel) > 1})
    if doubled:
        what = f"Two rotors hang on channel {doubled[0]}."
        raise file.error("rotors", "channel", what, "Give each rotor a channel of its own.")


def _finish_propeller(file: ParameterFile, values: Values, p: np.void) -> None:
    area = math.pi * float(p["rotor_radius"]) ** 2
    p["hover_inflow"] = 1.0 / math.sqrt(2.0 * SEA_LEVEL_DENSITY * area)
    if values["figure_of_merit"] > 0.0:
        _take_figure_of_merit(file, values, p)
    _find_pairs(p)
    if p["k_t"] <= 0.0 and values["gamma_nms"] <= 0.0:
        raise file.error(
            "propulsion",
            "k_t_m",
            "The propeller would turn for nothing: neither 'k_t_m' nor 'gamma_nms' is above 0.",
            "Give the torque it takes, k_t_m x thrust + gamma_nms x speed, or figure_of_merit.",
        )


def _find_pairs(p: np.void) -> None:
    """Say of each rotor which one is just above it, on the same axis within a radius."""
    places = p["rotor_position"][: int(p["rotor_count"])]
    radius = float(p["rotor_radius"])
    for lower, (x, y, z) in enumerate(places):
        for upper, (other_x, other_y, other_z) in enumerate(places):
            if (
                math.hypot(x - other_x, y - other_y) < _ON_AXIS * radius
                and 0 < z - other_z < radius
            ):
                p["rotor_above"][lower] = upper + 1


def _take_figure_of_merit(file: ParameterFile, values: Values, p: np.void) -> None:
    """Set k_t so that hovering without payload takes the ideal power over the figure of merit."""
    if values["k_t_m"] > 0.0:
        raise file.error(
            "propulsion",
            "figure_of_merit",
            "'figure_of_merit' and 'k_t_m' say the same in two ways.",
            "Remove one, or set it to 0 if it comes from the file's base.",
        )
    if p["rotor_count"] == 0:
        return  # complained about later
    force = float(p["mass"]) * GRAVITY / lifting_rotors(p)
    speed = hover_speed(p, force)
    power = force * hover_velocity(p, force, 1.0) / values["figure_of_merit"]
    p["k_t"] = max(power / speed - values["gamma_nms"] * speed, 0.0) / force


def _choose_dc(_: ParameterFile, __: Values, p: np.void) -> None:
    p["motor_model"] = MOTOR_DC


def check_power(file: ParameterFile, p: np.void) -> None:
    """Complain about propellers that would take less than the air that they move."""
    if p["rotor_count"] == 0 or p["kind"] == FIXED_WING or p["law"] == LAW_SEED:
        return
    merit = figure_of_merit(p)
    if merit > 1.0:
        raise file.error(
            "propulsion",
            "k_t_m",
            f"In hover the rotors would move more air than they take power for: the figure of "
            f"merit is {significant(merit, 3)}, and no rotor's is above 1.",
            "Give more torque ('k_t_m', 'gamma_nms') or the true 'rotor_radius_m'; torque_law = "
            '"seed" flies it nevertheless.',
        )


def check_lift(file: ParameterFile, p: np.void) -> None:
    """Complain about rotors without a motor, and about motors too weak for the weight."""
    if file.has("wing") or file.has("commands"):
        return
    if p["rotor_count"] == 0:
        raise file.error(
            "", "", "Nothing carries this aircraft.", "Add [rotors], [propulsion] and a motor."
        )
    if not file.has("propulsion"):
        raise file.error("rotors", "", "There are rotors, but no [propulsion].", "Add it.")
    if file.has("motor.dc") == file.has("motor.lag"):
        what = "Give either [motor.dc] or [motor.lag]; one may come from the file's base."
        raise file.error("motor", "", "One kind of motor is needed.", what)
    lift, weight = static_thrust(p), float(p["mass"]) * GRAVITY
    if lift < _LEAST_LIFT * weight:
        raise file.error(
            "body",
            "mass_kg",
            f"With a full battery the rotors lift {significant(lift, 3)} N, but it weighs "
            f"{significant(weight, 3)} N.",
            "Lower 'mass_kg', or give more thrust ('alpha_ns2') or voltage ('cells').",
        )


SECTIONS: Final = (
    ParameterSection(
        "rotors",
        {
            "position_m": NumberKey(-10.0, 10.0, (-1, 3)),
            "tilt_deg": NumberKey(-60.0, 60.0, (-1, 2), default=()),
            "spin": NumberKey(-1, 1, (-1,), whole=True),
            "channel": NumberKey(1, CHANNELS, (-1,), whole=True),
            "pulse_us": NumberKey(0.0, 5000.0, (2,), member="speed_controller_us"),
            "dead_time_ms": NumberKey(  # a step is 1 ms
                0, DEAD_STEPS - 1, whole=True, member="dead_steps", default=0
            ),
        },
        _place_rotors,
        is_optional=True,
    ),
    ParameterSection(
        "propulsion",
        {
            "torque_law": WordKey(
                {"momentum": LAW_MOMENTUM, "seed": LAW_SEED}, "law", default="momentum"
            ),
            "alpha_ns2": NumberKey(1e-12, 1.0, member="alpha"),
            "beta_ns": NumberKey(-1.0, 1.0, member="beta", default=0.0),
            "c_t1_ns2pm": NumberKey(-1.0, 1.0, member="c_t1", default=0.0),
            "c_t2_ns2pm2": NumberKey(-1.0, 1.0, member="c_t2", default=0.0),
            "k_t_m": NumberKey(0.0, 10.0, member="k_t", default=0.0),
            "figure_of_merit": NumberKey(0.0, 1.0, default=0.0),
            "windmilling": NumberKey(0.0, 1.0, member="windmilling", default=0.0),
            "gamma_nms": NumberKey(-1.0, 1.0, member="gamma", default=0.0),
            "k_d_ns2pm": NumberKey(0.0, 1.0, member="k_d", default=0.0),
            "flapping": NumberKey(0.0, 5.0, member="flapping", default=0.0),
            "flap_stiffness_nm": NumberKey(0.0, 1e4, member="flap_stiffness", default=0.0),
            "ground_effect": NumberKey(0.0, 2.0, member="ground_effect", default=1.0),
            "rotor_radius_m": NumberKey(0.005, 5.0, member="rotor_radius"),
            "rotor_inertia_kgm2": NumberKey(1e-12, 1.0, member="rotor_inertia"),
        },
        _finish_propeller,
        is_optional=True,
    ),
    ParameterSection(
        "motor.dc",
        {
            "psi_vs": NumberKey(1e-6, 10.0, member="psi"),
            "resistance_ohm": NumberKey(1e-4, 100.0, member="resistance"),
            "alpha_m_a": NumberKey(0.0, 10.0, member="alpha_m", default=0.0),
            "beta_m": NumberKey(0.01, 10.0, member="beta_m", default=1.0),
            "no_load_current_a": NumberKey(0.0, 100.0, member="no_load_current", default=0.0),
            "current_limit_a": NumberKey(0.1, 1e6, member="current_limit", default=1e6),
        },
        _choose_dc,
        is_optional=True,
    ),
    ParameterSection(
        "motor.lag",
        {
            "follows": WordKey(
                {
                    "voltage": MOTOR_LAG,
                    "root of voltage": MOTOR_LAG_ROOT,
                    "speed": MOTOR_LAG_SPEED,
                },
                "motor_model",
            ),
            "tau_s": NumberKey(0.002, 10.0, (2,), member="motor_tau"),
            "full_speed_radps": NumberKey(1.0, 1e5, member="full_speed"),
            "full_voltage_v": NumberKey(0.1, 1000.0, member="full_voltage"),
            "efficiency": NumberKey(0.01, 1.0, member="efficiency"),
        },
        is_optional=True,
    ),
)
