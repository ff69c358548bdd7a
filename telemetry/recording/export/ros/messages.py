"""ROS messages by rosbags, and topics of them."""

import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from telemetry.base.unused_names import unused_name
from telemetry.recording.export.request import ExportError, Times
from telemetry.recording.export.ros.frames import Floats

MAP: Final = "map"
"""ENU with home, the origin of estimated positions, as its origin (REP-105)."""
BODY: Final = "base_link"
"""FLU in the centre of mass."""

_LONGEST_NAME: Final = 180
"""A topic's whole name, of a stream and a value, stays below the 247 letters that DDS leaves."""
_NO_NAME: Final = re.compile(r"[^A-Za-z0-9]+")
_NS_PER_S: Final = 1_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class RosTopic:
    """`times` are seconds of the recording, ascending. `message` makes the one of a place in them
    with its stamp in nanoseconds; None where it was not recorded. One that `is_latched` holds for
    who comes later."""

    name: str
    type: str
    times: Times
    message: Callable[[int, int], Any]
    is_latched: bool = False


class RosTypes:
    """The standard messages of ROS 2 Jazzy. Raises ExportError without rosbags."""

    def __init__(self) -> None:
        try:
            from rosbags.typesys import Stores, get_typestore
        except ModuleNotFoundError:
            raise ExportError(
                "MCAP and ROS bags take rosbags, which is not installed: "
                "pip install 'lapwing[studies]'."
            ) from None
        self.store = get_typestore(Stores.ROS2_JAZZY)

    def make(self, type_: str, **members: Any) -> Any:
        """A message with these members, which are all that it has."""
        return self.store.types[type_](**members)

    def header(self, stamp_ns: int, frame: str) -> Any:
        """When, and in which frame."""
        seconds, nanoseconds = divmod(stamp_ns, _NS_PER_S)
        stamp = self.make("builtin_interfaces/msg/Time", sec=seconds, nanosec=nanoseconds)
        return self.make("std_msgs/msg/Header", stamp=stamp, frame_id=frame)

    def vector(self, xyz: Floats) -> Any:
        """Three numbers."""
        x, y, z = xyz.tolist()
        return self.make("geometry_msgs/msg/Vector3", x=x, y=y, z=z)

    def quaternion(self, q_wxyz: Floats) -> Any:
        """A rotation; none at all for NaN."""
        w, x, y, z = q_wxyz.tolist() if np.isfinite(q_wxyz[0]) else (1.0, 0.0, 0.0, 0.0)
        return self.make("geometry_msgs/msg/Quaternion", x=x, y=y, z=z, w=w)

    def transform(self, header: Any, child: str, place: Floats, q_wxyz: Floats) -> Any:
        """Where a frame is in that of the header."""
        placed = self.make(
            "geometry_msgs/msg/Transform",
            translation=self.vector(place),
            rotation=self.quaternion(q_wxyz),
        )
        return self.make(
            "geometry_msgs/msg/TransformStamped",
            header=header,
            child_frame_id=child,
            transform=placed,
        )


def ros_name(text: str, taken: Container[str] = ()) -> str:
    """A text as a part of a topic's name or as a frame's: letters, digits and single underscores,
    a letter first; cut where it is too long, and with a number where it is taken."""
    name = _NO_NAME.sub("_", text).strip("_")
    name = name if name[:1].isalpha() else f"n{name}"
    return unused_name(name[:_LONGEST_NAME].rstrip("_"), taken, "{}_{}")
