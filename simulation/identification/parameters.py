"""Parameters that a log can tell: their table, and an aircraft with other values of them.

A log tells ratios only. Mass and geometry are those of the aircraft's file, and a factor of 1.1 of
`thrust_per_mass` says that thrust over mass is 1.1 times that of the file: its thrust curve is
scaled while its motors turn as fast as before, so Q stays (`simulation.physics.propulsion`) and k_t
falls. `drag_per_mass` scales the drag of the body, of the discs and their flapping alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from simulation.aircraft.aircraft import (
    FOLDER,
    SECTIONS,
    AircraftParameters,
    load_aircraft,
    path_of_aircraft,
)
from simulation.aircraft.performance import full_voltage, hover, motor_lag_s
from simulation.files.parameter_file import ParameterFile
from simulation.identification.groups import BIAS, DELAY, DRAG, INERTIA, MOTOR, THRUST, WIND
from simulation.records.flight import DEAD_STEPS, MOTOR_DC
from simulation.records.interface import STEP_US

AXES: Final = ("roll", "pitch", "yaw")
_XYZ: Final = ("x", "y", "z")
_STEP_MS: Final = STEP_US / 1e3

Scales = Mapping[str, float]
"""Members of PARAMETERS, or `member.row` of one that has several, and the power of a factor that
each of them is scaled by."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number that a log can tell.

    `nominal` is what the aircraft's file says of it. `low` and `high` bound what can be meant,
    `step` is a difference to take slopes by. `scales` are the members of PARAMETERS that a
    factor of it changes; none for what is no matter of the aircraft.
    `excite` is the manoeuvre by which a flight would tell it.
    """

    name: str
    group: str
    title: str
    unit: str
    low: float
    high: float
    step: float
    excite: str
    nominal: Callable[[np.void], float] = lambda p: 0.0
    scales: Scales = field(default_factory=dict)


def motor_time_constant_ms(p: np.void) -> float:
    """Of a rotor's speed: about hovering, or what the file gives for speeding up."""
    if p["motor_model"] != MOTOR_DC:
        return 1e3 * float(p["motor_tau"][0])
    point = hover(p)
    return 1e3 * motor_lag_s(p, point.speed_radps, point.duty * full_voltage(p))


def _one(_: np.void) -> float:
    return 1.0


_TURN = "Doublets in {}: the stick to one side, to the other, and back, half a second each."
_FACTOR = "x file"
PARAMETERS: Final = (
    *(
        Parameter(
            f"wind_{to}_mps",
            WIND,
            f"Wind to the {to}",
            "m/s",
            -40.0,
            40.0,
            1e-4,
            "Turn once around the vertical while hovering, and fly out and back.",
        )
        for to in ("north", "east")
    ),
    Parameter(
        "drag_per_mass",
        DRAG,
        "Drag per mass",
        _FACTOR,
        0.1,
        10.0,
        1e-5,
        "Fly out and back, and to either side, at different speeds.",
        _one,
        {"drag_force": 1.0, "k_d": 1.0, "flapping": 1.0},
    ),
    Parameter(
        "thrust_per_mass",
        THRUST,
        "Thrust per mass",
        _FACTOR,
        0.4,
        2.5,
        1e-5,
        "Hover for ten seconds, with the battery's voltage in the log.",
        _one,
        {"alpha": 1.0, "beta": 1.0, "c_t1": 1.0, "c_t2": 1.0, "k_t": -1.0},
    ),
    *(
        Parameter(
            f"torque_per_inertia_{axis}",
            INERTIA,
            f"Torque per inertia, {axis}",
            _FACTOR,
            0.2,
            5.0,
            1e-5,
            _TURN.format(axis),
            _one,
            {f"inertia.{row}": -1.0},
        )
        for row, axis in enumerate(AXES)
    ),
    Parameter(
        "motor_time_constant_ms",
        MOTOR,
        "Motor time constant",
        "ms",
        2.0,
        500.0,
        1e-4,
        "Quick doublets in roll and pitch.",
        motor_time_constant_ms,
        {"rotor_inertia": 1.0, "motor_tau": 1.0},
    ),
    Parameter(
        "dead_time_ms",
        DELAY,
        "Dead time of the motors",
        "ms",
        -10.0,
        _STEP_MS * (DEAD_STEPS - 1),
        0.25,
        "Quick doublets in roll and pitch.",
        lambda p: _STEP_MS * float(p["dead_steps"]),
    ),
    *(
        Parameter(
            f"{sensor}_bias_{axis}_{unit}",
            BIAS,
            f"Bias of the {title}, {axis}",
            words,
            -limit,
            limit,
            step,
            "Hover, and turn once around the vertical.",
        )
        for sensor, title, unit, words, limit, step in (
            ("gyro", "gyro", "dps", "deg/s", 30.0, 0.05),
            ("accel", "accelerometer", "mps2", "m/s²", 3.0, 0.01),
        )
        for axis in _XYZ
    ),
)
RELATIVE_WIND: Final = tuple(
    Parameter(
        f"drag_of_wind_{to}_mps2",
        WIND,
        f"Drag per mass by the wind, to the {to}",
        "m/s²",
        -10.0,
        10.0,
        0.01,
        "Turn once around the vertical while hovering.",
    )
    for to in ("north", "east")
)
"""What is told of the wind without an aircraft's file."""
BY_NAME: Final = MappingProxyType({parameter.name: parameter for parameter in PARAMETERS})
_PROPELLERS: Final = "propulsion"


