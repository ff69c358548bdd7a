"""Network link errors: sentences for what goes wrong."""

import errno
import socket

from telemetry.protocol.links.address import NetworkAddress


def opening_failed(address: NetworkAddress, error: OSError) -> str:
    """Why a host could not be reached, and what to do."""
    where = f"{address.host}:{address.port}"
    if isinstance(error, socket.gaierror):
        return f"No computer is called '{address.host}'. Check the address."
    if error.errno == errno.ECONNREFUSED:
        return f"Nothing listens at {where}. Start the aircraft or simulator there."
    if isinstance(error, TimeoutError):
        return f"{where} does not answer. Check the address and the network."
    return f"{where} cannot be reached: {error.strerror or error}."


def listening_failed(address: NetworkAddress, error: OSError) -> str:
    """Why a port could not be served, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {address.port} is already in use at {address.host}. "
            "Close the program that uses it, or choose another port."
        )
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{address.host} is not an address of this computer."
    if isinstance(error, socket.gaierror):
        return f"No computer is called '{address.host}'. Check the address."
    return f"{address.host}:{address.port} cannot be served: {error.strerror or error}."
