"""MCAP files and ROS 2 bags, for Foxglove, PlotJuggler and the tools of ROS 2.

World ENU with its origin at home, body FLU, SI units, radians (REP-103, REP-105). A message is
logged at the time in its header: by the calendar where the recording knows it, else seconds since
its beginning. Types are those of ROS 2 Jazzy; the metadata are of version 8, which Humble reads,
too (there but for sensor_msgs/Range, which has grown since).
"""

import heapq
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from telemetry.recording.export.request import (
    ALL,
    ExportError,
    ExportRequest,
    check_names,
    file_name,
    writing_to,
)
from telemetry.recording.export.ros.messages import RosTopic, RosTypes
from telemetry.recording.export.ros.object_topics import object_topics
from telemetry.recording.recording import Recording
from telemetry.recording.wall_time import began_at

if TYPE_CHECKING:
    from rosbags.interfaces import Connection
    from rosbags.rosbag2 import Writer

_METADATA_VERSION: Final = 8
_MESSAGES_PER_STEP: Final = 200
_LAST_S: Final = 2**31 - 1
"""A stamp of ROS has no more seconds."""
_IN_ADDRESSES: Final = frozenset("?#%")


def export_mcap(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write one MCAP file of ROS 2 messages. Raises ExportError."""
    target = folder / f"{_bag_name(recording)}.mcap"
    with _begun_bag(recording, target, request, "MCAP") as bag:
        (bag / target.name).replace(target)
    return [target]


def export_rosbag2(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write a folder with a ROS 2 bag of SQLite, and return its files. Raises ExportError."""
    target = folder / _bag_name(recording)
    if _IN_ADDRESSES & {*str(folder.absolute())}:
        raise ExportError(f"{folder} has one of ?, # and % in it, which SQLite does not take.")
    with _begun_bag(recording, target, request, "SQLITE3") as bag:
        bag.replace(target)
    return sorted(target.iterdir())


def _bag_name(recording: Recording) -> str:
    return file_name(recording, "").replace("%", "_")


@contextmanager
def _begun_bag(
    recording: Recording, target: Path, request: ExportRequest, storage: str
) -> Iterator[Path]:
    """A whole bag with the target's name in a folder beside it, which is removed afterwards."""
    if os.path.lexists(target):  # a link to nowhere would be replaced, too
        raise ExportError(f"{target} is there already. Give another folder.")
    check_names(recording, request.objects)
    types = RosTypes()
    topics = _topics(recording, request, types)
    folder = target.parent
    with (
        writing_to(folder),
        TemporaryDirectory(prefix=".", suffix=".part", dir=folder) as begun,
    ):
        bag = Path(begun) / _bag_name(recording)
        try:
            _write(bag, topics, _epoch_ns(recording), request, types, storage)
        except sqlite3.Error as error:
            raise ExportError(f"Cannot write to {folder}: {error}.") from error
        yield bag


def _topics(recording: Recording, request: ExportRequest, types: RosTypes) -> list[RosTopic]:
    topics = object_topics(recording, request, types)
    if recording.media_tracks():
        from telemetry.recording.export.ros.stream_topics import stream_topics

        topics += stream_topics(recording, request, types)
    if not topics:
        raise ExportError("Nothing was sent then for which ROS has a message. Export it as csv.")
    return topics


def _epoch_ns(recording: Recording) -> int:
    """The stamp of second 0."""
    began = began_at(recording)
    began_s = began.timestamp() if began is not None else 0.0
    if not 0.0 <= began_s <= _LAST_S - recording.last_s:  # a receiver in another century
        began_s = 0.0
    return round(began_s * 1e6) * 1000


def _write(
    bag: Path,
    topics: Sequence[RosTopic],
    epoch_ns: int,
    request: ExportRequest,
    types: RosTypes,
    storage: str,
) -> None:
    """All messages in order of time, one at a time in memory."""
    from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer

    plugin = StoragePlugin[storage]
    bag_writer = Writer(bag, version=_METADATA_VERSION, storage_plugin=plugin)
    if plugin is StoragePlugin.MCAP:  # which every reader of it takes; bags of SQLite have none
        bag_writer.set_compression(CompressionMode.STORAGE, CompressionFormat.ZSTD)
    total = sum(len(topic.times) for topic in topics)
    with bag_writer as writer:
        connections = [_connection(writer, topic, types) for topic in topics]
        stamps = [_stamps_ns(topic, number, epoch_ns) for number, topic in enumerate(topics)]
        for done, (stamp_ns, number, index) in enumerate(heapq.merge(*stamps)):
            if done % _MESSAGES_PER_STEP == 0:
                request.progress(done, total)
            message = topics[number].message(index, stamp_ns)
            if message is not None:
                data = types.store.serialize_cdr(message, topics[number].type)
                writer.write(connections[number], stamp_ns, data)
    request.progress(total, total)


def _stamps_ns(topic: RosTopic, number: int, epoch_ns: int) -> Iterator[tuple[int, int, int]]:
    """Stamp, number of the topic, and place in it; nothing before 1970 or after 2038, which no
    bag can hold, but what is latched, then at the beginning."""
    for index, t in enumerate(topic.times):
        stamp_ns = epoch_ns + round(float(t) * 1e9)
        if topic.is_latched:
            stamp_ns = max(stamp_ns, 0)
        if 0 <= stamp_ns // 1_000_000_000 <= _LAST_S:
            yield stamp_ns, number, index


def _connection(writer: "Writer", topic: RosTopic, types: RosTypes) -> "Connection":
    from rosbags.interfaces import (
        Qos,
        QosDurability,
        QosHistory,
        QosLiveliness,
        QosReliability,
        QosTime,
    )

    unspecified = QosTime(0, 0)
    latched = Qos(
        history=QosHistory.KEEP_LAST,
        depth=1,
        reliability=QosReliability.RELIABLE,
        durability=QosDurability.TRANSIENT_LOCAL,
        deadline=unspecified,
        lifespan=unspecified,
        liveliness=QosLiveliness.AUTOMATIC,
        liveliness_lease_duration=unspecified,
        avoid_ros_namespace_conventions=False,
    )
    return writer.add_connection(
        topic.name,
        topic.type,
        typestore=types.store,
        offered_qos_profiles=[latched] if topic.is_latched else [],
    )