def changed(aircraft: AircraftParameters, values: Mapping[str, float]) -> AircraftParameters:
    """The aircraft with these values of parameters; what is no matter of an aircraft (wind, biases)
    is passed over. Dead time is rounded to steps. Raises KeyError for a name that is none."""
    p = aircraft.parameters.copy()
    for name, value in values.items():
        factor = value / nominal(name, aircraft.parameters) if BY_NAME[name].scales else 1.0
        scale_record(p, aircraft.parameters, BY_NAME[name], factor)
        if name == "dead_time_ms":
            p["dead_steps"] = _possible_dead_ms(value) // _STEP_MS
    return replace(aircraft, parameters=p)


def _possible_dead_ms(told: float) -> int:
    """Whole steps, of one that may be told below 0 by its sigma."""
    return max(0, round(told))


def nominal(name: str, p: np.void) -> float:
    """What PARAMETERS say of it."""
    return BY_NAME[name].nominal(p)


def scale_record(p: np.void, file: np.void, parameter: Parameter, factor: float) -> None:
    """Write a parameter into PARAMETERS `p`, `factor` times what `file` says of it."""
    for name, power in parameter.scales.items():
        member, _, row = name.partition(".")
        if row:
            p[member][int(row)] = file[member][int(row)] * factor**power
        else:
            p[member] = file[member] * factor**power


def deviations(aircraft: str, values: Mapping[str, float]) -> dict[str, Any]:
    """What of an aircraft's file is otherwise with these values, by dotted name, as `load_aircraft`
    takes it; `aircraft` is its name or its file. Raises ParameterError."""
    p = load_aircraft(aircraft).parameters
    file = ParameterFile(path_of_aircraft(aircraft), FOLDER)
    found: dict[str, Any] = {}
    for name, value in values.items():
        for member, power in BY_NAME[name].scales.items():
            _deviate(found, (file, p), member, (value / nominal(name, p)) ** power)
    if "dead_time_ms" in values:
        found["rotors.dead_time_ms"] = _possible_dead_ms(values["dead_time_ms"])
    return found


def _deviate(
    found: dict[str, Any], base: tuple[ParameterFile, np.void], scaled: str, factor: float
) -> None:
    """Scale the key of the file that fills a member."""
    file, p = base
    member, _, row = scaled.partition(".")
    place = _key_of(file, member)
    if place is None:
        return  # an aircraft without such a thing
    section, key, nominal = place
    dotted = f"{section}.{key}"
    if member == "k_t":
        nominal = float(p["k_t"])
        found[f"{_PROPELLERS}.figure_of_merit"] = 0.0
    value = np.array(found.get(dotted, nominal), np.float64)
    if row:
        value[int(row)] *= factor
    else:
        value = value * factor
    found[dotted] = value.tolist()


def _key_of(file: ParameterFile, member: str) -> tuple[str, str, Any] | None:
    for section in SECTIONS:
        for key, rule in section.keys.items():
            if rule.member == member and file.has(section.name):
                given = file.table(section.name).get(key, getattr(rule, "default", None))
                return None if given is None else (section.name, key, given)
    return None
