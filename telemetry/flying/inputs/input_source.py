"""Input source of one aircraft: the devices connected to it, or the behaviour in their place."""

from telemetry.flying.inputs.behaviour_slot import BehaviourSlot
from telemetry.flying.inputs.device_input import AircraftDevices, DeviceInput
from telemetry.vehicle.sticks import Sticks


class InputSource:
    """What its transmitter reads. Devices may be connected at any time, by the GUI thread."""

    def __init__(self) -> None:
        self.behaviours = BehaviourSlot()
        """A behaviour of the station that flies in the place of the devices."""
        self._devices: AircraftDevices | None = None
        self._is_open = False

    def connect(self, devices: AircraftDevices) -> None:
        """Have it flown by these devices from now on. Connecting them twice is fine."""
        if devices is not self._devices:
            if self._is_open:
                devices.open()
            self._devices = devices

    def present(self) -> Sticks | None:
        """Where the sticks of the pilot's device are, whether they fly or not; None without one."""
        return None if self._devices is None else self._devices.present()

    @property
    def is_device_missing(self) -> bool:
        """Whether devices are connected, but the pilot's is not there."""
        return self._devices is not None and self._devices.present() is None

    def open(self) -> "InputSource":
        """Have devices read, until it is closed."""
        self._is_open = True
        if self._devices is not None:
            self._devices.open()
        return self

    def read(self, now_s: float) -> DeviceInput | None:
        device = None if self._devices is None else self._devices.read(now_s)
        return self.behaviours.read(now_s, device)

    def close(self) -> None:
        self._is_open = False
        if self._devices is not None:
            self._devices.close()
