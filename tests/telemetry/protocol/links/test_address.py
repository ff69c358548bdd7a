import pytest

from telemetry.protocol.links.address import (
    AddressError,
    NetworkAddress,
    SerialAddress,
    is_address,
    parse_network,
    parse_serial,
    scheme_of,
    short_name,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("serial:/dev/ttyUSB0@115200", SerialAddress("/dev/ttyUSB0", 115_200)),
        ("serial:COM3", SerialAddress("COM3", 57_600)),
        ("serial:/dev/by-id/a@b@9600", SerialAddress("/dev/by-id/a@b", 9600)),
    ],
)
def test_serial_addresses(text: str, expected: SerialAddress) -> None:
    assert parse_serial(text) == expected
    assert parse_serial(str(expected)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tcp:127.0.0.1:9000", NetworkAddress("tcp", "127.0.0.1", 9000)),
        ("tcp:my-boat.local:0", NetworkAddress("tcp", "my-boat.local", 0)),
        ("tcp:[::1]:9000", NetworkAddress("tcp", "::1", 9000)),
    ],
)
def test_network_addresses(text: str, expected: NetworkAddress) -> None:
    assert parse_network(text, "tcp") == expected
    assert parse_network(str(expected), "tcp") == expected


@pytest.mark.parametrize("text", ["", "tcp", "tcp:", ":9000", "/dev/ttyUSB0"])
def test_what_is_no_address_gets_an_example(text: str) -> None:
    with pytest.raises(AddressError, match=r"for example tcp:127\.0\.0\.1:9000"):
        scheme_of(text)


@pytest.mark.parametrize("text", ["tcp:host", "tcp:host:", "tcp::9000", "tcp:h:70000", "tcp:h:x"])
def test_a_network_address_needs_host_and_port(text: str) -> None:
    with pytest.raises(AddressError, match="lacks a host or a port"):
        parse_network(text, "tcp")


@pytest.mark.parametrize("text", ["serial:@9600", "serial:/dev/x@fast", "serial:/dev/x@0"])
def test_a_serial_address_needs_device_and_baud(text: str) -> None:
    with pytest.raises(AddressError, match="serial:DEVICE@BAUD"):
        parse_serial(text)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("usb:32FFD805484D363215702043", "usb:…702043"),
        ("usb:0042", "usb:0042"),
        ("usb:", "usb"),
        ("serial:/dev/ttyUSB0@57600", "serial:/dev/ttyUSB0@57600"),
    ],
)
def test_an_aircraft_is_called_by_the_end_of_its_boards_number(address: str, name: str) -> None:
    assert short_name(address) == name


def test_schemes_are_not_mixed_up() -> None:
    with pytest.raises(AddressError, match="not a udp address"):
        parse_network("tcp:127.0.0.1:9000", "udp")


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("tcp:127.0.0.1:9000", True),
        ("usb:", True),
        ("usb:77", True),
        ("tcp:", False),
        ("C:\\flight.opl", False),
        ("flight.opl", False),
        ("", False),
    ],
)
def test_an_address_is_told_from_a_file(word: str, is_one: bool) -> None:
    assert is_address(word) is is_one
