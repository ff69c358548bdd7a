"""Flights of which only the motion exists: what a log and a camera would say of them, with known
offset, rate, mount, noise and damage."""

from dataclasses import dataclass, field, fields, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter1d
from scipy.spatial.transform import Rotation

from telemetry.review.flights.synchronisation.log_motion import LogMotion
from telemetry.review.flights.synchronisation.motion_signals import PictureMotion, SoundPitch
from telemetry.review.flights.synchronisation.rotations import CAMERA_FROM_BODY, RotationCurve

_Column = npt.NDArray[np.float64]
_STEP_S = 0.01
UPPER_ROW = -0.2
"""Where in the picture the points near a horizon are, from -0.5 to 0.5."""


@dataclass(frozen=True, slots=True)
class MotionFlight:
    """What is to be made. `offset_s` and `rate` as in Sync; angles in degrees."""

    seed: int = 0
    log_s: float = 120.0
    video_start_s: float = 10.0
    """In log time; negative where the video begins first."""
    video_s: float = 90.0
    rate: float = 1.0
    attitude_hz: float = 10.0
    jitter_s: float = 0.04
    frames_hz: float = 30.0
    mount_deg: tuple[float, float, float] = (2.0, -8.0, 3.0)
    """Roll, pitch, yaw of the camera against the body."""
    fov_scale: float = 1.1
    outliers: float = 0.0
    frames_lost: float = 1 / 30
    has_horizon: bool = True
    liveliness: float = 1.0
    orbit_s: float = 0.0
    """Everything repeats after this time, but for `noise_share` of it."""
    noise_share: float = 0.0
    shutter_s: float = 0.0
    """The rolling shutter's, of a camera that sees all of it in its upper part."""
    gaps_s: tuple[tuple[float, float], ...] = field(default=())
    """Borders of a loop recording: when in the medium, and how long nothing was filmed."""

    @property
    def offset_s(self) -> float:
        return -self.rate * self.video_start_s


@lru_cache(maxsize=2)
def attitude_of(flight: MotionFlight) -> tuple[_Column, Rotation]:
    """The true attitude, body to NED, over log time in steps of 10 ms."""
    rng = np.random.default_rng(flight.seed)
    first_s = min(0.0, flight.video_start_s) - 5
    last_s = max(flight.log_s, flight.video_start_s + flight.video_s / flight.rate + 10)
    times_s = np.arange(first_s, last_s, _STEP_S)

    def smooth(std: float, correlation_s: float) -> _Column:
        def one() -> _Column:
            white = gaussian_filter1d(
                rng.normal(size=len(times_s)), correlation_s / _STEP_S, mode="wrap"
            )
            made: _Column = white / white.std() * std * flight.liveliness
            return made

        if not flight.orbit_s:
            return one()
        period = round(flight.orbit_s / _STEP_S)
        repeated = np.resize(one()[:period], len(times_s))
        return gaussian_filter1d(repeated, 0.2 / _STEP_S) + flight.noise_share * one()

    roll = smooth(6, 0.25) + smooth(8, 1.0)
    pitch = smooth(3, 0.25) + smooth(6, 1.0)
    yaw = np.cumsum(smooth(12, 1.5) + smooth(10, 0.5)) * _STEP_S
    if flight.orbit_s:
        yaw = yaw + 360 * times_s / flight.orbit_s
    angles = np.stack([yaw, pitch, roll], axis=1)
    return times_s, Rotation.from_euler("ZYX", angles, degrees=True)


def log_of(flight: MotionFlight) -> LogMotion:
    """What the log holds of it."""
    rng = np.random.default_rng(flight.seed + 1)
    true_s, attitude = attitude_of(flight)
    times_s = np.arange(0, flight.log_s, 1 / flight.attitude_hz)
    noise = Rotation.from_rotvec(rng.normal(0, np.radians(0.1), (len(times_s), 3)))
    seen = RotationCurve(true_s, attitude).at(times_s) * noise
    arrived_s = times_s + rng.uniform(-0.5, 0.5, len(times_s)) * flight.jitter_s
    order = np.argsort(arrived_s)
    q_wxyz = np.roll(seen.as_quat(), 1, axis=1)[order]
    return LogMotion(arrived_s[order], q_wxyz, True, np.empty(0), np.empty(0))


