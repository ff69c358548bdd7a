"""Aircraft file: its parameters, checked, as the record that the simulation runs on."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from simulation.aircraft.parameters import (
    battery,
    body,
    coaxial,
    commands,
    ground,
    rotors,
    sensors,
    servos,
    time_constants,
    wing,
)
from simulation.aircraft.parameters.mounts import SensorMount, read_mounts
from simulation.aircraft.parameters.parts import PARTS, read_parts
from simulation.aircraft.performance import rotor_finding
from simulation.files.parameter_file import NO_CHANGES, ParameterError, ParameterFile
from simulation.records.flight import DRIFT, DRIFT_TAU, PARAMETERS, WHITE
from simulation.records.interface import STEP_S
from simulation.records.sensor_table import ACCEL, GYRO
from telemetry.base.installation import RESOURCES
from telemetry.recording.simulated_imu import SimulatedImu

FOLDER: Final = RESOURCES / "aircraft"

SECTIONS: Final = (
    *body.SECTIONS,
    *rotors.SECTIONS,
    *coaxial.SECTIONS,
    *wing.SECTIONS,
    *servos.SECTIONS,
    *commands.SECTIONS,
    *ground.SECTIONS,
    *battery.SECTIONS,
    *sensors.SECTIONS,
    body.PAYLOAD,  # moves what the others have placed
)
CHECKS: Final = (
    ground.measure_reach,
    body.check_inertia,
    coaxial.check_coaxial,
    wing.check_wing,
    servos.check_tilt_servo,
    commands.check_commands,
    rotors.check_lift,
    rotors.check_power,
    body.measure_span,
    time_constants.check_step,
    sensors.finish_sensors,
)
"""Called with the file and the parameters once all sections are read."""


@dataclass(frozen=True, slots=True)
class AircraftParameters:
    """The physical parameters of one aircraft; how its autopilot is configured is no part of it.

    `parameters` (dtype PARAMETERS) must not be written; a simulator copies them. `mounts` are the
    sensors that look at the world, and `parts_kg` what weighs how much, of which the physics knows
    nothing. `known` is what its autopilot takes for its parameters: what its file says, also where
    this one aircraft deviates from it; None: those it has.
    """

    name: str
    description: str
    parameters: np.void
    mounts: tuple[SensorMount, ...] = ()
    parts_kg: Mapping[str, float] = field(default_factory=dict)
    known: np.void | None = None

    @property
    def known_parameters(self) -> np.void:
        """PARAMETERS as its autopilot knows them."""
        return self.parameters if self.known is None else self.known

    @property
    def span_m(self) -> float:
        """How wide it is: its wing, all rotor discs together, or its hull."""
        return float(self.parameters["gust_span"])

    @property
    def imu(self) -> SimulatedImu:
        """Its gyro and accelerometer, as its file says: EuRoC's units, see SimulatedImu."""
        p = self.parameters
        gyro, accel = p["sensor_error"][GYRO], p["sensor_error"][ACCEL]
        return SimulatedImu(
            1.0 / (float(p["sensor_period"][GYRO]) * STEP_S),
            math.radians(gyro[WHITE]),
            math.radians(_walk(gyro)),
            float(accel[WHITE]),
            _walk(accel),
            *map(float, p["imu_position"]),
        )

    @property
    def cells(self) -> int:
        """Battery cells in series."""
        return int(self.parameters["cells"])

    @property
    def capacity_mah(self) -> float:
        """Battery capacity."""
        return float(self.parameters["capacity_as"]) / 3.6


def _walk(error: Any) -> float:
    """The random walk that a Gauss-Markov drift is for times well below its time constant: it moves
    by 2 sigma^2 (1 - exp(-t / tau)), so by 2 sigma^2 t / tau."""
    return float(error[DRIFT]) * math.sqrt(2.0 / float(error[DRIFT_TAU]))


def aircraft_names() -> tuple[str, ...]:
    """Names of the aircraft that come with the program."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load_aircraft(
    name_or_path: str | Path, deviations: Mapping[str, Any] = NO_CHANGES
) -> AircraftParameters:
    """The shipped aircraft of that name, or the one in that file.

    `deviations` are values of this one aircraft in the place of its file's, by dotted name, such as
    "body.mass_kg"; its autopilot does not know of them. Raises ParameterError, which says where the
    file is wrong and what to do.
    """
    if deviations:
        nominal = load_aircraft(name_or_path)
        deviating = _read(path_of_aircraft(name_or_path), deviations)
        return replace(deviating, known=nominal.parameters)
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return _read(path)
    if str(name_or_path) not in aircraft_names():
        path = FOLDER / f"{name_or_path}.toml"
        known = ", ".join(aircraft_names())
        what = "There is no aircraft of that name."
        raise ParameterError(path, None, what, f"Use a .toml file, or one of: {known}.")
    shipped = _shipped(str(name_or_path))
    return replace(shipped, parameters=shipped.parameters.copy())


def path_of_aircraft(name_or_path: str | Path) -> Path:
    """Where the file of an aircraft stands that `load_aircraft` has found."""
    path = Path(name_or_path)
    return path if path.suffix == ".toml" else FOLDER / f"{path}.toml"


@cache
def _shipped(name: str) -> AircraftParameters:
    """Read once: experiments make aircraft by the hundred, and change the copies they are given."""
    return _read(FOLDER / f"{name}.toml")


def _read(path: Path, changes: Mapping[str, Any] = NO_CHANGES) -> AircraftParameters:
    file = ParameterFile(path, FOLDER, changes=changes)
    parameters = np.zeros(1, PARAMETERS)[0]
    file.fill(parameters, SECTIONS, ("name", "description", "mounts", PARTS))
    for check in CHECKS:
        check(file, parameters)
    mounts = read_mounts(file, body.payload_shift(file))
    parts = read_parts(file)
    return AircraftParameters(
        file.text("name"), file.text("description"), parameters, mounts, parts
    )


def rotor_sentence(name_or_path: str | Path) -> str:
    """What the rotors of an aircraft are worth, with the remedy if they are too good to be true;
    empty for an aeroplane."""
    aircraft = load_aircraft(name_or_path)
    finding = rotor_finding(aircraft.name, aircraft.parameters)
    return "" if finding is None else f"{finding.text} {finding.remedy}".rstrip()
