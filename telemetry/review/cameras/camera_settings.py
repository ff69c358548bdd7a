"""Camera settings: what is known of lens, mounting, shutter."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
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
