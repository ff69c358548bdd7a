"""B4, sensor statistics: whether errors have the deviation and correlation time they should.

Seed 001, equation 11: y = y_true + b + w with Gauss-Markov b and white w. An aircraft stands still
with rotors idling, and every sensor gets a drift and a noise of known size, fast enough to be seen
thousands of times, at two sample rates. Deviation and time constant of b come from the
autocovariance s^2 exp(-t / tau) at lags above 0, where w has no part; w is what is left at lag 0.
"""

import hashlib
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.mathematics.random_numbers import Whole
from simulation.records.flight import DRIFT, DRIFT_TAU, RANGE, RESOLUTION, TURN_ON, WHITE
from simulation.records.sensor_table import (
    ACCEL,
    AIRSPEED,
    BARO,
    BATTERY,
    CURRENT,
    GPS,
    GPS_VELOCITY,
    GYRO,
    IMU_KEYS,
    MAG,
    ROTOR_SPEED,
    SONAR,
)
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, series
from simulation.sensors.gps import HDOP
from telemetry.base.earth.tangent_plane import plane_at

Array = npt.NDArray[np.float64]

_PERIODS: Final = (10, 25)  # steps
_TAU_S = 0.1
_GPS_TAU_S = 0.3
_SETTLE_S = 100.0
_IDLE_US = 1200.0
_LONGEST_LAG = 1.2  # time constants
_ALLAN_LEAST = 30


@dataclass(frozen=True, slots=True)
class _Channel:
    """A measured quantity: its error model, where it appears, the size of its errors."""

    name: str
    model: Whole
    member: str
    axes: int
    level: float


_CHANNELS: Final = (
    _Channel("gyro", GYRO, "gyro", 3, 10.0),
    _Channel("accelerometer", ACCEL, "accel", 3, 1.0),
    _Channel("magnetometer", MAG, "mag", 3, 100.0),
    _Channel("barometer", BARO, "baro_altitude_m", 1, 2.0),
    _Channel("GPS velocity", GPS_VELOCITY, "gps_velocity", 2, 5.0),
    _Channel("sonar", SONAR, "sonar_range_m", 1, 0.4),
    _Channel("airspeed", AIRSPEED, "airspeed_pressure_pa", 1, 50.0),
    _Channel("rotor speed", ROTOR_SPEED, "rotor_speed_measured", 4, 10.0),
    _Channel("voltage", BATTERY, "battery_voltage", 1, 1.0),
    _Channel("current", CURRENT, "battery_current", 1, 4.0),
)
_GPS_PLACE: Final = ("gps_latitude_deg", "gps_longitude_deg")


@dataclass(frozen=True, slots=True)
class _Found:
    """What one channel amounted to at one rate, as shares of what was asked for."""

    name: str
    period_s: float
    deviation: float
    time: float
    white: float
    autocorrelation: Array


def run(experiment: Experiment) -> RunOutcome:
    """Two long measurements; the metrics are the largest errors of all channels."""
    digest = hashlib.sha256()
    found: list[_Found] = []
    gyro = []
    for period in _PERIODS:
        columns = _measure(experiment, period, digest)
        dt = period * 0.001
        found += [_judge(channel, columns[channel.member], dt) for channel in _CHANNELS]
        found.append(_judge_place(experiment, columns, dt))
        gyro.append((dt, columns["gyro"][:, 0]))
    half = len(found) // 2
    metrics = {
        "std_error": max(abs(each.deviation - 1.0) for each in found),
        "time_error": max(abs(each.time - 1.0) for each in found),
        "white_error": max(abs(each.white - 1.0) for each in found),
        "rate_error": max(
            abs(fast.deviation / slow.deviation - 1.0)
            for fast, slow in zip(found[:half], found[half:], strict=True)
        ),
    }
    return RunOutcome(metrics, _draw(found, gyro), digest.hexdigest())


def _measure(experiment: Experiment, period: int, digest: "hashlib._Hash") -> dict[str, Array]:
    has_bug = experiment.values["sqrt_dt_drift"] != 0.0
    simulator = experiment.simulator(period, change=lambda p: _prepare(p, period, has_bug))
    simulator.command["external"] = 1
    simulator.output["actuator_command"] = _IDLE_US
    members = [channel.member for channel in _CHANNELS] + list(_GPS_PLACE) + ["gps_hdop"]
    flight = experiment.bare_flight(simulator, members, sample_steps=period)
    simulator.advance(round(_SETTLE_S * 1000.0))
    flight.advance(experiment.values["seconds"])
    digest.update(flight.track.digest().encode())
    columns = {name: np.asarray(flight.track[name], np.float64) for name in members}
    wide = columns["gps_hdop"] / HDOP  # satellites come and go
    columns["gps_velocity"] /= wide[:, np.newaxis]
    place = simulator.place.latitude_deg, simulator.place.longitude_deg
    for name, origin in zip(_GPS_PLACE, place, strict=True):
        columns[name] = (columns[name] - origin) / wide
    return columns


