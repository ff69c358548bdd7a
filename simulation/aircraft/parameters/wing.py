"""[wing], [surfaces.*], [propeller] and [hand_launch]: what makes an aeroplane of an aircraft.

The wing comes with its coefficients; the motor is a [motor.dc].
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from simulation.aircraft.parameters.servos import SERVO_KEYS, SERVO_MOTION, add_servo
from simulation.files.parameter_file import NumberKey, ParameterFile, ParameterSection, Values
from simulation.records.flight import (
    ELEVATOR,
    FIXED_WING,
    LEFT_AILERON,
    RIGHT_AILERON,
    SERVOS,
)
from simulation.records.interface import CHANNELS

_DEG = math.pi / 180.0
_COEFFICIENT = NumberKey(-100.0, 100.0)
_CHANNEL = NumberKey(1, CHANNELS, whole=True)
_LONGITUDINAL = dict.fromkeys(("zero", "alpha", "pitch_rate", "elevator"), _COEFFICIENT)
_LATERAL = {
    **dict.fromkeys(("beta", "roll_rate", "yaw_rate", "aileron"), _COEFFICIENT),
    "rudder": NumberKey(-100.0, 100.0, default=0.0),
}
_LATERAL_SECTIONS = ("side_force", "rolling", "yawing")
_SURFACE_SHARES: Final = {
    "elevator": (1.0, 0.0, 0.0, 0.0),
    "left_aileron": (0.0, 1.0, 0.0, 0.0),
    "right_aileron": (0.0, 0.0, 1.0, 0.0),
    "rudder": (0.0, 0.0, 0.0, 1.0),
    "left_elevon": (0.5, 1.0, 0.0, 0.0),
    "right_elevon": (0.5, 0.0, 1.0, 0.0),
    "left_ruddervator": (0.5, 0.0, 0.0, 0.5),
    "right_ruddervator": (0.5, 0.0, 0.0, -0.5),
}
"""Share of a servo's angle in elevator, left and right aileron, rudder, by what it moves."""


def _finish_wing(file: ParameterFile, wing: Values, p: np.void) -> None:
    p["kind"] = FIXED_WING
    p["stall"] = (wing["stall_angle_deg"] * _DEG, wing["stall_sharpness"])
    aspect_ratio = wing["span_m"] ** 2 / wing["area_m2"]
    induced = 1.0 / (math.pi * wing["oswald"] * aspect_ratio)
    p["drag"] = (wing["c_d_zero"], induced, wing["c_d_side"])
    p["plate_loss"] = 0.41 * (1.0 - math.exp(-17.0 / aspect_ratio))
    for section in _REQUIRED:
        file.table(section)  # complains if it is missing


def _keep_row(
    member: str, row: int | None = None
) -> Callable[[ParameterFile, Values, np.void], None]:
    """Store a section's values, in their order, as a member or as one row of it."""

    def keep(_: ParameterFile, values: Values, p: np.void) -> None:
        target = p[member] if row is None else p[member][row]
        target[:] = list(values.values())

    return keep


def _surface(name: str) -> ParameterSection:
    section = f"surfaces.{name}"

    def keep(file: ParameterFile, surface: Values, p: np.void) -> None:
        if p["servo_count"] == SERVOS:
            what = f"An aircraft has at most {SERVOS} servos."
            raise file.error(section, "", what, "Remove surfaces that it does not need.")
        p["servo_share"][int(p["servo_count"])] = _SURFACE_SHARES[name]
        add_servo(file, section, surface, p)

    return ParameterSection(section, SERVO_KEYS, keep, is_optional=True)


def _finish_propeller(file: ParameterFile, propeller: Values, p: np.void) -> None:
    file.check_ascending("propeller", "pulse_us", propeller)
    if propeller["spin"] == 0:
        what = "A propeller must turn, but 'spin' is 0."
        raise file.error("propeller", "spin", what, "Give 1 or -1.")
    p["rotor_count"] = 1
    p["rotor_channel"][0] = propeller["channel"] - 1
    p["rotor_spin"][0] = propeller["spin"]


