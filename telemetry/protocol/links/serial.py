"""Serial ports: USB boards, radios, adapters; also any typed path of a serial device."""

import errno
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import serial
from serial.tools import list_ports

from telemetry.protocol.links.address import SerialAddress, parse_serial
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.links.usb_boards import is_board

_WRITE_TIMEOUT_S = 0.8


@dataclass(frozen=True, slots=True)
class SerialDevice:
    """A serial port that is present now and what it says about itself."""

    device: str
    title: str


def present_devices() -> Sequence[SerialDevice]:
    """The serial ports plugged in now, USB devices first; those of boards are listed as boards."""
    ports = [port for port in list_ports.comports() if not is_board(port.vid, port.pid)]
    ports.sort(key=lambda port: (port.vid is None, port.device))
    return [SerialDevice(port.device, _title(port.device, port.description)) for port in ports]


def open_serial(address: str) -> "SerialLink":
    """Open "serial:DEVICE@BAUD"; raise LinkError with a remedy if that is not possible."""
    parsed = parse_serial(address)
    try:
        port = serial.Serial(parsed.device, parsed.baud, timeout=0, write_timeout=_WRITE_TIMEOUT_S)
    except (serial.SerialException, OSError, ValueError) as error:
        raise LinkError(_opening_failed(parsed, error)) from error
    return SerialLink(parsed, port)


class SerialSendQueue:
    """What the system has not passed on to the port."""

    delivery_s = 0.03

    def __init__(self, port: serial.Serial) -> None:
        self._port = port

    def waiting_bytes(self) -> int:
        """See `SendQueue.waiting_bytes`."""
        try:
            return int(self._port.out_waiting)
        except (serial.SerialException, OSError, TypeError):
            return 0  # unplugged: the next read says so

    def unsent_bytes(self) -> int:
        """See `SendQueue.unsent_bytes`."""
        return self.waiting_bytes()

    def discard(self) -> None:
        """Drop it; the port stays open."""
        with suppress(serial.SerialException, OSError, TypeError):
            self._port.reset_output_buffer()


class SerialLink:
    """An open serial port."""

    can_write = True

    def __init__(self, address: SerialAddress, port: serial.Serial) -> None:
        self.name = address.device
        self.address = str(address)
        self._port = port
        self.queue = SerialSendQueue(port)

    def read(self, timeout_s: float) -> bytes:
        """Wait for the first byte, then take all that is there; see `Link.read`."""
        try:
            if self._port.timeout != timeout_s:
                self._port.timeout = timeout_s
            first: bytes = self._port.read(1)
            waiting: int = self._port.in_waiting if first else 0
            return first + self._port.read(waiting) if waiting else first
        except (serial.SerialException, OSError, TypeError) as error:
            raise self._gone() from error

    def write(self, data: bytes) -> None:
        """Send all of `data`; see `Link.write`."""
        try:
            self._port.write(data)
        except serial.SerialTimeoutException as error:
            raise LinkClosed(
                f"{self.name} takes no more data. Check the cable and the flow control."
            ) from error
        except (serial.SerialException, OSError, TypeError) as error:
            raise self._gone() from error

    def close(self) -> None:
        """Let go of the port."""
        try:
            self._port.close()
        except OSError:
            return  # an unplugged device cannot be closed in order; it is gone all the same

    def _gone(self) -> LinkClosed:
        return LinkClosed(f"{self.name} was unplugged. Plug it in again to reconnect.")


def _title(device: str, description: str | None) -> str:
    return f"{device} - {description}" if description and description != "n/a" else device


def _opening_failed(address: SerialAddress, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        return f"{address.device} is not there. Plug in the device, or choose another port."
    if number == errno.EACCES:
        return (
            f"{address.device} may not be opened by this user. "
            "On Linux, add the user to the group 'dialout' and log in again."
        )
    if number in (errno.EBUSY, errno.EAGAIN):
        return f"{address.device} is in use. Close the other program that uses it."
    return f"{address.device} cannot be opened at {address.baud} baud: {error}."
