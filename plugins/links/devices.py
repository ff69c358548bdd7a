"""Serial devices that are plugged in now."""

from collections.abc import Sequence

from plugins.api import Device
from telemetry.protocol.links.address import SerialAddress
from telemetry.protocol.links.serial import present_devices


def serial_devices() -> Sequence[Device]:
    """The serial ports that are present, at the usual speed of telemetry."""
    return [Device(str(SerialAddress(port.device)), port.title) for port in present_devices()]
