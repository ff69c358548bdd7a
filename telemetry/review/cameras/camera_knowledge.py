"""Camera knowledge: what of a camera's settings somebody has measured, set or told; the others are
the figures that everything begins with."""

from collections.abc import Mapping
from dataclasses import dataclass

from telemetry.protocol.streams.samples import StreamDescription
from telemetry.review.cameras.camera_settings import CameraSettings, camera_of_stream

_MEASURED = "measured in the film"
_TOLD = "told by the camera"
_SET = "as set, not known how sure"
_UNTOUCHED = CameraSettings()


@dataclass(frozen=True, slots=True)
class CameraKnowledge:
    """How each part is known, in words; "" where nobody knows it.

    `place_m` is where the camera is in the body's axes (FRD), None where nobody has told.
    """

    field_of_view: str
    mount: str
    distortion: str
    shutter: str
    place_m: tuple[float, float, float] | None


def knowledge_of(
    camera: CameraSettings, description: StreamDescription | None = None
) -> CameraKnowledge:
    """What is known of a camera, whose pictures came as that stream if it is given. What the stream
    tells counts as long as nobody has changed it."""
    told = camera_of_stream(description) if description is not None else None
    lens = description.details.get("lens") if description is not None else None
    keys = {*lens} if isinstance(lens, Mapping) else set()
    place_m = description.position_m if description is not None else (0.0, 0.0, 0.0)
    return CameraKnowledge(
        field_of_view=_first(
            ("calibrated", bool(camera.focal_px)),
            (_MEASURED, camera.field_of_view_sigma_deg is not None),
            (_TOLD, "field_of_view_deg" in keys and _is_same(camera, told, "field_of_view_deg")),
            (_SET, not _is_same(camera, _UNTOUCHED, "field_of_view_deg")),
        ),
        mount=_first(
            (_MEASURED, camera.mount_sigma_deg is not None),
            (_TOLD, _is_same(camera, told, "mount_deg")),
            (_SET, not _is_same(camera, _UNTOUCHED, "mount_deg")),
        ),
        distortion=_first(
            (_MEASURED, bool(camera.distortion_sigma)),
            ("calibrated", bool(camera.focal_px)),
            (_TOLD, "distortion" in keys and _is_same(camera, told, "distortion")),
            (_SET, bool(camera.distortion)),
        ),
        shutter=_first(
            (_TOLD, "shutter_s" in keys and _is_same(camera, told, "shutter_s")),
            (_SET, bool(camera.shutter_s)),
        ),
        place_m=place_m if any(place_m) else None,
    )


def _is_same(camera: CameraSettings, other: CameraSettings | None, name: str) -> bool:
    return other is not None and bool(getattr(camera, name) == getattr(other, name))


def _first(*words: tuple[str, bool]) -> str:
    return next((word for word, is_so in words if is_so), "")
