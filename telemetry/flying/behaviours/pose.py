"""Pose of an aircraft, as a behaviour knows it: by telemetry alone."""

import math
from dataclasses import dataclass
from typing import Final

from telemetry.base.earth.tangent_plane import plane_at
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.vehicle.vehicle import Vehicle

FRESH_S: Final = 1.0
"""An estimate that is older tells no pilot where he is."""
_DEGREES: Final = 1e-7


@dataclass(frozen=True, slots=True)
class PilotPose:
    """Metres north and east of home and above it, m/s, and degrees clockwise from north.

    `home` is latitude and longitude in degrees; None while it is not known.
    """

    north_m: float
    east_m: float
    height_m: float
    north_mps: float
    east_mps: float
    yaw_deg: float
    home: tuple[float, float] | None = None

    @property
    def place(self) -> tuple[float, float] | None:
        """Where it is on earth."""
        if self.home is None:
            return None
        return plane_at(*self.home).latitude_longitude(self.north_m, self.east_m)

    def offset_to(self, place: tuple[float, float]) -> tuple[float, float] | None:
        """A place on earth in metres north and east of its home."""
        return None if self.home is None else plane_at(*self.home).north_east(*place)


def read_pose(vehicle: Vehicle) -> PilotPose | None:
    """Where it is now; None while it does not say so. From any thread."""
    recording, now = vehicle.recording, vehicle.end_s
    position, velocity, attitude = (
        _fresh(recording, name, now) for name in ("PositionState", "VelocityState", "AttitudeState")
    )
    if position is None or velocity is None or attitude is None:
        return None
    pose = PilotPose(
        float(position.raw("North")),
        float(position.raw("East")),
        -float(position.raw("Down")),
        float(velocity.raw("North")),
        float(velocity.raw("East")),
        float(attitude.raw("Yaw")),
        _home(recording, now),
    )
    numbers = (pose.north_m, pose.east_m, pose.height_m, pose.north_mps, pose.east_mps)
    return pose if all(map(math.isfinite, (*numbers, pose.yaw_deg))) else None


def _fresh(recording: Recording, name: str, now: float) -> Sample | None:
    sample = recording.latest(name, now)
    return sample if sample is not None and now - sample.t <= FRESH_S else None


def _home(recording: Recording, now: float) -> tuple[float, float] | None:
    home = recording.latest("HomeLocation", now)
    if home is None:
        return None
    return float(home.raw("Latitude")) * _DEGREES, float(home.raw("Longitude")) * _DEGREES
