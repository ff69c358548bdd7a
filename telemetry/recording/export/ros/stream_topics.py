"""Stream topics: what sensors that look have sent, as standard ROS messages.

Pictures are Image in the camera's optical frame; scans of one plane at equal angles LaserScan,
others PointCloud2; single distances Range; other values a Float64 each. How the sensors are mounted
stands in /tf_static: FLU below base_link, and below a camera's its optical frame.

Where nothing came back, a distance is +inf (REP-117) if the stream tells its longest one, else NaN.
Sensors of ours say the same of what is too near, which thus cannot be told apart.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from telemetry.protocol.streams.samples import (
    PictureSample,
    ScanSample,
    StreamDescription,
    StreamError,
    StreamKind,
    StreamSample,
    ValueSample,
    check_sample,
    ray_directions,
    value_names,
)
from telemetry.recording.export.request import ExportError, ExportRequest, Times
from telemetry.recording.export.ros.frames import (
    OPTICAL_IN_FLU_WXYZ,
    Floats,
    flu,
    flu_in_flu_wxyz,
)
from telemetry.recording.export.ros.messages import BODY, MAP, RosTopic, RosTypes, ros_name
from telemetry.recording.export.ros.object_topics import range_message
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording

_Message = Callable[[Any, int], Any]
"""Makes one of a sample and its stamp in nanoseconds."""
_OWN_FRAMES: Final = (MAP, BODY, "base_link_truth", "ground_truth", "gps", "sonar_altitude")
_OPTICAL: Final = "_optical"
_FLOAT32: Final = 7
_LARGEST_FLOAT32: Final = float(np.finfo(np.float32).max)
_LEVEL: Final = 1e-6
_EVEN: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class _Samples:
    """Those of a stream that are wanted: when they were taken, and what reads the one of a place,
    None where it was not recorded."""

    description: StreamDescription
    times: Times
    read: Callable[[int], StreamSample | None]

    def topic(self, name: str, type_: str, message: _Message) -> RosTopic:
        def read_message(index: int, stamp_ns: int) -> Any:
            sample = self.read(index)
            return None if sample is None else message(sample, stamp_ns)

        return RosTopic(name, type_, self.times, read_message)


def stream_topics(recording: Recording, request: ExportRequest, make: RosTypes) -> list[RosTopic]:
    """All topics of streams, none if objects are named. Raises ExportError for a stream that does
    not say what its samples are."""
    topics: list[RosTopic] = []
    frames: dict[str, StreamDescription] = {}
    for track in () if request.objects else recording.media_tracks():
        samples = _wanted(track, recording, request)
        if len(samples.times):
            frame = _free_frame(track.description, frames)
            frames[frame] = track.description
            try:
                topics += _topics_of(samples, frame, make)
            except StreamError as error:
                raise ExportError(
                    f"A stream cannot be written: {error}. Name objects to leave streams out."
                ) from error
    if topics:
        topics.append(_mounts(frames, min(topic.times[0] for topic in topics), make))
    return topics


def _free_frame(description: StreamDescription, frames: Mapping[str, StreamDescription]) -> str:
    """A frame that no sensor has yet, nor a camera as its optical one; of a camera, both."""
    optical = (_optical(name) for name, one in frames.items() if one.kind is StreamKind.PICTURES)
    taken = {*_OWN_FRAMES, *frames, *optical}
    if description.kind is StreamKind.PICTURES:
        taken |= {frame.removesuffix(_OPTICAL) for frame in taken}
    return ros_name(description.name, taken)


def _wanted(track: MediaTrack, recording: Recording, request: ExportRequest) -> _Samples:
    """The samples within the span; at a rate the newest of each step, each once."""
    start, stop = track.range(request.start_s, request.end_s)
    rows = np.arange(start, stop)
    if request.rate_hz is not None:
        found = np.unique(track.times.searchsorted(request.steps(recording), "right") - 1)
        rows = found[(found >= start) & (found < stop)]

    @lru_cache(maxsize=1)  # of values a topic each asks for the same sample
    def read(index: int) -> StreamSample | None:
        sample = track.sample(int(rows[index]))
        with suppress(StreamError):  # a file of a stranger may hold others
            if sample is not None:
                check_sample(track.description, sample)
                return sample
        return None

    return _Samples(track.description, track.times[rows], read)


def _topics_of(samples: _Samples, frame: str, make: RosTypes) -> Iterator[RosTopic]:
    description = samples.description
    if description.kind is StreamKind.PICTURES:
        message = _picture_message(_optical(frame), make)
        yield samples.topic(f"/{frame}/image_raw", "sensor_msgs/msg/Image", message)
    elif description.kind is StreamKind.SCANS:
        yield _scan_topic(samples, frame, make)
    elif (named := value_names(description)) == (("range", "m"),):
        message = _distance_message(description, frame, make)
        yield samples.topic(f"/{frame}/range", "sensor_msgs/msg/Range", message)
    else:
        yield from _value_topics(samples, frame, named, make)


# Pictures


def _picture_message(frame: str, make: RosTypes) -> _Message:
    def message(sample: PictureSample, stamp_ns: int) -> Any:
        pixels = sample.pixels
        return make.make(
            "sensor_msgs/msg/Image",
            header=make.header(stamp_ns, frame),
            height=pixels.shape[0],
            width=pixels.shape[1],
            encoding="mono8" if pixels.ndim == 2 else "bgr8",
            is_bigendian=0,
            step=pixels[0].nbytes,
            data=np.ascontiguousarray(pixels).reshape(-1),
        )

    return message


# Scans


def _scan_topic(samples: _Samples, frame: str, make: RosTypes) -> RosTopic:
    rays = flu(ray_directions(samples.description))
    angles = np.arctan2(rays[:, 1], rays[:, 0])
    order = np.argsort(angles)
    steps = np.diff(angles[order])
    is_plane = len(rays) > 1 and bool(np.all(np.abs(rays[:, 2]) < _LEVEL))
    if is_plane and steps[0] > 0.0 and np.ptp(steps) < _EVEN:
        message = _plane_message(samples.description, angles[order], order, frame, make)
        return samples.topic(f"/{frame}/scan", "sensor_msgs/msg/LaserScan", message)
    message = _cloud_message(rays, frame, make)
    return samples.topic(f"/{frame}/points", "sensor_msgs/msg/PointCloud2", message)


def _plane_message(
    description: StreamDescription,
    angles: Floats,
    order: npt.NDArray[np.intp],
    frame: str,
    make: RosTypes,
) -> _Message:
    """Counter-clockwise from above, as angles about z ascend, in whatever order the rays are sent;
    where that is another one, nothing is said of the time between two rays."""
    first, last = float(angles[0]), float(angles[-1])
    least_m, longest_m = _limits_m(description)
    after_us = _told(description, "after_us", [])
    is_as_sent = len(after_us) == len(order) and bool(np.all(np.diff(order) == 1))
    sweep_s = 1e-6 * float(after_us[-1] - after_us[0]) if is_as_sent else 0.0
    nothing_m = np.float32(math.inf if longest_m < math.inf else math.nan)

    def message(sample: ScanSample, stamp_ns: int) -> Any:
        told, ranges_m = sample.intensities, sample.ranges_m[order]
        return make.make(
            "sensor_msgs/msg/LaserScan",
            header=make.header(stamp_ns, frame),
            angle_min=first,
            angle_max=last,
            angle_increment=(last - first) / (len(order) - 1),
            time_increment=sweep_s / (len(order) - 1),
            scan_time=_as_float32(1.0 / description.rate_hz) if description.rate_hz else 0.0,
            range_min=least_m,
            range_max=longest_m,
            ranges=np.where(np.isnan(ranges_m), nothing_m, ranges_m),
            intensities=np.empty(0, np.float32) if told is None else told[order],
        )

    return message


def _cloud_message(rays: Floats, frame: str, make: RosTypes) -> _Message:
    """The points from which something came back: x, y, z and, where it is told, intensity."""

    def message(sample: ScanSample, stamp_ns: int) -> Any:
        columns = [*(rays * sample.ranges_m[:, np.newaxis]).T]
        names = ["x", "y", "z"]
        if sample.intensities is not None:
            columns.append(sample.intensities)
            names.append("intensity")
        points = np.column_stack(columns).astype("<f4")[np.isfinite(sample.ranges_m)]
        fields = [
            make.make(
                "sensor_msgs/msg/PointField",
                name=name,
                offset=4 * number,
                datatype=_FLOAT32,
                count=1,
            )
            for number, name in enumerate(names)
        ]
        return make.make(
            "sensor_msgs/msg/PointCloud2",
            header=make.header(stamp_ns, frame),
            height=1,
            width=len(points),
            fields=fields,
            is_bigendian=False,
            point_step=4 * len(names),
            row_step=points.nbytes,
            data=points.reshape(-1).view(np.uint8),
            is_dense=True,
        )

    return message


# Values


def _distance_message(description: StreamDescription, frame: str, make: RosTypes) -> _Message:
    """Of a cone, the longest distance stands for no echo."""
    least_m, longest_m = _limits_m(description)
    half_angle = None
    if "half_angle_deg" in description.details:
        half_angle = math.radians(_told(description, "half_angle_deg", 0.0))

    def message(sample: ValueSample, stamp_ns: int) -> Any:
        header, distance_m = make.header(stamp_ns, frame), _as_float32(float(sample.values[0]))
        is_full = half_angle is not None and distance_m >= longest_m
        if longest_m < math.inf and (is_full or math.isnan(distance_m)):
            distance_m = math.inf
        return range_message(make, header, distance_m, (least_m, longest_m), half_angle)

    return message


def _limits_m(description: StreamDescription) -> tuple[float, float]:
    """Between which distances it tells something, as far as it is known."""
    least_m, longest_m = (
        float(_told(description, key, otherwise))
        for key, otherwise in (("least_m", 0.0), ("longest_m", math.inf))
    )
    return least_m, longest_m


def _told(description: StreamDescription, key: str, otherwise: float | list[float]) -> Floats:
    """A number of the details, or a list of them, as far as float32 goes. Raises StreamError for
    what is none, or below 0."""
    if key not in description.details:
        return np.asarray(otherwise, np.float64)
    try:
        told = np.asarray(description.details[key])
    except ValueError:  # lists of unequal lengths
        told = np.empty(0, object)
    is_numbers = told.dtype.kind in "iuf" and told.ndim == np.ndim(otherwise)
    if not is_numbers or not np.all(told >= 0):
        what = "a number" if np.ndim(otherwise) == 0 else "a list of numbers"
        raise StreamError(f"{key} of {description.name} is not {what} from 0 on")
    return np.asarray(np.minimum(told, _LARGEST_FLOAT32), np.float64)


def _as_float32(value: float) -> float:
    return max(-_LARGEST_FLOAT32, min(value, _LARGEST_FLOAT32)) if math.isfinite(value) else value


def _value_topics(
    samples: _Samples, frame: str, named: tuple[tuple[str, str], ...], make: RosTypes
) -> Iterator[RosTopic]:
    """One a value, so that they are plotted by name; the unit stands in it."""
    type_, taken = "std_msgs/msg/Float64", set[str]()
    for number, (value, unit) in enumerate(named):
        name = ros_name(f"{value} {unit}", taken)
        taken.add(name)

        def message(sample: ValueSample, _stamp_ns: int, number: int = number) -> Any:
            return make.make(type_, data=float(sample.values[number]))

        yield samples.topic(f"/{frame}/{name}", type_, message)


# Mounts


def _mounts(frames: dict[str, StreamDescription], first_s: float, make: RosTypes) -> RosTopic:
    """Where each sensor is, once at the beginning."""

    def message(_index: int, stamp_ns: int) -> Any:
        header = make.header(stamp_ns, BODY)
        transforms = []
        for frame, description in frames.items():
            place = flu(np.array(description.position_m))
            turn = flu_in_flu_wxyz(np.array(description.attitude_q_wxyz))
            transforms.append(make.transform(header, frame, place, turn))
            if description.kind is StreamKind.PICTURES:
                inside = make.header(stamp_ns, frame)
                turn = np.array(OPTICAL_IN_FLU_WXYZ)
                transforms.append(make.transform(inside, _optical(frame), np.zeros(3), turn))
        return make.make("tf2_msgs/msg/TFMessage", transforms=transforms)

    type_ = "tf2_msgs/msg/TFMessage"
    return RosTopic("/tf_static", type_, np.array([first_s]), message, is_latched=True)


def _optical(frame: str) -> str:
    return frame + _OPTICAL
