"""How often sensors go to a board: as often as its link carries, 500 Hz at most (PIOS_SENSOR_RATE
of the boards' pios_board.h). What is wrong with less: flight/modules/Stabilization/altitudeloop.cpp
(UPDATE_EXPECTED), outerloop.c (OUTERLOOP_SKIPCOUNT 4) and stabilization.c (fakeDt)."""

from dataclasses import replace

import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.hitl.rate import carried_rate_hz, rate_warning
from simulation.records.sensor_table import SUPPLIED_SENSORS
from telemetry.protocol.links.address import AddressError
from telemetry.protocol.objects.catalogue import Catalogue

ALL = tuple(SUPPLIED_SENSORS)


@pytest.mark.parametrize(
    "address",
    [
        "tcp:127.0.0.1:9000",
        "udp:127.0.0.1:9000",
        "serial:/dev/ttyACM0",
        "serial:/dev/cu.usbmodem1411@57600",
        "serial:/dev/ttyUSB0@921600",
    ],
)
def test_what_carries_it_flies_at_the_boards_own_rate(address: str, catalogue: Catalogue) -> None:
    assert carried_rate_hz(address, load_aircraft("ar100b"), ALL, catalogue) == 500


@pytest.mark.parametrize(
    ("address", "low", "high"),
    [
        ("usb:", 150, 200),
        ("serial:/dev/ttyUSB0@115200", 90, 110),
        ("serial:/dev/ttyUSB0@57600", 30, 50),
        ("serial:/dev/ttyUSB0@9600", 1, 1),
    ],
)
def test_what_does_not_carries_less(
    address: str, low: int, high: int, catalogue: Catalogue
) -> None:
    assert low <= carried_rate_hz(address, load_aircraft("ar100b"), ALL, catalogue) <= high


def test_it_is_the_bytes_of_frames_that_count(catalogue: Catalogue) -> None:
    """57,600 baud are 5760 bytes a second, less 50 times GCSReceiver (16 + 11): 4410. Of gyro
    (20 + 11) and accelerometer (16 + 11) they carry 76 a second, of the gyro alone 142. The board
    sends ActuatorCommand (29 + 11), and its telemetry takes what stands in its definitions."""
    aircraft, address = load_aircraft("ar100b"), "serial:/dev/ttyUSB0@57600"
    both = carried_rate_hz(address, aircraft, ("gyro", "accel"), catalogue)
    assert both == 4410 // 58
    assert both < carried_rate_hz(address, aircraft, ("gyro",), catalogue) < 4410 // 31
    slow = aircraft.parameters.copy()
    slow["sensor_period"][:] = 100
    seldom = carried_rate_hz(address, replace(aircraft, parameters=slow), ALL, catalogue)
    assert seldom == carried_rate_hz(address, aircraft, (), catalogue), "10 Hz of each are little"


def test_an_address_that_is_none_is_refused(catalogue: Catalogue) -> None:
    with pytest.raises(AddressError):
        carried_rate_hz("nowhere", load_aircraft("ar100b"), ALL, catalogue)


def test_a_hundred_hertz_says_what_is_wrong_with_it() -> None:
    said = rate_warning(100)
    for figure in ("1/500 s", "20%", "25 times a second", "4.0 times as long", "after 10 ms"):
        assert figure in said
    assert "after 10 ms" not in rate_warning(200)
    assert rate_warning(500) == ""
