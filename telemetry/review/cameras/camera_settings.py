"""Camera settings: what is known of lens, mounting, shutter."""

from dataclasses import dataclass


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
