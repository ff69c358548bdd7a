import pytest

from telemetry.protocol.links.capacity import line_bytes_per_s


@pytest.mark.parametrize(
    ("address", "bytes_per_s"),
    [
        ("usb:", 15_500.0),  # 62 bytes of telemetry in a report, one every 4 ms
        ("usb:32FFD805484D363215702043", 15_500.0),
        ("serial:/dev/ttyUSB0@57600", 5760.0),  # eight bits between a start and a stop bit
        ("serial:COM3@115200", 11_520.0),
        ("serial:/dev/ttyACM0@57600", float("inf")),
        ("serial:/dev/cu.usbmodem1411", float("inf")),
        ("tcp:127.0.0.1:9000", float("inf")),
        ("sim:ar100b", float("inf")),
        ("", float("inf")),
    ],
)
def test_what_an_address_tells_of_the_line(address: str, bytes_per_s: float) -> None:
    assert line_bytes_per_s(address) == bytes_per_s
