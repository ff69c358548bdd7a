"""The extended Kalman filter alone for hours, fed by equations of its own; compiled.

The truth is a circle in which the nose swings from side to side: velocity, heading and specific
force keep changing, so that everything can be observed. The sensors err as the numbers of the
aircraft's file say (Gauss-Markov drift, white noise), drawn here from a table of normal numbers:
nothing comes from the simulator's own sensors, and an hour takes half a second.
"""

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from simulation.aircraft.sensor_knowledge import know_sensors
from simulation.compiler.decorators import njit_part
from simulation.compiler.program import Handle, Program, call, reference_to
from simulation.compiler.source_digest import sources_digest
from simulation.environment.earth import GRAVITY
from simulation.mathematics.rotation import rotation_between, set_euler, to_ned
from simulation.programs.kalman import kalman
from simulation.records.flight import DRIFT, DRIFT_TAU, FLIGHT, TURN_ON, WHITE
from simulation.records.interface import FUSION_INS13, GPS_FIX_3D, IMU_PERIOD, IMU_S, STEP_S
from simulation.records.sensor_table import ACCEL, BARO, GPS, GPS_VELOCITY, GYRO, MAG
from simulation.simulator.simulator import Simulator
from telemetry.base.earth.wgs84 import metres_per_degree
from tests.simulation.flights import parked_with_own_filter

Array = npt.NDArray[np.float64]

RADIUS_M, HEIGHT_M = 20.0, 50.0
_TURN = 0.3  # rad/s, round the circle
_SWING = 1.5  # rad, of the nose
_NORMALS = 8192
_FACTOR, _WORD = 698769069, 2**32 - 1
_FIX_STEPS = 200
_DELAY_S = 0.150
_FIX_S = _FIX_STEPS * STEP_S

# Rows of the drifts.
_GYRO, _ACCEL, _MAG, _BARO, _SPEED, _PLACE = range(6)
_MODELS = (GYRO, ACCEL, MAG, BARO, GPS_VELOCITY)

_SOAK = np.dtype(
    [
        ("flight", FLIGHT),
        ("normal", np.float64, _NORMALS),  # quantiles of the normal distribution
        ("random", np.int64),
        ("code", np.int64),
        ("white", np.float64, 6),  # deviations per sample, units of OUTPUT; the last is a fix's
        ("keep", np.float64, 5),  # of the drifts, per fix
        ("kick", np.float64, 5),
        ("drift", np.float64, (5, 3)),
        ("place_keep", np.float64),
        ("place", np.float64, 3),  # the receiver's position error
        ("degrees", np.float64, 2),  # per metre north, east
    ],
    align=True,
)


@njit_part
def _normal(r: Any) -> float:
    """Multiply with carry (Marsaglia); signed numbers must not overflow."""
    r["random"] = _FACTOR * (r["random"] & _WORD) + (r["random"] >> 32)
    return float(r["normal"][(r["random"] & _WORD) >> 19])


@njit_part
def _wander(r: Any) -> None:
    for m in range(5):
        for i in range(3):
            r["drift"][m, i] = r["keep"][m] * r["drift"][m, i] + r["kick"][m] * _normal(r)
    for i in range(3):
        weight = 2.0 if i == 2 else 1.0
        keep = r["place_keep"]
        r["place"][i] = keep * r["place"][i] + weight * r["drift"][_SPEED, i] * _FIX_S


@njit_part
def _fix(r: Any, o: Any, time_s: float) -> None:
    """What the receiver says of `time_s`; satellites are only above, so that height is worse."""
    settings, place, drift = r["flight"]["settings"], r["place"], r["drift"][_SPEED]
    sine, cosine, white = math.sin(_TURN * time_s), math.cos(_TURN * time_s), r["white"]
    north = RADIUS_M * sine + place[0] + white[_PLACE] * _normal(r)
    east = RADIUS_M * cosine + place[1] + white[_PLACE] * _normal(r)
    up = HEIGHT_M - place[2] + 2.0 * white[_PLACE] * _normal(r)
    o["gps_latitude_deg"] = settings["home_latitude_deg"] + north * r["degrees"][0]
    o["gps_longitude_deg"] = settings["home_longitude_deg"] + east * r["degrees"][1]
    o["gps_altitude_m"] = settings["home_altitude_m"] + up
    speed = RADIUS_M * _TURN
    o["gps_velocity"][0] = speed * cosine + drift[0] + white[_SPEED] * _normal(r)
    o["gps_velocity"][1] = -speed * sine + drift[1] + white[_SPEED] * _normal(r)
    o["gps_velocity"][2] = 2.0 * (drift[2] + white[_SPEED] * _normal(r))
    o["gps_status"], o["gps_hdop"] = GPS_FIX_3D, 0.8
    o["gps_count"] += 1


@njit_part
def _feel(r: Any, o: Any, time_s: float) -> None:
    """Gyro, accelerometer and magnetometer of an aircraft that stays level."""
    sine, cosine = math.sin(_TURN * time_s), math.cos(_TURN * time_s)
    ahead, aside = math.cos(_SWING * sine), math.sin(_SWING * sine)
    pull = -RADIUS_M * _TURN * _TURN
    north, east = pull * sine, pull * cosine
    white, drift, field = r["white"], r["drift"], r["flight"]["settings"]["home_field_mgauss"]
    rate = math.degrees(_SWING * _TURN * cosine)
    force = (ahead * north + aside * east, ahead * east - aside * north, -GRAVITY)
    turned = (ahead * field[0] + aside * field[1], ahead * field[1] - aside * field[0], field[2])
    for i in range(3):
        o["gyro"][i] = drift[_GYRO, i] + white[_GYRO] * _normal(r)
        o["accel"][i] = force[i] + drift[_ACCEL, i] + white[_ACCEL] * _normal(r)
        o["mag"][i] = turned[i] + drift[_MAG, i] + white[_MAG] * _normal(r)
    o["gyro"][2] += rate


