"""Flight log of what RotorPy flew: north, east, down and forward, right, down, with the errors of
an estimate on board and of a GPS receiver."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.object_log import write_log
from benchmarks.peers import course as c
from benchmarks.peers.lapwing_flight import FLIPPED, WORLD
from benchmarks.peers.manoeuvre import Vector
from simulation.environment.atmosphere import pressure_pa, temperature_k
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, load_catalogue
from telemetry.recording.recording import RecordedColumns

_SEED = 0
_ATTITUDE_STEPS, _STATE_STEPS, _GPS_STEPS, _SLOW_STEPS = 5, 10, 100, 500
"""100, 50, 5 and 1 Hz."""
_GPS_LATE_STEPS = 60
_TILT_DEG, _TILT_TAU_S = 0.2, 10.0
_VELOCITY_MPS, _VELOCITY_TAU_S = 0.1, 2.0
_POSITION_M, _POSITION_TAU_S = 0.3, 30.0
_GPS_MPS = 0.05
_BARO_M = 0.1
_FULL_V, _EMPTIED_V = 12.4, 11.4

Columns = Mapping[str, Vector]


def write_course_log(path: Path, flown: Columns, full_speed_radps: float) -> None:
    """Write the log of what `rotorpy_course` saved. At `full_speed_radps` a pulse is longest."""
    objects = _Objects(len(flown["command"]))
    rng = np.random.default_rng(_SEED)
    position, velocity = flown["position"] @ WORLD.T, flown["velocity"] @ WORLD.T
    gyro, accel = np.degrees(flown["gyro"]) * FLIPPED, flown["accel"] * FLIPPED
    objects.add("GyroState", 1, _columns("xyz", gyro))
    objects.add("AccelState", 1, _columns("xyz", accel))
    pulses = np.rint(1000.0 + 1000.0 * flown["command"] / full_speed_radps)
    objects.add("ActuatorCommand", 1, {"Channel": np.pad(pulses, ((0, 0), (0, 8)))})
    objects.add("AttitudeState", _ATTITUDE_STEPS, _attitude(flown["quaternion"], rng))
    ned = ("North", "East", "Down")
    drift = _drift(rng, velocity.shape, _VELOCITY_MPS, _VELOCITY_TAU_S)
    objects.add("VelocityState", _STATE_STEPS, _columns(ned, velocity + drift))
    drift = _drift(rng, position.shape, _POSITION_M, _POSITION_TAU_S)
    objects.add("PositionState", _STATE_STEPS, _columns(ned, position + drift))
    late = np.pad(velocity, ((_GPS_LATE_STEPS, 0), (0, 0)), "edge")[: len(velocity)]
    white = rng.normal(0.0, _GPS_MPS, velocity.shape)
    objects.add("GPSVelocitySensor", _GPS_STEPS, _columns(ned, late + white))
    objects.add("BaroSensor", _GPS_STEPS, _baro(-position[:, 2], rng))
    emptying = np.linspace(_FULL_V, _EMPTIED_V, len(position))
    objects.add("FlightBatteryState", _GPS_STEPS, {"Voltage": emptying})
    armed = objects.option("FlightStatus", "Armed", "Armed")
    objects.add("FlightStatus", _SLOW_STEPS, {"Armed": np.full(len(position), armed)})
    write_log(path, objects.columns)


class _Objects:
    """Columns of objects, sampled from what there is of every step."""

    def __init__(self, steps: int) -> None:
        self.columns: list[RecordedColumns] = []
        self._steps = steps
        self._catalogue = load_catalogue()

    def option(self, name: str, field: str, text: str) -> int:
        definition = self._catalogue.find(name, DEFAULT_RELEASE)
        return definition.element(field)[0].option_number(text)

    def add(self, name: str, every: int, values: Columns) -> None:
        definition = self._catalogue.find(name, DEFAULT_RELEASE)
        at = np.arange(0, self._steps, every)
        times = np.asarray(at * c.STEP_S, np.float64)
        rows = np.repeat(definition.default_row(), len(at))
        for field, column in values.items():
            rows[field] = column[at]
        self.columns.append(RecordedColumns(definition, 0, times, rows))


def _columns(names: str | tuple[str, ...], values: Vector) -> Columns:
    return dict(zip(names, values.T, strict=True))


def _drift(rng: np.random.Generator, shape: tuple[int, ...], size: float, tau_s: float) -> Vector:
    """Error that is forgotten over `tau_s`, of deviation `size`: Gauss and Markov's."""
    from scipy.signal import lfilter  # which takes a second to import

    kept = np.exp(-c.STEP_S / tau_s)
    white = rng.normal(0.0, size * np.sqrt(1.0 - kept**2), shape)
    white[0] = rng.normal(0.0, size, shape[1:])
    drifting: Vector = lfilter([1.0], [1.0, -kept], white, axis=0)
    return drifting


def _attitude(quaternion: Vector, rng: np.random.Generator) -> Columns:
    body = Rotation.from_matrix(np.diag(FLIPPED))
    flown = Rotation.from_quat(np.roll(quaternion, -1, axis=1))
    error = _drift(rng, (len(quaternion), 3), np.radians(_TILT_DEG), _TILT_TAU_S)
    ned = Rotation.from_rotvec(error) * Rotation.from_matrix(WORLD) * flown * body
    angles = dict(zip(("Yaw", "Pitch", "Roll"), ned.as_euler("ZYX", degrees=True).T, strict=True))
    return {**_columns(("q2", "q3", "q4", "q1"), ned.as_quat(canonical=True)), **angles}


def _baro(height_m: Vector, rng: np.random.Generator) -> Columns:
    measured = height_m + rng.normal(0.0, _BARO_M, height_m.shape)
    pressure = np.array([pressure_pa(height) for height in measured.tolist()])
    celsius = np.full(len(measured), temperature_k(0.0) - 273.15)
    return {"Altitude": measured, "Temperature": celsius, "Pressure": pressure}
