"""Stream topics: what sensors that look have sent, as standard ROS messages.

Pictures are Image in the camera's optical frame; scans of one plane at equal angles LaserScan,
others PointCloud2; single distances Range; other values a Float64 each. How the sensors are mounted
stands in /tf_static: FLU below base_link, and below a camera's its optical frame.
"""

import math
from collections.abc import Callable, Iterator
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
    ValueSample,
    ray_directions,
    value_names,
)
from telemetry.recording.export.request import ExportError, ExportRequest
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

_Message = Callable[[Any, Any], Any]
"""Makes one of a header and a sample."""
_OWN_FRAMES: Final = (MAP, BODY, "base_link_truth", "ground_truth", "gps", "sonar_altitude")
_FLOAT32: Final = 7
_LEVEL: Final = 1e-6
_EVEN: Final = 1e-6


def stream_topics(recording: Recording, request: ExportRequest, make: RosTypes) -> list[RosTopic]:
    """All topics of streams, none if objects are named. Raises ExportError for a stream that does
    not say what its samples are."""
    topics: list[RosTopic] = []
    frames: dict[str, StreamDescription] = {}
    for track in () if request.objects else recording.media_tracks():
        rows = _wanted_rows(track, recording, request)
        if len(rows):
            frame = ros_name(track.description.name, (*_OWN_FRAMES, *frames))
            frames[frame] = track.description
            try:
                topics += _topics_of(track, rows, frame, make)
            except StreamError as error:
                raise ExportError(
                    f"A stream cannot be written: {error}. Name objects to leave streams out."
                ) from error
    if topics:
        topics.append(_mounts(frames, min(topic.times[0] for topic in topics), make))
    return topics


def _wanted_rows(
    track: MediaTrack, recording: Recording, request: ExportRequest
) -> npt.NDArray[np.intp]:
    """The samples within the span; at a rate the newest of each step, each once."""
    start, stop = track.range(request.start_s, request.end_s)
    if request.rate_hz is None:
        return np.arange(start, stop)
    found = np.unique(track.times.searchsorted(request.steps(recording), "right") - 1)
    return found[(found >= start) & (found < stop)]


def _topics_of(
    track: MediaTrack, rows: npt.NDArray[np.intp], frame: str, make: RosTypes
) -> Iterator[RosTopic]:
    description = track.description
    if description.kind is StreamKind.PICTURES:
        optical = _optical(frame)
        name, type_, message = "image_raw", "sensor_msgs/msg/Image", _picture_message(make)
        yield _topic(track, rows, f"/{frame}/{name}", type_, _in_frame(message, optical, make))
    elif description.kind is StreamKind.SCANS:
        name, type_, message = _scan_message(description, make)
        yield _topic(track, rows, f"/{frame}/{name}", type_, _in_frame(message, frame, make))
    elif (named := value_names(description)) == (("range", "m"),):
        distance = _in_frame(_distance_message(description, make), frame, make)
        yield _topic(track, rows, f"/{frame}/range", "sensor_msgs/msg/Range", distance)
    else:
        yield from _value_topics(track, rows, frame, named, make)


def _in_frame(message: _Message, frame: str, make: RosTypes) -> Callable[[Any, int], Any]:
    return lambda sample, stamp_ns: message(make.header(stamp_ns, frame), sample)


def _topic(
    track: MediaTrack,
    rows: npt.NDArray[np.intp],
    name: str,
    type_: str,
    message: Callable[[Any, int], Any],
    read: Callable[[int], Any] | None = None,
) -> RosTopic:
    read = read or track.sample

    def read_message(index: int, stamp_ns: int) -> Any:
        sample = read(int(rows[index]))
        return None if sample is None else message(sample, stamp_ns)

    return RosTopic(name, type_, track.times[rows], read_message)


# Pictures


