"""An aircraft: what its file says, checked, as the record the simulation runs on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from simulation.interface import CHANNELS, ROTORS
from simulation.parameter_file import Key, ParameterFile
from simulation.records import OCV_POINTS, PARAMETERS, POINTS

FOLDER: Final = Path(__file__).parent.parent / "resources" / "aircraft"

_POSITIVE = Key(1e-12, 1e6)
_ANY = Key(-1e6, 1e6)

_BODY = {
    "mass_kg": Key(0.005, 100.0),
    "inertia_kgm2": Key(1e-7, 100.0, (3,)),
    "drag_force": Key(0.0, 100.0, (3,)),
    "drag_moment": Key(0.0, 100.0, (3,)),
}
_ROTORS = {
    "position_m": Key(-10.0, 10.0, (-1, 3)),
    "spin": Key(-1, 1, (-1,), whole=True),
    "channel": Key(1, CHANNELS, (-1,), whole=True),
    "pulse_us": Key(0.0, 5000.0, (2,)),
}
_PROPULSION = {
    "psi": _POSITIVE,
    "resistance_ohm": _POSITIVE,
    "rotor_inertia_kgm2": _POSITIVE,
    "k_t": Key(0.0, 10.0),
    "k_m": _ANY,
    "alpha_m": Key(0.0, 10.0),
    "beta_m": Key(0.01, 10.0),
    "c_t": Key(-1.0, 1.0, (3,)),
}
_GROUND = {
    "feet_m": Key(-10.0, 10.0, (-1, 3)),
    "hull_m": Key(-10.0, 10.0, (-1, 3)),
    "depth_m": Key(0.0005, 0.1),
    "damping": Key(0.05, 2.0),
    "friction": Key(0.0, 5.0),
    "crash_speed_mps": Key(0.1, 100.0),
}
_BATTERY = {
    "cells": Key(1, 16, whole=True),
    "capacity_mah": Key(10.0, 1e6),
    "cell_voltage": Key(1.0, 5.0, (OCV_POINTS,)),
    "cell_resistance_ohm": Key(0.0, 1.0),
    "cell_rc_resistance_ohm": Key(0.0, 1.0),
    "cell_rc_tau_s": Key(0.1, 1000.0),
    "cell_cutoff_v": Key(0.0, 4.0),
    "avionics_w": Key(0.0, 1000.0),
}
_ERROR = {
    "white": Key(0.0, 1e4),
    "drift": Key(0.0, 1e4),
    "drift_tau_s": Key(0.1, 1e6),
    "turn_on": Key(0.0, 1e4),
    "range": _POSITIVE,
    "resolution": _POSITIVE,
}
_GPS = {
    "period_ms": Key(20, 10_000, whole=True),
    "delay_ms": Key(0, 1000, whole=True),
    "first_fix_s": Key(0.0, 600.0),
    "position_white_m": Key(0.0, 100.0),
    "position_tau_s": Key(1.0, 1e5),
    "satellites": Key(4, 40),
}
_ERROR_MODELS = ("gyro", "accel", "mag", "baro", "gps_velocity")
_SECTIONS = ("body", "rotors", "propulsion", "ground", "battery", "sensors")


@dataclass(frozen=True, slots=True)
class Aircraft:
    """The physical parameters of one aircraft; how its autopilot is configured is no part of it.

    `parameters` (dtype PARAMETERS) must not be written; a simulator copies them.
    """

    name: str
    description: str
    parameters: np.void

    @property
    def cells(self) -> int:
        """Battery cells in series."""
        return int(self.parameters["cells"])

    @property
    def capacity_mah(self) -> float:
        """Battery capacity."""
        return float(self.parameters["capacity_as"]) / 3.6


def aircraft_names() -> tuple[str, ...]:
    """Names of the aircraft that come with the program."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_aircraft(name_or_path: str | Path) -> Aircraft:
    """The shipped aircraft of that name, or the one in that file.

    Raises ParameterError, which says where the file is wrong and what to do.
    """
    shipped = FOLDER / f"{name_or_path}.toml"
    file = ParameterFile(shipped if shipped.is_file() else Path(name_or_path))
    file.refuse_unknown("", ("name", "description", *_SECTIONS))
    parameters = np.zeros(1, PARAMETERS)[0]
    _read_body(file, parameters)
    _read_rotors(file, parameters)
    _read_ground(file, parameters)
    _read_battery(file, parameters)
    _read_sensors(file, parameters)
    return Aircraft(file.text("name"), file.text("description"), parameters)


