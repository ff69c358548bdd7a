"""Stream samples: pictures, scans and values with their sensor's time; and what a stream is.

Arrays belong to the sample once it is made: nobody writes to them any more. A `time_us` is the
stamp by the sensor's own clock, in whole microseconds; that clock may have begun before or after
the flight's and may run at another rate. `number` counts from 0 over all that the sensor has taken,
lost ones too. Axes of a sensor: x along its line of sight, y right, z down.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

LARGEST_SIDE: Final = 8192
MOST_RAYS: Final = 1 << 20
MOST_VALUES: Final = 4096
FASTEST_HZ: Final = 10_000.0
LONGEST_FLAW: Final = 40

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_LONGEST_TEXT: Final = 200
_LARGEST_TIME: Final = 1 << 62
_UNIT_WITHIN: Final = 1e-3


class StreamError(ValueError):
    """A stream or a sample that cannot be: one sentence that names what is wrong."""


class StreamKind(Enum):
    """What the samples of a stream are."""

    PICTURES = "pictures"
    SCANS = "scans"
    VALUES = "values"


@dataclass(frozen=True, slots=True, eq=False)
class PictureSample:
    """`pixels` are BGR, shape (height, width, 3), or grey, (height, width). `flaw` says what is
    wrong with it, as the camera itself would know ("" if nothing): "torn", "half", …"""

    time_us: int
    number: int
    pixels: npt.NDArray[np.uint8]
    flaw: str = ""

    def __post_init__(self) -> None:
        _check_stamp(self.time_us, self.number)
        pixels = self.pixels
        is_colour = pixels.ndim == 3 and pixels.shape[2] == 3
        if pixels.dtype != np.uint8 or not (pixels.ndim == 2 or is_colour):
            raise StreamError(
                "a picture is uint8 of shape (height, width, 3) or (height, width), "
                f"not {pixels.dtype} of {pixels.shape}"
            )
        if not all(0 < side <= LARGEST_SIDE for side in pixels.shape[:2]):
            raise StreamError(
                f"a picture has sides of 1 to {LARGEST_SIDE} pixels, not {pixels.shape[:2]}"
            )
        if len(self.flaw) > LONGEST_FLAW:
            raise StreamError(f"a flaw has at most {LONGEST_FLAW} letters")

    @property
    def nbytes(self) -> int:
        """How much memory its arrays take."""
        return self.pixels.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class ScanSample:
    """Distances along the rays of the stream (see `ray_directions`), shape (n,), NaN where nothing
    came back. `intensities` are (n,), 0 to 1, or None for a sensor that tells none."""

    time_us: int
    number: int
    ranges_m: npt.NDArray[np.float32]
    intensities: npt.NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        _check_stamp(self.time_us, self.number)
        _check_column("ranges", self.ranges_m, np.float32, MOST_RAYS)
        if self.intensities is not None:
            _check_column("intensities", self.intensities, np.float32, MOST_RAYS)
            if self.intensities.shape != self.ranges_m.shape:
                raise StreamError("a scan has as many intensities as ranges")

    @property
    def nbytes(self) -> int:
        """How much memory its arrays take."""
        return self.ranges_m.nbytes * (1 if self.intensities is None else 2)


@dataclass(frozen=True, slots=True, eq=False)
class ValueSample:
    """Numbers, shape (k,), by the names and units of the stream (see `value_names`)."""

    time_us: int
    number: int
    values: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        _check_stamp(self.time_us, self.number)
        _check_column("values", self.values, np.float64, MOST_VALUES)

    @property
    def nbytes(self) -> int:
        """How much memory its arrays take."""
        return self.values.nbytes


StreamSample = PictureSample | ScanSample | ValueSample

_SAMPLES: Final[Mapping[StreamKind, type[StreamSample]]] = {
    StreamKind.PICTURES: PictureSample,
    StreamKind.SCANS: ScanSample,
    StreamKind.VALUES: ValueSample,
}


@dataclass(frozen=True, slots=True)
class StreamDescription:
    """What a stream is; fixed as long as it lasts.

    `name` is unique on an aircraft and stands in names of files: letters, digits, - and _.
    `rate_hz` is what the sensor aims at, 0 where it has none. `position_m` is that of the sensor
    in the body's axes (FRD), `attitude_q_wxyz` turns vectors of the sensor's axes into those.
    `details` are JSON. A sample may be stamped `stamped_after_us` behind its beginning, such as
    with the middle of an exposure. By kind:

    - PICTURES: `size_px` [width, height]; `lens` as far as it is known: `focal_px` [fx, fy],
      `centre_px` [x, y], `distortion` [k1, k2, p1, p2, k3], `field_of_view_deg` (horizontal),
      `shutter_s` (from the first row to the last), `is_fisheye` (then `distortion` is
      [k1, k2, k3, k4] of `telemetry.review.cameras.lens`); `renderer`, if it is simulated;
    - SCANS: `directions`, a list of [x, y, z] of length 1 in the sensor's axes, one a ray;
      `least_m` and `longest_m`;
    - VALUES: `names` and `units`, as many as values. Of a single distance, named "range": of a
      cone in which the nearest echo counts `half_angle_deg`; what is not between `least_m` and
      `longest_m` tells nothing.

    Raises StreamError for what cannot be.
    """

    name: str
    kind: StreamKind
    title: str
    rate_hz: float = 0.0
    position_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    attitude_q_wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise StreamError(
                f"'{self.name[:60]}' cannot name a stream; use up to 40 letters, digits, - and _"
            )
        if len(self.title) > _LONGEST_TEXT:
            raise StreamError(f"the title of {self.name} has over {_LONGEST_TEXT} letters")
        if not 0.0 <= self.rate_hz <= FASTEST_HZ:
            raise StreamError(
                f"the rate of {self.name} is 0 to {FASTEST_HZ:g} Hz, not {self.rate_hz}"
            )
        if not _are_numbers(self.position_m, 3):
            raise StreamError(f"the position of {self.name} is three numbers")
        if not _are_numbers(self.attitude_q_wxyz, 4):
            raise StreamError(f"the attitude of {self.name} is four numbers")
        if abs(math.hypot(*self.attitude_q_wxyz) - 1.0) > _UNIT_WITHIN:
            raise StreamError(f"the attitude of {self.name} is a quaternion of length 1")


def check_sample(description: StreamDescription, sample: StreamSample) -> None:
    """Raise StreamError if a sample is none of this stream."""
    if not isinstance(sample, _SAMPLES[description.kind]):
        kind = description.kind.value
        raise StreamError(f"{description.name} has {kind}, not a {type(sample).__name__}")
    if isinstance(sample, ScanSample):
        _check_length(description, len(sample.ranges_m), "directions")
    elif isinstance(sample, ValueSample):
        _check_length(description, len(sample.values), "names")


def ray_directions(description: StreamDescription) -> npt.NDArray[np.float64]:
    """The rays of a stream of scans: (n, 3), of length 1, in the sensor's axes. Raises StreamError
    where the details do not say them."""
    try:
        rays: npt.NDArray[np.float64] = np.array(description.details.get("directions"), np.float64)
    except (TypeError, ValueError, OverflowError):
        rays = np.empty(0)
    if rays.ndim != 2 or rays.shape[1] != 3 or not 0 < len(rays) <= MOST_RAYS:
        raise StreamError(f"the directions of {description.name} are not [x, y, z] for each ray")
    lengths = np.linalg.norm(rays, axis=1)
    if not np.all(np.abs(lengths - 1.0) < _UNIT_WITHIN):
        raise StreamError(f"the directions of {description.name} are not all of length 1")
    rays /= lengths[:, np.newaxis]
    return rays


def value_names(description: StreamDescription) -> tuple[tuple[str, str], ...]:
    """Name and unit of each value of a stream of values. Raises StreamError where the details do
    not say them."""
    names, units = _texts(description, "names"), _texts(description, "units")
    if len(names) != len(units) or not 0 < len(names) <= MOST_VALUES:
        raise StreamError(f"{description.name} has not one unit for each name")
    return tuple(zip(names, units, strict=True))


def _texts(description: StreamDescription, key: str) -> Sequence[str]:
    texts = description.details.get(key)
    if not isinstance(texts, list | tuple) or not all(isinstance(one, str) for one in texts):
        raise StreamError(f"the {key} of {description.name} are not a list of texts")
    return texts


def _check_length(description: StreamDescription, length: int, key: str) -> None:
    said = description.details.get(key)
    if isinstance(said, list | tuple) and len(said) != length:
        raise StreamError(f"{description.name} has {len(said)} {key}, a sample of it {length}")


def _check_stamp(time_us: int, number: int) -> None:
    if not isinstance(time_us, int) or abs(time_us) > _LARGEST_TIME:
        raise StreamError(f"a time is whole microseconds, not {time_us!r}")
    if not isinstance(number, int) or not 0 <= number <= _LARGEST_TIME:
        raise StreamError(f"a number counts from 0, it is not {number!r}")


def _check_column(what: str, column: npt.NDArray[Any], dtype: type, most: int) -> None:
    if column.dtype != dtype or column.ndim != 1 or not 0 < len(column) <= most:
        raise StreamError(
            f"{what} are 1 to {most} of {np.dtype(dtype)}, not {column.dtype} of {column.shape}"
        )


def _are_numbers(values: tuple[float, ...], count: int) -> bool:
    return len(values) == count and all(math.isfinite(value) for value in values)