def check_wing(file: ParameterFile, p: np.void) -> None:
    """Complain about parts that do not go together."""
    x, _, z = p["inertia"]
    if p["inertia_xz"] ** 2 >= x * z:
        what = "No body can have this 'inertia_xz_kgm2': its square reaches Ix times Iz."
        raise file.error("body", "inertia_xz_kgm2", what, "Give a smaller number.")
    if p["kind"] != FIXED_WING:
        for section in ("propeller", "surfaces", "propwash"):
            if file.has(section):
                what = f"There is a [{section}], but no [wing]."
                raise file.error(section, "", what, "Add the wing, or remove the section.")
        return
    _check_surfaces(file, p)
    if p["tail_in_wash"] > 0.0 and (p["pitching"][3] >= 0.0 or p["lift"][3] <= 0.0):
        what = "[propwash] does not know the arm of a tail without an elevator behind the wing."
        remedy = "Give [lift] elevator above 0 and [pitching] elevator below 0."
        raise file.error("pitching", "elevator", what, remedy)
    slope, damping = float(p["lift"][1]), float(p["lateral"][1][1])
    if slope <= 0.0 or damping >= 0.0:
        what = "A wing whose lift does not rise, or that does not resist rolling, cannot be flown."
        raise file.error(
            "rolling", "roll_rate", what, "Give [lift] alpha above 0 and 'roll_rate' below 0."
        )
    p["half_wing"] = min(math.sqrt(-damping / (2.0 * slope)), 0.5)
    if file.has("rotors") or file.has("propulsion"):
        what = "Rotors and a wing on one aircraft are not simulated."
        raise file.error("wing", "", what, "Remove [rotors] and [propulsion], or [wing].")


def _check_surfaces(file: ParameterFile, p: np.void) -> None:
    shares = p["servo_share"][: int(p["servo_count"])]
    for surface, title in (
        (ELEVATOR, "an elevator"),
        (LEFT_AILERON, "a left aileron"),
        (RIGHT_AILERON, "a right aileron"),
    ):
        if not shares[:, surface].any():
            what = f"No servo moves {title}."
            known = ", ".join(_SURFACE_SHARES)
            raise file.error("surfaces", "", what, f"Add its surface; there are: {known}.")


_REQUIRED = (
    "lift",
    "pitching",
    *_LATERAL_SECTIONS,
    "surfaces.servo",
    "propeller",
    "motor.dc",
)

SECTIONS: Final = (
    ParameterSection(
        "wing",
        {
            "area_m2": NumberKey(1e-3, 100.0, member="wing_area"),
            "span_m": NumberKey(0.05, 50.0, member="wing_span"),
            "chord_m": NumberKey(0.01, 10.0, member="wing_chord"),
            "stall_angle_deg": NumberKey(2.0, 60.0),
            "stall_sharpness": NumberKey(5.0, 500.0),
            "c_d_zero": NumberKey(1e-4, 10.0),
            "c_d_side": NumberKey(0.0, 10.0, default=0.0),
            "oswald": NumberKey(0.3, 1.0),
        },
        _finish_wing,
        is_optional=True,
    ),
    ParameterSection("lift", _LONGITUDINAL, _keep_row("lift"), is_optional=True),
    ParameterSection("pitching", _LONGITUDINAL, _keep_row("pitching"), is_optional=True),
    *(
        ParameterSection(name, _LATERAL, _keep_row("lateral", i), is_optional=True)
        for i, name in enumerate(_LATERAL_SECTIONS)
    ),
    *map(_surface, _SURFACE_SHARES),
    ParameterSection("surfaces.servo", SERVO_MOTION, is_optional=True),
    ParameterSection(
        "propeller",
        {
            "channel": _CHANNEL,
            "pulse_us": NumberKey(0.0, 5000.0, (2,), member="speed_controller_us"),
            "spin": NumberKey(-1, 1, whole=True),
            "diameter_m": NumberKey(0.01, 5.0, member="propeller_diameter"),
            "c_t": NumberKey(-10.0, 10.0, (3,), member="propeller_c_t"),
            "c_q": NumberKey(-10.0, 10.0, (3,), member="propeller_c_q"),
            "rotor_inertia_kgm2": NumberKey(1e-12, 1.0, member="rotor_inertia"),
        },
        _finish_propeller,
        is_optional=True,
    ),
    ParameterSection(
        "propwash",
        {
            "tail_share": NumberKey(0.0, 1.0, member="tail_in_wash"),
            "tail_alpha": NumberKey(-100.0, 0.0, member="tail_alpha"),
        },
        is_optional=True,
    ),
    ParameterSection(
        "hand_launch",
        {
            "height_m": NumberKey(0.5, 3.0, member="launch_height"),
            "pitch_deg": NumberKey(-30.0, 45.0, member="launch_pitch", scale=_DEG),
            "acceleration_mps2": NumberKey(0.0, 200.0, member="launch_acceleration"),
            "duration_s": NumberKey(0.0, 5.0, member="launch_steps", scale=1000.0),
            "duty": NumberKey(0.0, 1.0, member="launch_duty"),
            "delay_s": NumberKey(0.0, 60.0, member="launch_delay", scale=1000.0),
        },
        is_optional=True,
    ),
)
