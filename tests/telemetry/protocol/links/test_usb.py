"""Which board is meant, how it is opened, and which of its two ways carries telemetry."""

from pathlib import Path

import pytest

from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.link import Link, LinkError, NotThere, progress_of
from telemetry.protocol.links.memory import MemoryLink, pair
from telemetry.protocol.links.send_queue import send_queue_of
from telemetry.protocol.links.usb import open_among
from telemetry.protocol.links.usb_link import UsbLink
from telemetry.protocol.links.usb_search import HID_ALONE_S, UsbSearch
from telemetry.protocol.wire.frame import FrameType, encode
from tests.boards.emulated_hid import EmulatedHid, EmulatedUsb
from tests.boards.hid_entries import SERIAL, SerialEntry
from tests.telemetry.protocol.links.test_usb_link import BOARD, Echo
from tests.telemetry.vehicle.fakes import Clock

OTHER = "0F0E0D0C0B0A090807060504"
TELEMETRY = encode(FrameType.OBJ, 0x6737BB5A, bytes(28))
POSITION = b"$GPGGA,120000.000,4700.0000,N,00800.0000,E,1,08,1.0,400.0,M,48.0,M,,*5A\r\n"


class Bench:
    """Boards that are plugged in, and who opens them."""

    def __init__(self, *ports: SerialEntry) -> None:
        self.clock = Clock()
        self.echo = Echo()
        self.usb = EmulatedUsb()
        self.device = EmulatedHid(self.clock, self.echo)
        self.usb.plug_in(self.device, f"{SERIAL}+FW")
        self.ports = ports
        self.near, self.far = pair("port")
        self.opened: list[str] = []

    def open(self, address: str = "usb:") -> Link:
        return open_among(address, self.usb.access, self.ports, self.open_port)

    def open_port(self, address: str) -> MemoryLink:
        self.opened.append(address)
        return self.near


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def both() -> Bench:
    """The board shows HID and a serial port."""
    return Bench(SerialEntry())


@pytest.mark.parametrize("address", ["usb:", f"usb:{SERIAL}", f"usb:{SERIAL.lower()}+FW"])
def test_a_board_is_opened_by_its_number_or_alone(bench: Bench, address: str) -> None:
    link = bench.open(address)
    assert (link.name, link.address) == ("Revolution", f"usb:{SERIAL}")
    link.close()


def test_replugged_it_is_found_by_its_number_wherever_it_is(bench: Bench) -> None:
    link = bench.open()
    bench.usb.unplug()
    with pytest.raises(LinkError):
        link.read(0.01)
    with pytest.raises(NotThere, match=f"with the serial number {SERIAL} is plugged in"):
        bench.open(link.address)
    other = EmulatedHid(bench.clock, bench.echo)
    bench.usb.plug_in(other, f"{OTHER}+FW", b"/dev/hidraw3")
    with pytest.raises(NotThere):
        bench.open(link.address)
    bench.usb.plug_in(EmulatedHid(bench.clock, bench.echo), f"{SERIAL}+FW", b"/dev/hidraw9")
    bench.open(link.address).close()


def test_of_two_boards_it_is_asked_which(bench: Bench) -> None:
    bench.usb.plug_in(EmulatedHid(bench.clock, bench.echo), f"{OTHER}+BL", b"/dev/hidraw4")
    with pytest.raises(AddressError) as refused:
        bench.open("usb:")
    for named in (
        f"Revolution (firmware) usb:{SERIAL}",
        f"Revolution (bootloader) usb:{OTHER}",
    ):
        assert named in str(refused.value)
    bench.open(f"usb:{SERIAL}").close()


def test_a_bootloader_says_what_it_is_and_what_can_be_done(bench: Bench) -> None:
    bench.usb.plug_in(bench.device, f"{SERIAL}+BL")
    with pytest.raises(NotThere, match=r"in its bootloader.*page Firmware.*lapwing firmware"):
        bench.open()


def test_a_board_that_does_not_say_its_mode_is_opened_and_that_is_told(bench: Bench) -> None:
    bench.usb.plug_in(bench.device, SERIAL)
    bench.usb.release_number = 0
    link = bench.open()
    assert "does not say whether its firmware or its bootloader runs" in progress_of(link)
    link.close()


