"""Reading of an input device: what it says at one instant."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a device's axes (-1..1) and buttons were at `read_s` on the monotonic clock.

    A device that says nothing by itself while nothing moves was seen to be there at `read_s`; one
    that repeats itself (UDP, a script) said it then, and is stale if it does not go on.
    """

    axes: tuple[float, ...]
    buttons: tuple[bool, ...]
    read_s: float
