"""Devices in the hand of a test, a hub that reads them when it is told to, and a clock."""

from collections.abc import Sequence

from plugins.pilot.devices.default_profiles import program_profile
from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.profile import Profile
from plugins.pilot.devices.source import BoardJoystick, ControlSource, DeviceKind
from telemetry.flying.inputs.reading import Reading


class FakeDevice:
    """A device whose axes and buttons are set, and which is plugged in and pulled."""

    def __init__(
        self,
        name: str = "A pad",
        guid: str = "pad",
        standard: Profile | None = None,
        buttons: int = 4,
        *,
        by_itself: bool = True,
        board: BoardJoystick | None = None,
    ) -> None:
        self.kind = DeviceKind(name, guid, standard=standard, by_itself=by_itself, board=board)
        self.axes: tuple[float, ...] = (0.0, 0.0, 0.0, -1.0)
        self.buttons = [False] * buttons
        self.is_plugged_in = True
        self.hangs_since_s: float | None = None

    def poll(self, now_s: float) -> Reading | None:
        if not self.is_plugged_in:
            return None
        read_s = now_s if self.hangs_since_s is None else self.hangs_since_s
        return Reading(self.axes, tuple(self.buttons), read_s)

    def close(self) -> None:
        pass


def ready_device(name: str = "A pad", guid: str = "pad") -> FakeDevice:
    """One that nobody needs to set up: roll, pitch, yaw, throttle."""
    return FakeDevice(name, guid, program_profile())


class PluggedDevices:
    """What is plugged in, and a hub without a thread."""

    def __init__(self, *devices: FakeDevice) -> None:
        self.now_s = 100.0
        self.hub = DeviceHub(find=lambda: (), clock=lambda: self.now_s)
        self.hub.add(self)
        self._waiting: list[ControlSource] = []
        self.plug_in(*devices)

    def plug_in(self, *devices: FakeDevice) -> None:
        for device in devices:
            device.is_plugged_in = True
        self._waiting.extend(devices)
        self.hub.step()

    def pull(self, device: FakeDevice) -> None:
        device.is_plugged_in = False
        self.hub.step()

    def find(self, _now_s: float) -> Sequence[ControlSource]:
        found, self._waiting = self._waiting, []
        return found

    def close(self) -> None:
        pass


class Once:
    """Finds one source."""

    def __init__(self, source: ControlSource) -> None:
        self._sources = [source]

    def find(self, _now_s: float) -> Sequence[ControlSource]:
        found, self._sources = self._sources, []
        return found

    def close(self) -> None:
        pass
