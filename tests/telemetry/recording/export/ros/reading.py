"""What stands in MCAP files and ROS 2 bags, by readers that have nothing to do with their writer:
Foxglove's for MCAP and messages, Python's for SQLite."""

import math
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from mcap.reader import make_reader
from mcap.records import Schema
from mcap_ros2.decoder import DecoderFactory


class Logged(NamedTuple):
    """A message with its type, and when it was logged in nanoseconds."""

    type: str
    stamp_ns: int
    message: Any


Bag = dict[str, list[Logged]]
"""By topic, in the order of the file."""


def read_mcap(path: Path) -> Bag:
    found: Bag = {}
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for schema, channel, raw, message in reader.iter_decoded_messages(log_time_order=False):
            found.setdefault(channel.topic, []).append(Logged(schema.name, raw.log_time, message))
    return found


def read_rosbag2(path: Path) -> Bag:
    found: Bag = {}
    factory = DecoderFactory()
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        decoders = {
            name: factory.decoder_for("cdr", Schema(number, text.encode(), encoding, name))
            for number, name, encoding, text in file.execute(
                "SELECT id, topic_type, encoding, encoded_message_definition"
                " FROM message_definitions"
            )
        }
        for topic, type_, stamp_ns, data in file.execute(
            "SELECT name, type, timestamp, data FROM messages"
            " JOIN topics ON topics.id = topic_id ORDER BY messages.id"
        ):
            decode = decoders[type_]
            assert decode is not None
            found.setdefault(topic, []).append(Logged(type_, stamp_ns, decode(data)))
    return found


def plain(message: Any) -> Any:
    """A decoded message as dictionaries, lists and numbers, NaN as text, to be compared."""
    if isinstance(message, list | tuple):
        return [plain(one) for one in message]
    if hasattr(message, "__slots__"):
        return {name: plain(getattr(message, name)) for name in message.__slots__}
    return "NaN" if isinstance(message, float) and math.isnan(message) else message


def numbers(message: Any) -> list[float]:
    """x, y, z and, if there is one, w."""
    return [getattr(message, axis) for axis in "xyzw" if hasattr(message, axis)]
