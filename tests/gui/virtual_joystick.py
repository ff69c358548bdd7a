"""A joystick without hardware, found by the station as any other."""

from collections.abc import Sequence

from plugins.pilot.devices.default_profiles import written_profile
from plugins.pilot.devices.reading import Reading
from plugins.pilot.devices.source import ControlSource, DeviceKind

KIND = DeviceKind("Virtual joystick", "virtual-joystick", standard=written_profile())


class VirtualJoystick:
    """Finder and device in one: `axes` are roll, pitch, yaw and throttle, each -1 to 1."""

    kind = KIND

    def __init__(self) -> None:
        self.axes = (0.0, 0.0, 0.0, 0.0)
        self.is_plugged_in = True
        self._is_found = False

    def find(self, _now_s: float) -> Sequence[ControlSource]:
        is_new, self._is_found = self.is_plugged_in and not self._is_found, self.is_plugged_in
        return (self,) if is_new else ()

    def poll(self, now_s: float) -> Reading | None:
        return Reading(self.axes, (), now_s) if self.is_plugged_in else None

    def close(self) -> None:
        self._is_found = False
