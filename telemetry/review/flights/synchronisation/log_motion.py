"""Log motion: the aircraft's attitude at its own sample times, and motor power, as a log has it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.spatial.transform import Rotation

from telemetry.recording.events import Event
from telemetry.recording.flight_state import ATTITUDE
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track
from telemetry.review.flights.synchronisation.rotations import accumulated

_Column = npt.NDArray[np.float64]

GYROS = ("GyroState", "GyroSensor", "Gyros")
_QUATERNION = ("q1", "q2", "q3", "q4")
_POWER = (
    "ActuatorDesired.Thrust",
    "ActuatorDesired.Throttle",
    "StabilizationDesired.Thrust",
    "StabilizationDesired.Throttle",
    "ManualControlCommand.Throttle",
)
_BURST_S = 0.012
_BURST_SHARE = 0.4
"""Samples that arrive closer together than that, and than this share of the mean time between two,
have waited for each other: the last one is the fresh one."""
_LEAST_GYRO_HZ = 15.0
"""A gyro that is sampled more slowly misses turns between its samples."""
_LEAST_SAMPLES = 20
_ROUNDED_S = 0.001
"""A log's times are rounded to it, those of its events are not."""


@dataclass(frozen=True, slots=True, eq=False)
class LogMotion:
    """How an aircraft stood, sample by sample, in log time; nothing is between the samples.

    `times_s` (n,) ascends strictly; `q_wxyz` (n, 4) turns the body frame (FRD) into NED where
    `has_down`, otherwise into an arbitrary frame (integrated gyros). `power_times_s` (m,) and
    `power` (m,) are what the motors were told, in whatever unit, empty where nobody said.
    """

    times_s: _Column
    q_wxyz: _Column
    has_down: bool
    power_times_s: _Column
    power: _Column

    @property
    def attitude(self) -> Rotation:
        """From the body frame, at `times_s`."""
        return Rotation.from_quat(np.roll(self.q_wxyz, -1, axis=1))

    @property
    def interval_s(self) -> float:
        """The usual time between two samples; inf with less than two."""
        return float(np.median(np.diff(self.times_s))) if len(self.times_s) > 1 else float("inf")


def read_log_motion(recording: Recording) -> LogMotion | None:
    """The motion in a recording: the attitude, or the gyros where they are faster than 15 Hz and
    there is no attitude; None where it holds neither. Left out is what has no known time."""
    power_times_s, power = _read_power(recording)
    attitude = _read_attitude(recording)
    has_down = attitude is not None
    attitude = attitude or _integrate_gyros(recording)
    if attitude is None:
        return None
    return LogMotion(*attitude, has_down, power_times_s, power)


def unknown_times(recording: Recording) -> tuple[Event, ...]:
    """What was noted of stretches in which times are not known."""
    return tuple(event for event in recording.noted() if event.unknown_to_s is not None)


def _is_known(recording: Recording, times_s: _Column) -> npt.NDArray[np.bool_]:
    is_known = np.ones(len(times_s), np.bool_)
    for event in unknown_times(recording):
        assert event.unknown_to_s is not None
        is_known &= (times_s < event.t - _ROUNDED_S) | (times_s > event.unknown_to_s + _ROUNDED_S)
    return is_known


def _read_attitude(recording: Recording) -> tuple[_Column, _Column] | None:
    tracks = [track for name in ATTITUDE if (track := recording.track(name)) is not None]
    if not tracks:
        return None
    track = max(tracks, key=lambda one: one.count)
    times_s = np.asarray(track.times, np.float64)
    q_wxyz = _quaternions(track)
    good = np.isfinite(q_wxyz).all(axis=1) & _is_last_of_burst(times_s)
    good &= _is_known(recording, times_s)
    if np.count_nonzero(good) < _LEAST_SAMPLES:
        return None
    return times_s[good], q_wxyz[good]


def _quaternions(track: Track) -> _Column:
    """Normalised, nan where a sample holds none; by the angles where no sample does."""
    if all(track.definition.has_field(name) for name in _QUATERNION):
        q = np.stack([np.asarray(track.rows[name], np.float64) for name in _QUATERNION], axis=1)
        norm = np.linalg.norm(q, axis=1, keepdims=True)
        is_one = np.isfinite(norm) & (np.abs(norm - 1) < 0.5)
        if is_one.any():
            normalised: _Column = np.where(is_one, q, np.nan) / np.where(is_one, norm, 1.0)
            return normalised
    angles = [np.asarray(track.rows[name], np.float64) for name in ("Yaw", "Pitch", "Roll")]
    ypr_deg = np.stack(angles, axis=1)
    turned = Rotation.from_euler("ZYX", np.nan_to_num(ypr_deg), degrees=True)
    by_angles: _Column = np.roll(turned.as_quat(), 1, axis=1)
    by_angles[~np.isfinite(ypr_deg).all(axis=1)] = np.nan
    return by_angles


def _is_last_of_burst(times_s: _Column) -> npt.NDArray[np.bool_]:
    steps_s = np.diff(times_s)
    closest_s = min(_BURST_S, _BURST_SHARE * float(steps_s.mean())) if len(steps_s) else 0.0
    return np.append(steps_s > closest_s, True)


def _integrate_gyros(recording: Recording) -> tuple[_Column, _Column] | None:
    for name in GYROS:
        columns = [recording.series(f"{name}.{axis}") for axis in "xyz"]
        times_s = np.asarray(columns[0][0], np.float64)
        if len(times_s) < _LEAST_SAMPLES or np.median(np.diff(times_s)) > 1 / _LEAST_GYRO_HZ:
            continue
        rates = np.radians(np.stack([np.asarray(values, float) for _, values in columns], axis=1))
        turns = (rates[1:] + rates[:-1]) / 2 * np.diff(times_s)[:, None]
        q_xyzw = accumulated(np.concatenate([np.zeros((1, 3)), turns])).as_quat()
        kept = _is_last_of_burst(times_s) & _is_known(recording, times_s)
        if np.count_nonzero(kept) < _LEAST_SAMPLES:
            continue
        return times_s[kept], np.roll(q_xyzw, 1, axis=1)[kept]
    return None


def _read_power(recording: Recording) -> tuple[_Column, _Column]:
    for path in _POWER:
        times_s, values = _series(recording, path)
        if len(times_s) >= _LEAST_SAMPLES and np.ptp(values) > 0:
            return times_s, values
    return np.empty(0), np.empty(0)


def _series(recording: Recording, path: str) -> tuple[_Column, _Column]:
    try:
        times_s, values = recording.series(path)
    except (KeyError, ValueError):
        return np.empty(0), np.empty(0)
    values = np.asarray(values, np.float64)
    times_s = np.asarray(times_s, np.float64)
    good = np.isfinite(values) & _is_known(recording, times_s)
    return times_s[good], values[good]