def sounded(flight: MotionFlight, log: LogMotion) -> tuple[LogMotion, SoundPitch]:
    """The log with power once a second, which never repeats itself, and a film's sound of it."""
    rng = np.random.default_rng(flight.seed + 3)
    true_s = np.arange(-100.0, flight.log_s + 100.0, 0.1)
    power = 0.5 + 0.1 * gaussian_filter1d(rng.normal(size=len(true_s)), 20) / 0.12
    times_s = np.arange(0.0, flight.log_s)
    medium_s = np.arange(0.0, flight.video_s, 0.05)
    heard = np.interp((medium_s - flight.offset_s) / flight.rate, true_s, power)
    pitch_hz = 200 * heard + rng.normal(0, 5, len(medium_s))
    pitch_hz[rng.uniform(size=len(medium_s)) < 0.1] = np.nan
    sound = SoundPitch(medium_s, pitch_hz, np.full(len(medium_s), -20.0), np.ones(len(medium_s)))
    told = replace(log, power_times_s=times_s, power=np.interp(times_s, true_s, power))
    return told, sound


def picture_of(flight: MotionFlight) -> PictureMotion:
    """What the camera sees of it."""
    rng = np.random.default_rng(flight.seed + 2)
    medium_s = np.arange(0, flight.video_s, 1 / flight.frames_hz)
    medium_s = medium_s[(rng.uniform(size=len(medium_s)) > flight.frames_lost) | (medium_s == 0)]
    lost_s = np.zeros(len(medium_s))
    for border_s, gap_s in flight.gaps_s:
        lost_s += gap_s * (medium_s >= border_s)
    true_s, attitude = attitude_of(flight)
    seen_s = medium_s + lost_s + flight.shutter_s * UPPER_ROW
    log_s = (seen_s - flight.offset_s) / flight.rate
    mount = mount_of(flight)
    camera = RotationCurve(true_s, attitude).at(log_s) * mount.inv()
    n = len(medium_s)
    turns = np.concatenate([np.zeros((1, 3)), (camera[:-1].inv() * camera[1:]).as_rotvec()])
    turns[:, :2] *= flight.fov_scale
    turns += rng.normal(0, np.radians(0.04), turns.shape)
    turns[1:, 0] += np.radians(1.5) * np.diff(medium_s) * np.sin(medium_s[1:] / 7)  # parallax
    bad = rng.uniform(size=n) < flight.outliers
    turns[bad] += rng.normal(0, np.radians(2.0), (np.count_nonzero(bad), 3))
    quality = np.full(n, 0.9)
    quality[0], turns[0] = 0, 0
    down = camera.inv().apply([0, 0, 1])
    roll = np.arctan2(down[:, 0], down[:, 1]) + rng.normal(0, np.radians(0.5), n)
    bad = rng.uniform(size=n) < flight.outliers
    roll[bad] = rng.uniform(-np.pi, np.pi, np.count_nonzero(bad))
    pitch = -np.arcsin(down[:, 2]) + rng.normal(0, np.radians(0.5), n)
    seen = (rng.uniform(size=n) < 0.6) & flight.has_horizon
    row = np.clip(rng.normal(UPPER_ROW, 0.05, n), -0.5, 0.5)
    sigma = np.where(quality > 0, np.radians(0.05), np.inf)
    return PictureMotion(
        times_s=medium_s,
        rotation_rad=turns,
        sigma_rad=sigma,
        quality=quality,
        horizon_roll_rad=np.where(seen, roll, np.nan),
        horizon_pitch_rad=np.where(seen, pitch, np.nan),
        horizon_quality=np.where(seen, 0.8, 0.0),
        row=np.where(quality > 0, row, np.nan),
    )


def mount_of(flight: MotionFlight) -> Rotation:
    """The rotation from the body frame into the camera's."""
    roll, pitch, yaw = flight.mount_deg
    turned = Rotation.from_euler("ZYX", [yaw, pitch, roll], degrees=True)  # body from mount
    return Rotation.from_matrix(CAMERA_FROM_BODY) * turned.inv()


def static_picture(video_s: float, seed: int = 0) -> PictureMotion:
    """A camera on the ground: noise alone."""
    rng = np.random.default_rng(seed)
    times_s = np.arange(0, video_s, 1 / 30)
    n = len(times_s)
    turns = rng.normal(0, np.radians(0.02), (n, 3))
    nan = np.full(n, np.nan)
    quality = np.where(np.arange(n) > 0, 0.9, 0.0)
    return PictureMotion(
        times_s, turns, np.full(n, np.radians(0.02)), quality, nan, nan, np.zeros(n), nan
    )


def joined(*clips: PictureMotion, frames_hz: float = 30.0) -> PictureMotion:
    """One film of several, cut one after the other; what was between the two pictures at a seam
    was not measured."""
    starts_s = np.cumsum([0.0, *(clip.times_s[-1] + 1 / frames_hz for clip in clips[:-1])])
    moved = [
        replace(clip, times_s=clip.times_s + start_s)
        for clip, start_s in zip(clips, starts_s, strict=True)
    ]
    columns = {
        one.name: np.concatenate([getattr(clip, one.name) for clip in moved])
        for one in fields(PictureMotion)
        if isinstance(getattr(moved[0], one.name), np.ndarray)
    }
    return PictureMotion(**columns)
