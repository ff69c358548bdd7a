"""Camera settings: what is known of lens, mounting, shutter."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeGuard

from telemetry.base.rotations import angles_deg_of
from telemetry.protocol.streams.samples import StreamDescription

_WIDEST_DEG: Final = 179.0
_LARGEST: Final = 1e6


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """A camera on an aircraft.

    `field_of_view_deg` is horizontal. The mount angles turn the body frame (FRD) into the camera's
    in the order yaw, pitch, roll; pitch is negative for a camera that looks down. `shutter_s` is
    the time between the exposure of the first and the last row, 0 for a global shutter.
    `distortion` are OpenCV's (k1, k2, p1, p2, k3), of a fisheye (k1, k2, k3, k4) of
    `cv2.fisheye`; `focal_px` and `centre_px` (x, y) are the matrix of a calibrated lens; empty
    where it was not calibrated.

    The sigmas are standard errors: of the field of view, of the mount's (roll, pitch, yaw), of each
    term of the distortion. They are None and empty where that is not known: typed by hand, or as
    everything begins. Lens and mount speak of the picture as it is stored.
    """

    field_of_view_deg: float = 60.0
    mount_roll_deg: float = 0.0
    mount_pitch_deg: float = 0.0
    mount_yaw_deg: float = 0.0
    shutter_s: float = 0.0
    focal_px: tuple[float, ...] = ()
    centre_px: tuple[float, ...] = ()
    distortion: tuple[float, ...] = ()
    is_fisheye: bool = False
    field_of_view_sigma_deg: float | None = None
    mount_sigma_deg: tuple[float, float, float] | None = None
    distortion_sigma: tuple[float, ...] = ()

    @property
    def mount_deg(self) -> tuple[float, float, float]:
        """Roll, pitch and yaw of the mount."""
        return self.mount_roll_deg, self.mount_pitch_deg, self.mount_yaw_deg


_SIGMAS: Final[Mapping[str, Mapping[str, Any]]] = {
    "field_of_view_deg": {"field_of_view_sigma_deg": None},
    "mount_roll_deg": {"mount_sigma_deg": None},
    "mount_pitch_deg": {"mount_sigma_deg": None},
    "mount_yaw_deg": {"mount_sigma_deg": None},
    "is_fisheye": {"distortion": (), "distortion_sigma": (), "field_of_view_sigma_deg": None},
}
"""What is no longer known of a camera of which this is typed by hand."""


def with_typed(camera: CameraSettings, name: str, value: float | bool) -> CameraSettings:
    """The camera with one of its settings as it was typed, which nobody knows how well."""
    typed: dict[str, Any] = {**_SIGMAS.get(name, {}), name: value}
    return replace(camera, **typed)


def camera_of_stream(description: StreamDescription) -> CameraSettings:
    """How a camera that sends pictures is mounted, and its lens as far as it is told."""
    said = description.details.get("lens")
    lens: Mapping[str, Any] = said if isinstance(said, Mapping) else {}
    usual = CameraSettings()
    roll, pitch, yaw = angles_deg_of(description.attitude_q_wxyz)
    focal = _numbers(lens, "focal_px", (2,))
    terms = _numbers(lens, "distortion", range(6))
    return CameraSettings(
        _number(lens, "field_of_view_deg", (1.0, _WIDEST_DEG), usual.field_of_view_deg),
        mount_roll_deg=roll,
        mount_pitch_deg=pitch,
        mount_yaw_deg=yaw,
        shutter_s=_number(lens, "shutter_s", (0.0, 1.0), usual.shutter_s),
        focal_px=focal if focal and min(focal) > 0.0 else (),
        centre_px=_numbers(lens, "centre_px", (2,)),
        distortion=(*terms, *(0.0,) * (4 - len(terms))) if any(terms) else (),
        is_fisheye=lens.get("is_fisheye") is True,
    )


def _number(said: Mapping[str, Any], key: str, limits: tuple[float, float], usual: float) -> float:
    value = said.get(key)
    return float(value) if _is_number(value) and limits[0] <= value <= limits[1] else usual


def _numbers(said: Mapping[str, Any], key: str, lengths: Container[int]) -> tuple[float, ...]:
    values = said.get(key)
    if not isinstance(values, list | tuple) or len(values) not in lengths:
        return ()
    return tuple(map(float, values)) if all(map(_is_number, values)) else ()


def _is_number(value: Any) -> TypeGuard[float]:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and abs(value) < _LARGEST