@njit_part
def _sense(r: Any, o: Any, step: int) -> None:
    """All that is due at this step."""
    time_s = step * STEP_S
    if step % _FIX_STEPS == 0:
        _wander(r)
        _fix(r, o, time_s - _DELAY_S)
    _feel(r, o, time_s)
    if step % 20 == 0:
        o["mag_count"] += 2
        o["baro_altitude_m"] = HEIGHT_M + r["drift"][_BARO, 0] + r["white"][_BARO] * _normal(r)
        o["baro_count"] += 1


def _make_soak(code: int) -> Program:
    def soak(r: Any, first: int, samples: int, ekf: Handle) -> None:
        r["code"] = code
        flight = r["flight"]
        o = flight["output"]
        for k in range(samples):
            step = first + IMU_PERIOD * k
            o["step"] = step
            _sense(r, o, step)
            call(ekf, flight, int(step == 0))

    return Program(soak, _SOAK, numbers=3)


_soak = _make_soak(sources_digest(__name__))


class Soak:
    """One filter that flies the circle; `ekf` is its memory, to be looked at or spoiled.

    The noise of gyro and accelerometer, mostly vibration, is what EKFConfiguration says, and their
    axes are straight, as the filter is told. All noise is `spoiled` times what the filter believes,
    for negative controls.
    """

    def __init__(self, seed: int, spoiled: float = 1.0) -> None:
        self._memory = np.zeros(1, _SOAK)
        self._record: Any = self._memory[0]
        self._samples = 0
        pattern = parked_with_own_filter(seed)
        flight = self._record["flight"]
        flight["parameters"] = pattern.record["parameters"]
        for key in ("misalignment_deg", "cross_axis"):
            flight["parameters"][key] = 0.0
        flight["settings"] = pattern.settings
        know_sensors(flight["settings"], flight["parameters"])
        flight["settings"]["fusion_algorithm"] = flight["filter"]["fusion"] = FUSION_INS13
        flight["filter"]["own"] = 1
        flight["command"]["armed"] = 1
        self.output: Any = flight["output"]
        self.ekf: Any = flight["filter"]["ekf"]
        self._set_errors(seed, pattern, spoiled)
        self._begin(pattern)

    def run(self, seconds: float) -> None:
        """Let the time pass."""
        count = round(seconds / IMU_S)
        _soak.run(reference_to(self._memory), IMU_PERIOD * self._samples, count, kalman.handle)
        self._samples += count

    def errors(self) -> Array:
        """Truth less estimate of position, velocity and attitude about NED: nine numbers."""
        time_s = self._samples * IMU_S
        sine, cosine = math.sin(_TURN * time_s), math.cos(_TURN * time_s)
        place = RADIUS_M * np.array([sine, cosine, -HEIGHT_M / RADIUS_M])
        speed = RADIUS_M * _TURN * np.array([cosine, -sine, 0.0])
        quaternion, seen = np.zeros(4), self.output["quaternion"]
        set_euler(quaternion, 0.0, 0.0, _SWING * sine)
        turned = to_ned(seen, *rotation_between(seen, quaternion))
        return np.concatenate(
            [place - self.output["position"], speed - self.output["velocity"], turned]
        )

    def nees(self) -> float:
        """The same squared, normalised by the covariance, per degree of freedom."""
        error = self.errors()
        return float(error @ np.linalg.solve(self.ekf["p"][:9, :9], error)) / 9.0

    def _set_errors(self, seed: int, pattern: Simulator, spoiled: float) -> None:
        r, model = self._record, pattern.record["parameters"]["sensor_error"]
        q = pattern.settings["ekf_q"]
        r["white"][:5] = [model[m][WHITE] for m in _MODELS]
        r["white"][_PLACE] = model[GPS][WHITE]
        r["white"][:2] = math.degrees(math.sqrt(q[0])), math.sqrt(q[3])
        r["white"] *= spoiled
        r["keep"] = [math.exp(-_FIX_S / model[m][DRIFT_TAU]) for m in _MODELS]
        r["kick"] = [model[m][DRIFT] for m in _MODELS] * np.sqrt(1.0 - r["keep"] ** 2)
        r["place_keep"] = math.exp(-_FIX_S / pattern.record["parameters"]["gps_position_tau"])
        r["random"] = np.random.default_rng(seed).integers(1, 2**32)
        quantiles = (np.arange(_NORMALS) + 0.5) / _NORMALS
        r["normal"] = [NormalDist().inv_cdf(share) for share in quantiles]
        rng = np.random.default_rng(seed)
        for m in (_GYRO, _ACCEL, _MAG):
            r["drift"][m] = model[_MODELS[m]][TURN_ON] * rng.standard_normal(3)

    def _begin(self, pattern: Simulator) -> None:
        """As after an alignment at rest: the nose north, the gyros' bias known."""
        r = self._record
        r["degrees"] = 1.0 / np.array(metres_per_degree(pattern.place.latitude_deg))
        self.output["quaternion"] = (1.0, 0.0, 0.0, 0.0)
        self.output["gyro_bias"] = r["drift"][_GYRO]
