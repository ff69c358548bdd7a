"""Release rules: why the stream of sticks ends, and when it goes on.

Whoever flies is asked for signs of life: the window, while on-screen sticks or the keyboard fly by
hand, and the device that flies. Without one nothing is sent after 0.1 s. What is back within a
second goes on by itself, as a radio does after a fade: a board takes less than 0.26 s of it for
nothing at all (pios_gcsrcvr.c), and after that its failsafe has acted for a moment. What is longer,
and whatever ends the stream for good, goes on only when the pilot asks for it again: by then the
aircraft is on its failsafe, and a stick that lies anywhere must not take it back from there.
"""

from dataclasses import dataclass
from typing import Final, Literal

SIGN_S: Final = 0.08
"""A sign of life is good for so long, so that with the transmitter's period nothing is sent 0.1 s
after it; the window gives one every 0.025 s, a device every 0.02 s."""
DEVICE_SIGN_S: Final = 0.07
"""Of a device, whose last word may have been read a period after it was said."""
FADE_S: Final = 1.0

DevicePresence = Literal["there", "gone", "none"]
_ACTS = "Nothing is sent: the aircraft's failsafe acts."
_AGAIN = "Press Fly by hand to take over again."
GONE = f"The input device is gone. {_ACTS} Plug it in, or choose another, and take over again."
SILENT_DEVICE = f"The input device says nothing. {_ACTS}"
SILENT_WINDOW = f"The window does not answer. {_ACTS}"
STOOD_STILL = f"The station stood still or the computer slept. {_ACTS} {_AGAIN}"
LOST_FOCUS = f"Another window has the keys and the mouse. {_ACTS} {_AGAIN}"
RELEASED = f"You have let go. {_ACTS} {_AGAIN}"
OUT_OF_SIGHT = f"The controls went out of sight. {_ACTS} {_AGAIN}"
FAILED = f"The transmitter has failed; details are in the log. {_ACTS} {_AGAIN}"


@dataclass(frozen=True, slots=True)
class Signs:
    """What is known at one step of those who fly.

    A device is "gone" that was there when the pilot took it, and "none" where there never was one.
    `since_step_s` is how long ago the step before was, `window_s` and `device_s` how old the signs
    of life are. `no_right` is why the aircraft is somebody else's now, "" if it is not.
    """

    since_step_s: float = 0.0
    window_s: float = 0.0
    device: DevicePresence = "there"
    device_s: float = 0.0
    no_right: str = ""


class Release:
    """Whether sticks go out. `ended` says why they do not any more; who asks again gets another."""

    def __init__(self) -> None:
        self.ended = ""

    def end(self, why: str) -> None:
        """End the stream."""
        self.ended = why

    def why_not(self, signs: Signs, *, by_hand: bool, by_device: bool) -> str:
        """Why nothing goes out at this step; empty if it does.

        `by_hand`: sticks set attitude or rates, which nobody does any more whose window is gone;
        a guided mode goes on. `by_device`: the sticks come from a device.
        """
        if not self.ended:
            self.ended = _final(signs, by_hand=by_hand, by_device=by_device)
        if self.ended:
            return self.ended
        if by_device and signs.device == "there":
            why, silent_s, good_s = SILENT_DEVICE, signs.device_s, DEVICE_SIGN_S
        elif by_hand and not by_device:
            why, silent_s, good_s = SILENT_WINDOW, signs.window_s, SIGN_S
        else:
            return ""
        if silent_s > FADE_S:
            self.ended = f"{why} {_AGAIN}"
        return why if silent_s > good_s else ""


def _final(signs: Signs, *, by_hand: bool, by_device: bool) -> str:
    if signs.since_step_s > FADE_S:
        return STOOD_STILL
    if signs.no_right:
        return f"{signs.no_right} {_ACTS}"
    is_lost = signs.device == "gone" or (by_hand and signs.device == "none")
    return GONE if by_device and is_lost else ""
