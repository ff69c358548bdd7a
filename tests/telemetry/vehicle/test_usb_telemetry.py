"""Telemetry by USB in stepped time: 62 bytes every 4 ms each way, as firmware's HID has them."""

import pytest

from telemetry.protocol.links.address import parse_usb
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.usb_boards import board_meant, present_boards
from telemetry.protocol.links.usb_link import UsbLink
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.session.config import SessionState
from telemetry.vehicle import connection as connection_module
from telemetry.vehicle.connection import connect
from telemetry.vehicle.vehicle import LinkState
from tests.boards.emulated_hid import EmulatedHid, EmulatedUsb
from tests.boards.hid_entries import SERIAL
from tests.boards.hid_telemetry import FloodingFlight, HidTelemetry
from tests.telemetry.configuration.settings.bench import large_board
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board
from tests.telemetry.vehicle.fakes import Clock
from tests.waiting import wait_until


def connected(catalogue: Catalogue, board: MemoryBoard) -> tuple[HidTelemetry, float]:
    """Both ends once all is fetched, and the seconds that it took."""
    talk = HidTelemetry(catalogue, board)
    took_s = talk.run(lambda: talk.state is SessionState.CONNECTED, 30.0)
    assert talk.state is SessionState.CONNECTED
    return talk, took_s


def test_connecting_and_all_settings_take_less_than_four_seconds(catalogue: Catalogue) -> None:
    board = large_board(catalogue, 1000)
    settings = {d.name for d in catalogue.release(DEFAULT_RELEASE) if d.settings}
    talk, took_s = connected(catalogue, board)
    assert took_s < 4.0
    names = {d.name for d in board.definitions.values() if d.settings}
    assert len(names) > 0.9 * len(settings)
    assert all(talk.recording.track(name) is not None for name in names)


def test_twelve_kilobytes_a_second_each_way_lose_no_frame(catalogue: Catalogue) -> None:
    talk, _ = connected(catalogue, small_board(catalogue))
    assert talk.flood(5.0, 12_000.0) == 0
    assert talk.flight.sent > 1300
    assert talk.written > 2200
    assert talk.most_unsent_bytes < 4 * 62, "sticks would wait behind it"


def test_a_report_that_is_lost_would_be_noticed(catalogue: Catalogue) -> None:
    talk, _ = connected(catalogue, small_board(catalogue))
    talk.device.loses_every = 500
    assert talk.flood(5.0, 12_000.0) > 0


def test_more_than_the_line_carries_waits(catalogue: Catalogue) -> None:
    talk, _ = connected(catalogue, small_board(catalogue))
    talk.flood(2.0, 17_000.0)
    assert talk.most_unsent_bytes > 2000


def test_unplugging_in_flight_ends_the_link_as_any_other(catalogue: Catalogue) -> None:
    talk, _ = connected(catalogue, small_board(catalogue))
    talk.device.is_plugged_in = False
    with pytest.raises(LinkClosed, match="Revolution was unplugged"):
        talk.pass_time(1.0)


class Desk:
    """A board on a desk with sockets, and who opens it; it keeps a time of its own."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.usb = EmulatedUsb()
        self._catalogue = catalogue
        self._board = small_board(catalogue)

    def plug_in(self, path: bytes) -> None:
        clock = Clock()
        flight = FloodingFlight(clock, self._catalogue, self._board)
        self.usb.plug_in(EmulatedHid(clock, flight), f"{SERIAL}+FW", path)

    def open(self, address: str) -> UsbLink:
        board = board_meant(parse_usb(address), present_boards(self.usb.access, ()))
        device, _ = self.usb.devices[board.hid_path]
        link = UsbLink(board, device)
        device.writer = link.queue.send_next
        return link


@pytest.mark.slow
def test_a_board_that_is_pulled_and_plugged_in_elsewhere_is_back(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "BACKOFF_S", (0.01,))
    desk = Desk(catalogue)
    desk.plug_in(b"/dev/hidraw0")
    vehicle = connect("usb:", desk.open, catalogue, None)
    try:
        wait_until(lambda: vehicle.status.state is LinkState.CONNECTED)
        desk.usb.unplug(b"/dev/hidraw0")
        wait_until(lambda: "is plugged in by USB" in vehicle.status.reason)
        assert vehicle.status.state is LinkState.RECONNECTING
        told = [event.text for event in vehicle.recording.events() if event.kind == "link"]
        assert "Revolution was unplugged. Plug it in again to reconnect." in told
        desk.plug_in(b"/dev/hidraw7")
        wait_until(lambda: vehicle.status.state is LinkState.CONNECTED)
        assert vehicle.status.line_bytes_per_s == 15_500.0
    finally:
        vehicle.close()
