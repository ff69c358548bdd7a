"""Camera on an aircraft: where it sits, where it looks, and what shakes it."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from simulation.worlds.flight_path import FlightPath
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.projection import camera_from_body

Array = npt.NDArray[np.float64]

_LEAST_HEIGHT_M = 0.06
"""Above the field: an aircraft that has crashed would have its camera in the ground."""
_LYING = (-12.0, 4.0, -0.12)


@dataclass(frozen=True, slots=True)
class FilmCamera:
    """The on-board camera of Price's thesis by default: 640 x 480 pixels at 30 a second, 60
    degrees wide, looking slightly down. `position_m` is in the body's axes from the centre of
    mass."""

    size: tuple[int, int] = (640, 480)
    frames_per_s: int = 30
    settings: CameraSettings = field(default_factory=lambda: CameraSettings(mount_pitch_deg=-8.0))
    position_m: tuple[float, float, float] = (0.15, 0.0, 0.03)

    @property
    def focal_px(self) -> float:
        """Distance of the picture's plane, in pixels."""
        half = np.radians(self.settings.field_of_view_deg) / 2
        return float(self.size[0] / 2 / np.tan(half))


class CarriedCamera:
    """A camera that an aircraft carries along a path. `vibration_deg`: how far a rotor at its
    full speed shakes it, once a turn."""

    def __init__(self, camera: FilmCamera, path: FlightPath, vibration_deg: float = 0.0) -> None:
        self._path = path
        self._mount = camera_from_body(camera.settings)
        self._position = np.array(camera.position_m)
        self._amplitude = np.radians(vibration_deg)

    def poses(self, log_s: Array) -> tuple[Array, Array]:
        """NED positions (n, 3) and the rotations (n, 3, 3) of NED into the camera's axes."""
        position, to_body = self._path.motion(log_s)
        places = position + np.einsum("nij,i->nj", to_body, self._position)
        places[:, 2] = np.minimum(places[:, 2], -_LEAST_HEIGHT_M)
        return places, self._mount @ self._shaken(log_s) @ to_body

    def _shaken(self, log_s: Array) -> Array:
        """Rotations (n, 3, 3), or one, by which the airframe differs from a rigid one."""
        if not self._amplitude:
            return np.eye(3)
        turns, loudness = self._path.turns(log_s), self._path.loudness(log_s)
        angle = 2.0 * np.pi * turns
        roll = self._amplitude * (loudness * np.sin(angle)).sum(axis=1)
        pitch = self._amplitude * (loudness * np.cos(angle)).sum(axis=1)
        matrix = np.tile(np.eye(3), (len(log_s), 1, 1))
        matrix[:, 1, 2], matrix[:, 2, 1] = roll, -roll
        matrix[:, 0, 2], matrix[:, 2, 0] = -pitch, pitch
        return matrix


class LyingCamera:
    """One that was forgotten on the field."""

    def __init__(self, camera: FilmCamera) -> None:
        self._rotation = camera_from_body(camera.settings)

    def poses(self, log_s: Array) -> tuple[Array, Array]:
        """The same at all times; see CarriedCamera."""
        n = len(log_s)
        return np.tile(np.array(_LYING), (n, 1)), np.tile(self._rotation, (n, 1, 1))
