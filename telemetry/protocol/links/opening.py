"""Link opening by address, whatever kind it is."""

from telemetry.protocol.links.address import AddressError, scheme_of
from telemetry.protocol.links.link import Link


def open_link(address: str) -> Link:
    """Open "usb:", "serial:", "tcp:" or "udp:"; raise LinkError, AddressError for another kind."""
    scheme = scheme_of(address)
    if scheme == "usb":
        from telemetry.protocol.links.usb import open_usb

        return open_usb(address)
    if scheme == "serial":
        from telemetry.protocol.links.serial import open_serial

        return open_serial(address)
    if scheme == "tcp":
        from telemetry.protocol.links.tcp import open_tcp

        return open_tcp(address)
    if scheme == "udp":
        from telemetry.protocol.links.udp import open_udp

        return open_udp(address)
    raise AddressError(f"'{address}' cannot be opened; write usb:, serial:, tcp: or udp:.")
