"""Link: a byte pipe with a name, which serial, network and simulator links are.

    LinkError           the link could not be opened or used; its text is a sentence for the user
    +-- LinkClosed      the link worked and has ended: unplugged, closed by the other side
    +-- NotThere        it cannot be opened yet; looking again costs little, so that is done soon

Links know nothing of frames or objects.
"""

from typing import Protocol, runtime_checkable


class LinkError(Exception):
    """A link cannot be opened or used. `str(error)` is one sentence for the user."""


class LinkClosed(LinkError):  # noqa: N818 - an end is not a fault
    """A link that worked has come to its end."""


class NotThere(LinkError):  # noqa: N818 - it may come
    """What is to be opened is not plugged in, or not ready; it may be at any time."""


class Link(Protocol):
    """A byte pipe, used by one thread at a time."""

    @property
    def name(self) -> str:
        """What a person calls it, such as "/dev/ttyUSB0"."""

    @property
    def address(self) -> str:
        """The address that opens it again, such as "serial:/dev/ttyUSB0@57600"."""

    @property
    def can_write(self) -> bool:
        """Whether anything may be sent."""

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, waiting at most `timeout_s` for the first byte.

        Returns b"" when nothing came. Raises LinkClosed when nothing can come any more.
        """

    def write(self, data: bytes) -> None:
        """Send all of `data`. Raises LinkClosed when the other side is gone."""

    def close(self) -> None:
        """Let go of the device. Closing twice is fine."""


@runtime_checkable
class Restartable(Protocol):
    """What the link to a simulated aircraft can do besides passing bytes; for one thread, which
    need not be the link's."""

    def has_crashed(self) -> bool:
        """Whether the aircraft is a wreck, and stays one until it is started anew."""

    def start_anew(self) -> None:
        """Begin again with a whole aircraft at the start."""


def restartable(link: object) -> Restartable | None:
    """The link as one that can be started anew; None where it cannot, or there is none."""
    return link if isinstance(link, Restartable) else None


def progress_of(link: Link) -> str:
    """What a link is still busy with before bytes can come: its `progress`, where it has one."""
    return str(getattr(link, "progress", ""))


def notice_of(link: Link) -> str:
    """What opening a link has found that its user should know: its `notice`, where it has one."""
    return str(getattr(link, "notice", ""))


def remark_of(link: Link) -> str:
    """What its user may know in passing when a link is opened: its `remark`, where it has one."""
    return str(getattr(link, "remark", ""))


def world_of(link: Link) -> tuple[str, int, float]:
    """The world that a simulator behind a link flies in, its `world`, a name or the path of its
    folder, its `seed`, and how wide the aircraft is, its `span_m`, 0 if it does not say; "" if it
    flies in none, or is no simulator."""
    return getattr(link, "world", ""), getattr(link, "seed", 1), getattr(link, "span_m", 0.0)


def imu_of(link: Link) -> tuple[float, ...]:
    """What is known of the IMU that a simulator behind a link has, its `imu`, as
    `telemetry.recording.simulated_imu` lists it; empty if it does not say, or is no simulator."""
    return tuple(getattr(link, "imu", ()))


def is_lossless(link: Link) -> bool:
    """Whether who opened a link wants pictures that come beside it recorded to the bit: its
    `is_lossless`, where it has one."""
    return bool(getattr(link, "is_lossless", False))


def streams_of(link: Link) -> Link | None:
    """The connection beside a link on which pictures and scans come: its `streams`, where it has
    one (see `telemetry/protocol/streams/framing.py`). It ends with the link."""
    streams: Link | None = getattr(link, "streams", None)
    return streams