def test_nothing_plugged_in_and_no_library_are_told_apart(bench: Bench) -> None:
    bench.usb.unplug()
    with pytest.raises(NotThere, match="Plug it in"):
        bench.open()
    with pytest.raises(NotThere, match="pip install hidapi"):
        open_among("usb:", None, ())


def test_what_may_not_be_opened_names_the_remedy(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.usb.refuses = True
    with pytest.raises(LinkError, match="Close other programs"):
        bench.open()
    node = tmp_path / "hidraw3"
    node.touch()
    bench.usb.unplug()
    bench.usb.plug_in(bench.device, f"{SERIAL}+FW", bytes(node))
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    with pytest.raises(LinkError, match=r"may not be opened by this user.*lapwing doctor"):
        bench.open()


# Which of both ways carries telemetry --------------------------------------------------------


def _read_for(bench: Bench, link: Link, seconds: float) -> bytes:
    """Read for so long; a port that is read lets no time pass by itself."""
    end_s, data = bench.clock.now + seconds, b""
    while bench.clock.now < end_s:
        until_s = bench.clock.now + 0.02
        data += link.read(0.02)
        bench.clock.now = max(bench.clock.now, until_s)
    return data


def test_telemetry_by_hid_leaves_the_serial_port_alone(both: Bench) -> None:
    link = both.open()
    both.echo.to_say = TELEMETRY
    assert _read_for(both, link, 2 * HID_ALONE_S) == TELEMETRY
    link.write(b"to the board")
    queue = send_queue_of(link)
    assert queue is not None
    assert both.opened == []
    link.close()


def test_telemetry_on_the_serial_port_is_found_and_answered(both: Bench) -> None:
    link = both.open()
    link.write(b"asked by HID")
    _read_for(both, link, 0.9 * HID_ALONE_S)
    assert both.opened == [], "it is left alone while HID may still answer"
    _read_for(both, link, 0.2 * HID_ALONE_S)
    assert both.opened == ["serial:/dev/ttyACM0@57600"]
    assert "/dev/ttyACM0" in progress_of(link)
    link.write(b"asked by HID")
    assert both.far.read(0.0) == b"", "nothing is written before a frame was heard"
    both.far.write(TELEMETRY)
    assert _read_for(both, link, 0.1) == TELEMETRY
    assert progress_of(link) == ""
    link.write(b"answer")
    assert both.far.read(0.0) == b"answer"
    link.close()


def test_a_port_that_carries_something_else_is_never_written_to(both: Bench) -> None:
    link = both.open()
    _read_for(both, link, 1.1 * HID_ALONE_S)
    for _ in range(50):
        both.far.write(POSITION)
        link.write(b"is anybody there?")
        assert _read_for(both, link, 0.02) == b""
    assert both.far.read(0.0) == b""
    both.echo.to_say = TELEMETRY  # HID was only slow
    assert TELEMETRY in _read_for(both, link, 0.1)
    link.close()


def test_a_board_that_takes_nothing_by_hid_may_still_speak_on_its_port(both: Bench) -> None:
    both.device.takes_reports = False
    link = both.open()
    for _ in range(30):
        link.write(b"handshake")
        _read_for(both, link, 0.1)
    both.far.write(TELEMETRY)
    assert _read_for(both, link, 0.1) == TELEMETRY
    link.close()


def test_a_port_that_is_held_by_another_program_is_told(both: Bench) -> None:
    def refuse() -> Link:
        raise LinkError("/dev/ttyACM0 is in use. Close the other program that uses it.")

    link = UsbSearch(BOARD, UsbLink(BOARD, both.device), refuse)
    _read_for(both, link, 2 * HID_ALONE_S)
    assert progress_of(link) == (
        "No telemetry has come by HID so far. /dev/ttyACM0 is in use. "
        "Close the other program that uses it."
    )


def test_without_hid_the_serial_port_is_listened_to_at_once(both: Bench) -> None:
    link = open_among("usb:", None, both.ports, both.open_port)
    link.write(b"too early")
    both.far.write(TELEMETRY)
    assert link.read(0.01) == TELEMETRY
    link.write(b"answer")
    assert both.far.read(0.0) == b"answer"
