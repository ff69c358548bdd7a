"""HID devices of the system, through hidapi: the one place where it is loaded.

Nothing is decided here, so that all that is can be tried with a device of another make.
Its wheels for Linux have two modules: `hid` takes the device away from the kernel through libusb,
and with it the board's joystick; `hidraw` shares it, which is what a udev rule for hidraw allows.
"""

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

_ONE_AT_A_TIME: Final = threading.Lock()
"""Both functions free the text of the last error that they share (register_global_error of hidapi
0.15): two threads at once end the process."""


class HidDevice(Protocol):
    """What is used of an open device of the `hid` module."""

    def read(self, max_length: int, timeout_ms: int = 0) -> Sequence[int]:
        """A report with its id in front, waiting at most `timeout_ms` for it; nothing if none came.
        Raises OSError or ValueError once the device is gone."""

    def write(self, data: bytes) -> int:
        """Send a report, its id in front; the bytes that went, -1 where it did not. Raises OSError
        or ValueError once the device is gone."""

    def close(self) -> None:
        """Close it. Closing twice is fine."""


@dataclass(frozen=True, slots=True)
class HidAccess:
    """The two functions that are used of the `hid` module.

    `enumerate` lists what is plugged in, a mapping for each interface: "path", "vendor_id",
    "product_id", "serial_number", "release_number", "usage_page", "usage", "product_string" and
    others. `open` opens a path; it raises OSError. Both may take long.
    """

    enumerate: Callable[[], Sequence[Mapping[str, Any]]]
    open: Callable[[bytes], HidDevice]


def load_hid() -> HidAccess | None:
    """The system's HID devices; None where the library cannot be loaded."""
    module = _module()
    if module is None:
        return None

    def enumerate_all() -> Sequence[Mapping[str, Any]]:
        with _ONE_AT_A_TIME:
            entries: Sequence[Mapping[str, Any]] = module.enumerate()
        return entries

    def open_path(path: bytes) -> HidDevice:
        device = module.device()
        with _ONE_AT_A_TIME:
            device.open_path(path)
        device.set_nonblocking(1)
        opened: HidDevice = device
        return opened

    return HidAccess(enumerate_all, open_path)


def _module() -> Any:
    """`hidraw` on Linux where there is one, `hid` else; None where neither can be loaded."""
    if sys.platform == "linux":
        with suppress(ImportError, OSError):
            import hidraw

            return hidraw
    with suppress(ImportError, OSError):
        import hid

        return hid
    return None
