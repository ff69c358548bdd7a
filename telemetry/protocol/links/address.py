"""Link addresses as people type them: "serial:/dev/ttyUSB0@57600", "tcp:HOST:PORT", "usb:"."""

from dataclasses import dataclass

from telemetry.protocol.links.link import LinkError

DEFAULT_BAUD = 57_600
_MAX_PORT = 65_535
_SERIAL_DIGITS = 6
_WHOLE_ALONE = ("usb",)
"""Schemes that mean something without anything behind the colon."""


class AddressError(LinkError):
    """An address cannot be read; trying again will not help."""


@dataclass(frozen=True, slots=True)
class SerialAddress:
    """A serial device and its speed in bits per second."""

    device: str
    baud: int = DEFAULT_BAUD

    def __str__(self) -> str:
        return f"serial:{self.device}@{self.baud}"


@dataclass(frozen=True, slots=True)
class NetworkAddress:
    """A host and a port; `scheme` is "tcp" or "udp"."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}:{host}:{self.port}"


def scheme_of(address: str) -> str:
    """The part before the first colon; raise AddressError if there is none."""
    scheme, colon, rest = address.partition(":")
    if not (scheme and colon and (rest or scheme in _WHOLE_ALONE)):
        raise AddressError(
            f"'{address}' is not an address; write for example tcp:127.0.0.1:9000 "
            f"or serial:/dev/ttyUSB0@{DEFAULT_BAUD}."
        )
    return scheme


def is_address(word: str) -> bool:
    """Whether a word looks like an address rather than a file: a scheme of more than a letter, and
    what it needs behind it."""
    scheme, colon, rest = word.partition(":")
    is_scheme = scheme.isalnum() and len(scheme) > 1
    return is_scheme and bool(colon) and bool(rest or scheme in _WHOLE_ALONE)


def short_name(address: str) -> str:
    """What an aircraft at an address is called: by the last digits of a board's serial number,
    which tell it from others."""
    scheme, _, rest = address.partition(":")
    if scheme != "usb":
        return address
    return f"usb:…{rest[-_SERIAL_DIGITS:]}" if len(rest) > _SERIAL_DIGITS else address.rstrip(":")


def parse_serial(address: str) -> SerialAddress:
    """Read "serial:DEVICE" or "serial:DEVICE@BAUD"."""
    device, at, baud = _rest(address, "serial").rpartition("@")
    if not at:
        return SerialAddress(baud)
    if not (device and baud.isdecimal() and int(baud) > 0):
        raise AddressError(
            f"'{address}' is not a serial address; write serial:DEVICE@BAUD, "
            f"for example serial:/dev/ttyUSB0@{DEFAULT_BAUD}."
        )
    return SerialAddress(device, int(baud))


def parse_usb(address: str) -> str:
    """Read "usb:SERIAL"; the serial number, "" of "usb:", which is the only board there is."""
    return _rest(address, "usb").strip()


def parse_network(address: str, scheme: str) -> NetworkAddress:
    """Read "SCHEME:HOST:PORT". An IPv6 host stands in brackets."""
    host, _, port = _rest(address, scheme).rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (host and port.isdecimal() and int(port) <= _MAX_PORT):
        raise AddressError(
            f"'{address}' lacks a host or a port; write {scheme}:HOST:PORT, "
            f"for example {scheme}:127.0.0.1:9000."
        )
    return NetworkAddress(scheme, host, int(port))


def _rest(address: str, scheme: str) -> str:
    if scheme_of(address) != scheme:
        raise AddressError(f"'{address}' is not a {scheme} address.")
    return address.partition(":")[2]
