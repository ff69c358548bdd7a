"""Waiting for a bootloader and holding it before it starts what is in flash."""

from pathlib import Path

import pytest

from telemetry.configuration.firmware.upload import FirmwareUpload
from telemetry.configuration.firmware.upload_progress import UploadStage
from telemetry.configuration.firmware.waiting import BoardWait
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.links.usb_boards import BoardMode, UsbBoard
from tests.boards.emulated_packet_port import EmulatedPacketPort
from tests.telemetry.configuration.firmware.test_upload import SERIAL, Bench


class Desk:
    """Boards that are plugged in at given seconds of the clock."""

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder)
        self.plugged: list[tuple[float, UsbBoard]] = []
        self.refused_opens = 0
        self.ports: list[EmulatedPacketPort] = []

    def plug(self, at_s: float, serial: str, mode: BoardMode = BoardMode.BOOTLOADER) -> None:
        board = UsbBoard(serial, "Revolution", 0x20A0, 0x415E, mode, b"/dev/hidraw0", "")
        self.plugged.append((at_s, board))

    def present(self) -> list[UsbBoard]:
        return [board for at_s, board in self.plugged if at_s <= self.bench.clock()]

    def open(self, board: UsbBoard) -> PacketPort:
        self.refused_opens -= 1
        if self.refused_opens >= 0:
            raise LinkError("may not be opened yet.")
        if not self.ports:
            self.bench.board.power_on()
        self.ports.append(EmulatedPacketPort(self.bench.board))
        return self.ports[-1]

    def wait(self, serial: str = "") -> BoardWait:
        clock = self.bench.clock
        return BoardWait(self.present, self.open, clock.advance, serial, clock)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_board_is_held_long_before_it_would_start(desk: Desk) -> None:
    desk.plug(0.0, "77", BoardMode.FIRMWARE)
    desk.plug(30.0, SERIAL)
    held = desk.wait()("", lambda: False)
    assert held is not None
    assert held.serial == SERIAL
    assert desk.bench.clock() < 31.0
    desk.bench.clock.advance(100.0)
    desk.bench.board.tick()
    assert (desk.bench.board.state, desk.bench.board.started) == (0, None)


def test_the_one_that_was_begun_on_is_waited_for_though_another_is_there(desk: Desk) -> None:
    desk.plug(0.0, "77")
    desk.plug(20.0, SERIAL)
    held = desk.wait(SERIAL)("", lambda: False)
    assert held is not None
    assert held.serial == SERIAL
    assert desk.bench.clock() >= 20.0


def test_of_two_it_is_asked_which(desk: Desk) -> None:
    desk.plug(0.0, "77")
    desk.plug(0.0, SERIAL)
    with pytest.raises(AddressError, match=rf"usb:77 and .* usb:{SERIAL}"):
        desk.wait()("", lambda: False)


def test_waiting_ends_when_it_is_told_to(desk: Desk) -> None:
    assert desk.wait()("", lambda: desk.bench.clock() > 5.0) is None


def test_a_board_that_the_system_is_not_ready_with_is_tried_again_for_a_while(desk: Desk) -> None:
    desk.plug(0.0, SERIAL)
    desk.refused_opens = 5
    assert desk.wait()("", lambda: False) is not None
    desk.refused_opens = 10_000
    with pytest.raises(LinkError, match="may not be opened"):
        desk.wait()("", lambda: False)


@pytest.mark.parametrize("unplugged_after", [8, 40])
def test_after_the_program_was_killed_the_board_is_waited_for_and_finished(
    desk: Desk, unplugged_after: int
) -> None:
    bench = desk.bench
    killed = bench.upload(EmulatedPacketPort(bench.board, unplugged_after=unplugged_after))
    killed.kept_set = "Revolution 2026"
    killed.run()
    (begun,) = bench.pending.all()
    bench.clock.advance(1000.0)
    desk.plug(1010.0, begun.serial)
    wait = desk.wait(begun.serial)
    upload = FirmwareUpload(
        begun.image,
        wait,
        bench.pending,
        is_resumed=True,
        kept_set=begun.kept_set,
        clock=bench.clock,
    )
    end = upload.run()
    assert end.stage is UploadStage.DONE
    assert "kept as the set 'Revolution 2026'" in end.sentence
    assert bench.holds_the_file()
    assert bench.pending.all() == ()


def test_without_firmware_a_board_is_restarted_by_its_wait(desk: Desk) -> None:
    """It is empty, and stood for longer than 6 s."""
    desk.plug(0.0, SERIAL)
    desk.bench.clock.advance(10.0)
    desk.ports.append(EmulatedPacketPort(desk.bench.board))
    starts = desk.bench.board.starts
    assert desk.wait()("", lambda: False) is not None
    assert desk.bench.board.starts == starts + 1


def test_another_board_that_is_plugged_in_meanwhile_is_left_alone(desk: Desk) -> None:
    """An upload to the only board there is: its cable is pulled, then another board comes."""
    bench = desk.bench
    desk.plug(0.0, SERIAL)
    port = EmulatedPacketPort(bench.board, unplugged_after=40)
    opened: list[str] = []

    def open_port(board: UsbBoard) -> PacketPort:
        opened.append(board.serial)
        if len(opened) > 1:
            return desk.open(board)
        desk.plugged[:] = []
        desk.plug(bench.clock() + 30.0, "77")
        desk.plug(bench.clock() + 60.0, SERIAL)
        return port

    wait = BoardWait(desk.present, open_port, bench.clock.advance, "", bench.clock)
    upload = FirmwareUpload(bench.image, wait, bench.pending, clock=bench.clock)
    assert upload.run().stage is UploadStage.DONE
    assert opened == [SERIAL, SERIAL]
    assert bench.holds_the_file()