def _picture_message(make: RosTypes) -> _Message:
    def message(header: Any, sample: PictureSample) -> Any:
        pixels = sample.pixels
        return make.make(
            "sensor_msgs/msg/Image",
            header=header,
            height=pixels.shape[0],
            width=pixels.shape[1],
            encoding="mono8" if pixels.ndim == 2 else "bgr8",
            is_bigendian=0,
            step=pixels[0].nbytes,
            data=np.ascontiguousarray(pixels).reshape(-1),
        )

    return message


# Scans


def _scan_message(description: StreamDescription, make: RosTypes) -> tuple[str, str, _Message]:
    """The topic's name and type, and what makes its messages."""
    rays = flu(ray_directions(description))
    angles = np.arctan2(rays[:, 1], rays[:, 0])
    order = np.argsort(angles)
    steps = np.diff(angles[order])
    is_plane = len(rays) > 1 and bool(np.all(np.abs(rays[:, 2]) < _LEVEL))
    if is_plane and steps[0] > 0.0 and np.ptp(steps) < _EVEN:
        message = _plane_message(description, angles, order, make)
        return "scan", "sensor_msgs/msg/LaserScan", message
    return "points", "sensor_msgs/msg/PointCloud2", _cloud_message(rays, make)


def _plane_message(
    description: StreamDescription, angles: Floats, order: npt.NDArray[np.intp], make: RosTypes
) -> _Message:
    """Counter-clockwise from above, as angles about z ascend, in whatever order the rays are sent;
    where that is another one, nothing is said of the time between two rays."""
    first, last = float(angles[order[0]]), float(angles[order[-1]])
    after_us = description.details.get("after_us", ())
    is_as_sent = len(after_us) == len(order) and bool(np.all(np.diff(order) == 1))
    sweep_s = 1e-6 * (after_us[-1] - after_us[0]) if is_as_sent else 0.0

    def message(header: Any, sample: ScanSample) -> Any:
        told = sample.intensities
        return make.make(
            "sensor_msgs/msg/LaserScan",
            header=header,
            angle_min=first,
            angle_max=last,
            angle_increment=(last - first) / (len(order) - 1),
            time_increment=sweep_s / (len(order) - 1),
            scan_time=1.0 / description.rate_hz if description.rate_hz else 0.0,
            range_min=_limits_m(description)[0],
            range_max=_limits_m(description)[1],
            ranges=sample.ranges_m[order],
            intensities=np.empty(0, np.float32) if told is None else told[order],
        )

    return message


def _cloud_message(rays: Floats, make: RosTypes) -> _Message:
    """The points from which something came back: x, y, z and, where it is told, intensity."""

    def message(header: Any, sample: ScanSample) -> Any:
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
            header=header,
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


def _distance_message(description: StreamDescription, make: RosTypes) -> _Message:
    told_deg, limits_m = description.details.get("half_angle_deg"), _limits_m(description)
    half_angle = None if told_deg is None else math.radians(told_deg)

    def message(header: Any, sample: ValueSample) -> Any:
        return range_message(make, header, float(sample.values[0]), limits_m, half_angle)

    return message


def _limits_m(description: StreamDescription) -> tuple[float, float]:
    """Between which distances it tells something, as far as it is known."""
    details = description.details
    return float(details.get("least_m", 0.0)), float(details.get("longest_m", math.inf))


def _value_topics(
    track: MediaTrack,
    rows: npt.NDArray[np.intp],
    frame: str,
    named: tuple[tuple[str, str], ...],
    make: RosTypes,
) -> Iterator[RosTopic]:
    """One a value, so that they are plotted by name; the unit stands in it."""
    type_, taken = "std_msgs/msg/Float64", set[str]()
    read = lru_cache(maxsize=1)(track.sample)
    for number, (value, unit) in enumerate(named):
        name = ros_name(f"{value} {unit}", taken)
        taken.add(name)

        def message(sample: Any, _stamp_ns: int, number: int = number) -> Any:
            return make.make(type_, data=float(sample.values[number]))

        yield _topic(track, rows, f"/{frame}/{name}", type_, message, read)


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
    return f"{frame}_optical"