def _prepare(p: np.void, period: int, has_bug: bool) -> None:
    """Errors of known size for all sensors, and a truth that does not move.

    hector_quadrotor's plugin integrates dt N(0, sqrt(2 / tau) sigma) where it ought to take the
    root of dt: its drift has the deviation sqrt(dt) sigma, which depends on the rate.
    """
    p["sensor_period"] = period
    p["sensor_delay"] = 0
    p["sensor_dropout"] = 0.0
    for key in IMU_KEYS:
        p[key] = 0.0
    p["g_sensitivity"] = 0.0
    p["gps_first_fix"] = 0
    p["gps_position_tau"] = _GPS_TAU_S
    p["sonar_position"] = (0.0, 0.0, -3.0)
    p["avionics_power"] = 600.0
    p["capacity_as"] = 1e12
    p["sensor_error"][GPS][[WHITE, TURN_ON]] = 0.0
    for channel in _CHANNELS:
        error = p["sensor_error"][channel.model]
        error[WHITE] = channel.level * (_density(channel) if channel.model <= ACCEL else 1.0)
        error[DRIFT] = channel.level * (math.sqrt(period * 0.001) if has_bug else 1.0)
        error[DRIFT_TAU], error[TURN_ON] = _TAU_S, 0.0
        error[RANGE] = max(error[RANGE], 100.0 * channel.level)
        error[RESOLUTION] = max(error[RESOLUTION], 1e-3 * channel.level)


def _density(channel: _Channel) -> float:
    """Noise of gyro and accelerometer is given per root Hz: `level` at the faster rate."""
    return math.sqrt(_PERIODS[0] * 0.001) if channel.model in (GYRO, ACCEL) else 1.0


def _autocovariance(values: Array, lags: int) -> Array:
    """Mean over the axes, for lags 0 to `lags` samples."""
    centred = values - values.mean(axis=0)
    n = len(centred)
    return np.array([float(np.mean(centred[: n - k] * centred[k:])) for k in range(lags + 1)])


def _judge(channel: _Channel, values: Array, dt: float) -> _Found:
    columns = values.reshape(len(values), -1)[:, : channel.axes]
    lags = round(_LONGEST_LAG * _TAU_S / dt)
    covariance = _autocovariance(columns, lags)
    lag_s = dt * np.arange(1, lags + 1)
    if covariance.min() <= 0.0:  # no drift to be seen: it fails
        return _Found(channel.name, dt, math.nan, math.nan, math.nan, covariance)
    slope, start = np.polyfit(lag_s, np.log(covariance[1:]), 1, w=covariance[1:])
    variance = math.exp(start)
    white = math.sqrt(max(covariance[0] - variance, 0.0)) / channel.level
    if channel.model <= ACCEL:
        white *= math.sqrt(dt) / _density(channel)
    return _Found(
        channel.name,
        dt,
        math.sqrt(variance) / channel.level,
        -1.0 / slope / _TAU_S,
        white,
        covariance / variance,
    )


def _judge_place(experiment: Experiment, columns: dict[str, Array], dt: float) -> _Found:
    """GPS position has no noise of its own here; with e_p' = -e_p / T + e_v its covariance is

    s^2 T^2 tau / (T^2 - tau^2) (T exp(-t / T) - tau exp(-t / tau)).
    """
    simulator = experiment.made[-1]
    origin = simulator.place.latitude_deg, simulator.place.longitude_deg
    degrees = (columns[name] + start for name, start in zip(_GPS_PLACE, origin, strict=True))
    place = plane_at(*origin).north_east_many(*degrees)
    lags = round(_LONGEST_LAG * _GPS_TAU_S / dt)
    covariance = _autocovariance(place, lags)
    level = next(c.level for c in _CHANNELS if c.model == GPS_VELOCITY)
    long, short, lag = _GPS_TAU_S, _TAU_S, dt * np.arange(lags + 1)
    shape = (long * np.exp(-lag / long) - short * np.exp(-lag / short)) / (long - short)
    expected = level * long * math.sqrt(short / (long + short))
    found = _folded(covariance / covariance[0], dt)
    return _Found(
        "GPS position",
        dt,
        math.sqrt(covariance[0]) / expected,
        found / _folded(shape, dt),
        1.0,
        covariance / covariance[0],
    )


def _folded(correlation: Array, dt: float) -> float:
    """Where it falls below 1/e."""
    below = int(np.argmax(correlation < math.exp(-1.0)))
    high, low = float(correlation[below - 1]), float(correlation[below])
    return dt * (below - 1 + (high - math.exp(-1.0)) / (high - low))


def _allan(values: Array, dt: float) -> tuple[Array, Array]:
    """Averaging times and Allan deviation."""
    times, deviations = [], []
    size = 1
    while len(values) // size >= _ALLAN_LEAST:
        means = values[: len(values) // size * size].reshape(-1, size).mean(axis=1)
        times.append(size * dt)
        deviations.append(math.sqrt(0.5 * float(np.mean(np.square(np.diff(means))))))
        size *= 2
    return np.array(times), np.array(deviations)


def _draw(found: list[_Found], gyro: list[tuple[float, Array]]) -> Figure:
    lag = np.linspace(0.0, _LONGEST_LAG, 50)
    curves = []
    for period in _PERIODS:
        those = [each for each in found if each.period_s == period * 0.001]
        points = [each for each in those if each.name != "GPS position"]
        lags = [period * 0.001 / _TAU_S * np.arange(1, len(p.autocorrelation)) for p in points]
        shares = [p.autocorrelation[1:] for p in points]
        label = f"all sensors every {period} ms"
        curves.append(series(label, np.concatenate(lags), np.concatenate(shares), "dots"))
    allan = [
        series(f"every {dt * 1000.0:.0f} ms", np.log10(times), deviations)
        for dt, values in gyro
        for times, deviations in (_allan(values, dt),)
    ]
    return Figure(
        "Errors of all sensors at two sample rates",
        (
            Axes(
                "Autocorrelation of the drift",
                "lag, time constants",
                "share of the variance",
                (series("exp(-t / tau)", lag, np.exp(-lag), "dashed"), *curves),
            ),
            Axes(
                "Allan deviation of the gyro",
                "log10 of the averaging time in s",
                "deg/s",
                tuple(allan),
                log_y=True,
            ),
        ),
    )
