"""A camera on an aircraft: where it sits, where it looks."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from simulation.worlds.flight_path import Motion
from simulation.worlds.renderer import CameraView
from telemetry.video.camera_settings import CameraSettings

Array = npt.NDArray[np.float64]

_LEAST_HEIGHT_M = 0.06
"""Above the field: an aircraft that has crashed would have its camera in the ground."""


@dataclass(frozen=True, slots=True)
class FilmCamera:
    """The on-board camera of Price's thesis by default: 640 x 480 pixels at 30 a second, 60
    degrees wide, looking slightly down. `position_m` is in the body's axes from the centre of
    mass."""

    size: tuple[int, int] = (640, 480)
    frames_per_s: int = 30
    settings: CameraSettings = field(default_factory=lambda: CameraSettings(mount_pitch_deg=-8.0))
    position_m: tuple[float, float, float] = (0.15, 0.0, 0.03)

    def views(self, motion: Motion) -> list[CameraView]:
        """What it would see, at each of the times of the motion."""
        mount = mount_rotation(self.settings)
        offsets = np.einsum("nij,i->nj", motion.to_body, np.array(self.position_m))
        places = motion.position + offsets
        places[:, 2] = np.minimum(places[:, 2], -_LEAST_HEIGHT_M)
        return [CameraView(p, mount @ r) for p, r in zip(places, motion.to_body, strict=True)]


def mount_rotation(settings: CameraSettings) -> Array:
    """Turns vectors of the body's axes into the camera's: yaw, then pitch, then roll."""
    return rotation_of(settings.mount_roll_deg, settings.mount_pitch_deg, settings.mount_yaw_deg)


def rotation_of(roll_deg: float, pitch_deg: float, yaw_deg: float) -> Array:
    """Turns vectors into axes that were turned by yaw about z, pitch about y, roll about x."""
    (cr, cp, cy), (sr, sp, sy) = (
        f(np.radians([roll_deg, pitch_deg, yaw_deg])) for f in (np.cos, np.sin)
    )
    roll = np.array([[1, 0, 0], [0, cr, sr], [0, -sr, cr]])
    pitch = np.array([[cp, 0, -sp], [0, 1, 0], [sp, 0, cp]])
    yaw = np.array([[cy, sy, 0], [-sy, cy, 0], [0, 0, 1]])
    return np.asarray(roll @ pitch @ yaw)