def _read_body(file: ParameterFile, p: np.void) -> None:
    body = file.numbers("body", _BODY)
    p["mass"] = body["mass_kg"]
    p["inertia"] = body["inertia_kgm2"]
    x, y, z = sorted(body["inertia_kgm2"])
    if z > x + y:
        raise file.error(
            "body",
            "inertia_kgm2",
            "No body can have this 'inertia_kgm2': one is larger than the sum of the others.",
            "Check the three numbers.",
        )
    p["drag_force"] = body["drag_force"]
    p["drag_moment"] = body["drag_moment"]


def _read_rotors(file: ParameterFile, p: np.void) -> None:
    rotors = file.numbers("rotors", _ROTORS)
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
    low, high = rotors["pulse_us"]
    if high <= low:
        raise file.error(
            "rotors", "pulse_us", "The two of 'pulse_us' are swapped.", "Give [least, most]."
        )
    p["rotor_count"] = n
    p["rotor_position"][:n] = rotors["position_m"]
    p["rotor_spin"][:n] = rotors["spin"]
    p["rotor_channel"][:n] = np.subtract(rotors["channel"], 1)
    p["speed_controller_us"] = (low, high)
    propulsion = file.numbers("propulsion", _PROPULSION)
    p["resistance"] = propulsion.pop("resistance_ohm")
    p["rotor_inertia"] = propulsion.pop("rotor_inertia_kgm2")
    for key, value in propulsion.items():
        p[key] = value


def _read_ground(file: ParameterFile, p: np.void) -> None:
    ground = file.numbers("ground", _GROUND)
    points = ground["feet_m"] + ground["hull_m"]
    if len(ground["feet_m"]) < 3 or len(points) > POINTS:
        raise file.error(
            "ground",
            "feet_m",
            "The aircraft cannot stand on these points.",
            f"Give at least 3 feet, and at most {POINTS} points together with the hull.",
        )
    p["foot_count"] = len(ground["feet_m"])
    p["point_count"] = len(points)
    p["point"][: len(points)] = points
    p["contact_depth"] = ground["depth_m"]
    p["contact_damping"] = ground["damping"]
    p["friction"] = ground["friction"]
    p["crash_speed"] = ground["crash_speed_mps"]


def _read_battery(file: ParameterFile, p: np.void) -> None:
    battery = file.numbers("battery", _BATTERY)
    if sorted(battery["cell_voltage"]) != battery["cell_voltage"]:
        raise file.error(
            "battery", "cell_voltage", "'cell_voltage' must rise with charge.", "Sort the numbers."
        )
    p["cells"] = battery["cells"]
    p["capacity_as"] = battery["capacity_mah"] * 3.6
    p["cell_ocv"] = battery["cell_voltage"]
    p["cell_resistance"] = battery["cell_resistance_ohm"]
    p["cell_rc_resistance"] = battery["cell_rc_resistance_ohm"]
    p["cell_rc_tau"] = battery["cell_rc_tau_s"]
    p["cell_cutoff"] = battery["cell_cutoff_v"]
    p["avionics_power"] = battery["avionics_w"]


def _read_sensors(file: ParameterFile, p: np.void) -> None:
    file.refuse_unknown("sensors", (*_ERROR_MODELS, "gps"))
    for name in _ERROR_MODELS:
        model = file.numbers(f"sensors.{name}", _ERROR)
        p[f"{name}_error"] = [model[key] for key in _ERROR]
    gps = file.numbers("sensors.gps", _GPS)
    p["gps_period"] = gps["period_ms"]
    p["gps_delay"] = gps["delay_ms"]
    p["gps_first_fix"] = int(gps["first_fix_s"] * 1000)
    p["gps_position_white"] = gps["position_white_m"]
    p["gps_position_tau"] = gps["position_tau_s"]
    p["gps_satellites"] = gps["satellites"]
