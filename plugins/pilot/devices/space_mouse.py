"""3-D mice (SpaceNavigator and its kin) by their HID reports.

Report 1 is the translation X, Y, Z and report 2 the rotation RX, RY, RZ, three little-endian int16
of about +-350 each; newer models put all six into report 1. Report 3 is the buttons, a bit each.
X is right, Y back, towards the hand, Z down; rotations turn about these axes. Source: a capture of
a SpaceNavigator's USB traffic and the HID descriptor of a SpaceMouse Wireless, in
SpaceNavigator.md and SpaceMouseWireless.md of github.com/AndunHH/spacemouse; the signs are those of
the device tables of github.com/JakubAndrysek/PySpaceMouse.
"""

import struct
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from plugins.pilot.devices.default_profiles import space_mouse_profile
from plugins.pilot.devices.source import ControlSource, DeviceKind
from telemetry.flying.inputs.reading import Reading
from telemetry.protocol.links.hid import HidAccess, HidDevice

FULL: Final = 350.0
AXES: Final = ("X", "Y", "Z", "RX", "RY", "RZ")
BUTTONS: Final = 32
SCAN_EVERY_S: Final = 2.0
_TRANSLATION, _ROTATION, _BUTTONS = 1, 2, 3
_REPORT_BYTES: Final = 64
_MOST_REPORTS: Final = 64
"""So many are read at once: more than come in between."""
_LOGITECH, _3DCONNEXION = 0x046D, 0x256F
_LOGITECH_MICE: Final = frozenset(
    (0xC603, 0xC605, 0xC606, 0xC621, 0xC623, 0xC625, 0xC626, 0xC627, 0xC628, 0xC629, 0xC62B)
)
_MULTI_AXIS: Final = (1, 8)
"""Usage page and usage of a controller of many axes; a receiver has other interfaces too."""


def is_space_mouse(vendor: int, product: int) -> bool:
    """Whether these USB numbers are those of a 3-D mouse."""
    return vendor == _3DCONNEXION or (vendor == _LOGITECH and product in _LOGITECH_MICE)


@dataclass(frozen=True, slots=True)
class SpaceMouseState:
    """Six axes (-1..1) in the order of `AXES`, and the buttons."""

    axes: tuple[float, ...] = (0.0,) * 6
    buttons: tuple[bool, ...] = (False,) * BUTTONS

    def after(self, report: bytes) -> "SpaceMouseState":
        """The state after a report. One that is cut short, or of another kind, changes nothing."""
        number, body = (report[0], report[1:]) if report else (0, b"")
        if number == _TRANSLATION and len(body) >= 12:
            return replace(self, axes=_values(body[:12]))
        if number == _TRANSLATION and len(body) >= 6:
            return replace(self, axes=(*_values(body[:6]), *self.axes[3:]))
        if number == _ROTATION and len(body) >= 6:
            return replace(self, axes=(*self.axes[:3], *_values(body[:6])))
        if number == _BUTTONS and body:
            bits = int.from_bytes(body[:4], "little")
            return replace(self, buttons=tuple(bool(bits >> n & 1) for n in range(BUTTONS)))
        return self


def _values(data: bytes) -> tuple[float, ...]:
    numbers = struct.unpack(f"<{len(data) // 2}h", data)
    return tuple(max(-1.0, min(1.0, number / FULL)) for number in numbers)


class SpaceMouse:
    """One 3-D mouse. At rest it says nothing; deflected it says so all the time, so that what was
    said last of a deflection grows stale."""

    def __init__(self, device: HidDevice, kind: DeviceKind) -> None:
        self.kind = kind
        self._device: HidDevice | None = device
        self._state = SpaceMouseState()
        self._said_s = 0.0

    def poll(self, now_s: float) -> Reading | None:
        if self._device is None:
            return None
        try:
            for _ in range(_MOST_REPORTS):
                report = bytes(self._device.read(_REPORT_BYTES))
                if not report:
                    break
                self._state, self._said_s = self._state.after(report), now_s
        except (OSError, ValueError):
            return None
        is_at_rest = not any(self._state.axes)
        read_s = now_s if is_at_rest else self._said_s
        return Reading(self._state.axes, self._state.buttons, read_s)

    def close(self) -> None:
        if self._device is not None:
            self._device.close()
        self._device = None


class SpaceMouseFinder:
    """Looks for 3-D mice in a thread of its own: asking the system for them may take long."""

    def __init__(self, access: HidAccess) -> None:
        self._access = access
        self._found: dict[bytes, Mapping[str, Any]] = {}
        self._open: dict[bytes, SpaceMouse] = {}
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def scan(self) -> None:
        """Ask the system which there are."""
        try:
            entries = self._access.enumerate()
        except OSError:
            entries = []
        self._found = {entry["path"]: entry for entry in entries if _is_mouse(entry)}

    def find(self, _now_s: float) -> Sequence[ControlSource]:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="lapwing-hid", daemon=True)
            self._thread.start()
        found = self._found
        self._open = {path: mouse for path, mouse in self._open.items() if path in found}
        fresh = [self._opened(entry) for path, entry in found.items() if path not in self._open]
        return [mouse for mouse in fresh if mouse is not None]

    def close(self) -> None:
        self._ending.set()
        self._open = {}

    def _run(self) -> None:
        while not self._ending.is_set():
            self.scan()
            self._ending.wait(SCAN_EVERY_S)

    def _opened(self, entry: Mapping[str, Any]) -> SpaceMouse | None:
        """Open one. Where that is refused, as udev does without a rule, it is tried again."""
        try:
            device = self._access.open(entry["path"])
        except OSError:
            return None
        name = str(entry.get("product_string") or "3-D mouse")[:80]
        guid = f"hid-{entry['vendor_id']:04x}-{entry['product_id']:04x}"
        kind = DeviceKind(name, guid, AXES, space_mouse_profile())
        mouse = self._open[entry["path"]] = SpaceMouse(device, kind)
        return mouse


def _is_mouse(entry: Mapping[str, Any]) -> bool:
    usage = (entry.get("usage_page", 0), entry.get("usage", 0))
    is_one = is_space_mouse(entry.get("vendor_id", 0), entry.get("product_id", 0))
    return is_one and usage in (_MULTI_AXIS, (0, 0))
