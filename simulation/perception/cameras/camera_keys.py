"""[camera]: the numbers of a camera, and the lens and the shutter that they describe."""

import math
from collections.abc import Mapping
from typing import Any, Final

from simulation.files.parameter_file import NumberKey, Schema, WordKey
from simulation.perception.sensor_settings import SensorSettings
from simulation.worlds.picture_taker import Shutter
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import Lens, lens_of

LEAST_SIDE, MOST_SIDE = 4, 4096
GREY: Final = "grey"

CAMERA_KEYS: Final[Schema] = {
    "width_px": NumberKey(LEAST_SIDE, MOST_SIDE, whole=True),
    "height_px": NumberKey(LEAST_SIDE, MOST_SIDE, whole=True),
    "colours": WordKey({"colour": 0, GREY: 1}, default="colour"),
    "lens": WordKey({"pinhole": 0, "fisheye": 1}, default="pinhole"),
    "field_of_view_deg": NumberKey(0.5, 160.0, default=0.0),
    "focal_px": NumberKey(1.0, 1e5, (-1,), default=()),
    "centre_px": NumberKey(-1e5, 1e5, (-1,), default=()),
    "distortion": NumberKey(-1e3, 1e3, (-1,), default=()),
    "oversampling": WordKey({"none": 1, "3x3": 3}, default="none"),
    "readout_ms": NumberKey(0.0, 1000.0, default=0.0),
    "exposure_ms": NumberKey(0.0, 1000.0, default=0.0),
    "auto_exposure_s": NumberKey(0.0, 600.0, default=0.0),
    "brightness": NumberKey(1.0, 254.0, default=142.0),
    "gain": NumberKey(0.01, 100.0, default=1.0),
    "vignetting": NumberKey(0.0, 1.0, default=0.0),
    "noise": NumberKey(0.0, 128.0, default=0.0),
    "white_balance": NumberKey(0.0, 0.5, default=0.0),
    "white_balance_s": NumberKey(0.1, 36_000.0, default=30.0),
}
"""The manual is resources/sensors/README.md."""

CAMERA_FAULTS: Final[Schema] = {
    "broken": NumberKey(0.0, 1.0, default=0.0),
    "blur_px": NumberKey(0.0, 50.0, default=0.0),
}
"""The share of pictures that arrive damaged; a lens out of focus."""

_WIDEST_PINHOLE_DEG = 140.0
_MOST_TERMS = {"pinhole": 5, "fisheye": 4}


def size_of(settings: SensorSettings) -> tuple[int, int]:
    """Width and height in pixels."""
    return int(settings.values["width_px"]), int(settings.values["height_px"])


def shutter_of(settings: SensorSettings) -> Shutter:
    """Raises ParameterError for one that is slower than the pictures."""
    readout_ms, exposure_ms = (float(settings.values[key]) for key in ("readout_ms", "exposure_ms"))
    period_ms = 1e3 / float(settings.values["rate_hz"])
    for key, lasts_ms in (("readout_ms", readout_ms), ("exposure_ms", exposure_ms)):
        if lasts_ms > period_ms:
            what = f"{key!r} is longer than the {period_ms:.3g} ms from picture to picture."
            raise settings.error(key, what, "Shorten it, or lower 'rate_hz'.")
    return Shutter(readout_ms * 1e-3, exposure_ms * 1e-3)


def lens_from(settings: SensorSettings) -> Lens:
    """Raises ParameterError for what does not go together."""
    values, size = settings.values, size_of(settings)
    kind = str(values["lens"])
    focal, centre, distortion = (
        tuple(map(float, values[key])) for key in ("focal_px", "centre_px", "distortion")
    )
    for key, numbers in (("focal_px", focal), ("centre_px", centre)):
        if len(numbers) not in (0, 2):
            raise settings.error(key, f"{key!r} has {len(numbers)} numbers.", "Give [x, y].")
    if len(distortion) > _MOST_TERMS[kind]:
        what = f"'distortion' of a {kind} has {len(distortion)} numbers."
        raise settings.error("distortion", what, f"Give at most {_MOST_TERMS[kind]}.")
    field_deg = float(values["field_of_view_deg"])
    if bool(field_deg) == bool(focal):
        what = "Either 'field_of_view_deg' or 'focal_px' says how wide the camera sees."
        raise settings.error("field_of_view_deg" if field_deg else "", what, "Give one of them.")
    is_fisheye = kind == "fisheye"
    if not is_fisheye and field_deg > _WIDEST_PINHOLE_DEG:
        what = f"A pinhole of {field_deg:g} degrees has no picture."
        raise settings.error("field_of_view_deg", what, 'Lower it, or write lens = "fisheye".')
    camera = CameraSettings(
        field_deg,
        focal_px=focal,
        centre_px=centre,
        distortion=distortion,
        is_fisheye=is_fisheye,
    )
    return lens_of(camera, size)


def oversampling_of(settings: SensorSettings) -> int:
    """So many by so many drawn pixels make one."""
    rule = CAMERA_KEYS["oversampling"]
    assert isinstance(rule, WordKey)
    return rule.options[settings.values["oversampling"]]


def lens_details(lens: Lens, size: tuple[int, int], readout_s: float) -> Mapping[str, Any]:
    """The lens as a stream of pictures describes it."""
    field_deg = math.degrees(2.0 * math.atan(0.5 * size[0] / lens.focal_px[0]))
    if lens.is_fisheye:
        field_deg = math.degrees(size[0] / lens.focal_px[0])
    return {
        "focal_px": list(lens.focal_px),
        "centre_px": list(lens.centre_px),
        "distortion": list(lens.distortion),
        "is_fisheye": lens.is_fisheye,
        "field_of_view_deg": field_deg,
        "shutter_s": readout_s,
    }
