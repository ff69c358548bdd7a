"""Uploads to an emulated bootloader: what stands in its flash afterwards, and what faults do."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from telemetry.configuration.firmware.image import FirmwareImage, read_image
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.firmware.starting import start_firmware
from telemetry.configuration.firmware.upload import FirmwareUpload, HeldBoard
from telemetry.configuration.firmware.upload_progress import UploadProgress, UploadStage
from telemetry.protocol.bootloader.client import Bootloader
from telemetry.protocol.bootloader.packet_port import PacketPort
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.bootloader.ssp_port import SspPort
from telemetry.protocol.links.link import LinkClosed
from tests.boards.emulated_bootloader import EmulatedBootloader
from tests.boards.emulated_packet_port import EmulatedPacketPort, Fault, Kind
from tests.boards.emulated_ssp_line import EmulatedSspLine
from tests.boards.firmware_files import make_code, make_opfw
from tests.boards.stepped_clock import SteppedClock

SERIAL = "0041"


class Bench:
    """A board on a bench, an image for it, and what was begun."""

    def __init__(self, folder: Path, opfw: bytes | None = None) -> None:
        self.clock = SteppedClock()
        self.board = EmulatedBootloader(self.clock)
        self.file = opfw or make_opfw()
        self.image = read_image(self.file, "new.opfw")
        self.pending = PendingUploads(folder)

    def connect(self, *ports: PacketPort) -> Callable[[str, Callable[[], bool]], HeldBoard]:
        waiting: Iterator[PacketPort] = iter(ports)

        def next_board(_before: str, _is_cancelled: Callable[[], bool]) -> HeldBoard:
            port = next(waiting, None)
            if port is None:
                raise LinkClosed("The board did not come back.")
            return HeldBoard(port, SERIAL)

        return next_board

    def upload(self, *ports: PacketPort, image: FirmwareImage | None = None) -> FirmwareUpload:
        connect = self.connect(*(ports or (EmulatedPacketPort(self.board),)))
        return FirmwareUpload(image or self.image, connect, self.pending, clock=self.clock)

    def run(self, *faults: Fault) -> UploadProgress:
        return self.upload(EmulatedPacketPort(self.board, faults)).run()

    def holds_the_file(self) -> bool:
        code = self.board.code if self.board.started is None else self.board.started
        whole = self.file.ljust(self.board.code_size, b"\xff")
        return code == whole and self.board.description == self.file[-100:]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_the_board_holds_the_file_to_the_byte_and_starts_it(bench: Bench) -> None:
    port = EmulatedPacketPort(bench.board)
    end = bench.upload(port).run()
    assert end.stage is UploadStage.DONE
    assert port.closed
    assert end.attempt == 1
    assert bench.holds_the_file()
    assert bench.board.started is not None
    assert bench.board.boot == (0, 0, 0, 0)
    assert bench.board.erased == 1
    assert bench.pending.all() == ()


def test_a_board_whose_words_are_the_other_way_round_is_not_called_right(bench: Bench) -> None:
    """Negative control: the same packets, understood in the other byte order."""
    take = bench.board.take

    def take_swapped(packet: bytes) -> None:
        data = packet[5:]
        if packet[0] == 7:
            data = b"".join(data[at : at + 4][::-1] for at in range(0, 56, 4)) + data[56:]
        take(packet[:5] + data)

    bench.board.take = take_swapped  # type: ignore[method-assign]
    end = bench.run()
    assert end.stage is UploadStage.FAILED
    assert "does not hold what was sent" in end.sentence
    assert end.attempt == 4
    assert bench.pending.get(SERIAL) is not None


@pytest.mark.parametrize("size", [56 * 4 - 100, 56 * 4 - 96, 56 * 4 - 99, 3996 - 100])
def test_the_last_packet_has_as_many_words_as_are_left(tmp_path: Path, size: int) -> None:
    bench = Bench(tmp_path, make_opfw(size=size))
    assert bench.run().stage is UploadStage.DONE
    assert bench.holds_the_file()


ALL_PACKETS = [
    (1, True, None, 3),  # capabilities, asked
    (2, False, None, 3),  # and answered
    (3, True, None, 1),  # enter
    (7, True, True, 2),  # start upload
    (7, True, False, 3),  # data
    (8, True, None, 2),  # end
    (11, True, None, 5),  # status, asked
    (12, False, None, 5),  # and answered
    (4, True, None, 1),  # jump
    (9, True, None, 1),  # download, asked
    (10, False, None, 2),  # and answered
]


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize(("command", "to_board", "is_start", "nths"), ALL_PACKETS)
def test_any_packet_lost_doubled_or_late_ends_verified(
    tmp_path: Path, kind: Kind, command: int, to_board: bool, is_start: bool | None, nths: int
) -> None:
    file = make_opfw(size=400)
    for nth in range(nths):
        bench = Bench(tmp_path, file)
        fault = Fault(kind, command, nth, to_board, is_start=is_start)
        port = EmulatedPacketPort(bench.board, (fault,))
        end = bench.upload(port).run()
        assert (end.stage, bench.holds_the_file()) == (UploadStage.DONE, True), (fault, end)
        assert bench.board.started is not None
        assert port.befell == [fault]


def test_a_lost_packet_takes_another_erase_and_all_packets_again(bench: Bench) -> None:
    end = bench.run(Fault(Kind.LOSE, 7, 5, is_start=False))
    assert end.stage is UploadStage.DONE
    assert (bench.board.erased, end.attempt) == (2, 2)


def test_after_the_third_repeat_it_says_that_there_is_no_firmware(bench: Bench) -> None:
    faults = [Fault(Kind.LOSE, 7, nth, is_start=False) for nth in range(0, 500, 30)]
    end = bench.run(*faults)
    assert end.stage is UploadStage.FAILED
    assert "4 times" in end.sentence
    assert "may have no whole firmware" in end.sentence
    assert bench.board.erased == 4
    assert bench.pending.get(SERIAL) is not None


def test_a_description_that_cannot_be_read_back_is_not_known(bench: Bench) -> None:
    bench.board.reads_back = False
    end = bench.run()
    assert end.stage is UploadStage.DONE
    assert "not known" in end.sentence
    assert bench.holds_the_file()


def test_a_board_left_in_the_middle_by_another_program_is_taken_over(bench: Bench) -> None:
    port = EmulatedPacketPort(bench.board)

    def killed(number: int) -> None:
        take = bench.board.take

        def take_some(packet: bytes) -> None:
            nonlocal number
            number -= 1
            if number < 0:
                raise KeyboardInterrupt
            take(packet)

        bench.board.take = take_some  # type: ignore[method-assign]

    take = bench.board.take
    for number in Random(3).sample(range(80), 12):
        killed(number)
        with pytest.raises(KeyboardInterrupt):
            bench.upload(port).run()
        bench.board.take = take  # type: ignore[method-assign]
        port = EmulatedPacketPort(bench.board)
    begun = bench.pending.get(SERIAL)
    assert begun is not None
    end = FirmwareUpload(
        begun.image, bench.connect(port), bench.pending, is_resumed=True, clock=bench.clock
    ).run()
    assert end.stage is UploadStage.DONE
    assert bench.holds_the_file()


@pytest.mark.parametrize("after", [5, 6, 10, 30, 65, 66, 70, 73, 79])
def test_a_cable_pulled_is_waited_for_and_begun_again(bench: Bench, after: int) -> None:
    """The sixth packet has the board erase, the last starts the firmware."""
    torn = EmulatedPacketPort(bench.board, unplugged_after=after)
    end = bench.upload(torn, EmulatedPacketPort(bench.board)).run()
    assert (torn.unplugged_after, torn.closed) == (-1, True)
    assert end.stage is UploadStage.DONE
    assert bench.holds_the_file()
    assert bench.board.erased == (1 if after in (5, 79) else 2)


def test_a_cable_pulled_before_anything_was_erased_is_the_end(bench: Bench) -> None:
    end = bench.upload(EmulatedPacketPort(bench.board, unplugged_after=4)).run()
    assert end.stage is UploadStage.FAILED
    assert "was unplugged" in end.sentence
    assert bench.board.erased == 0
    assert bench.pending.all() == ()


@pytest.mark.parametrize("latches", [True, False])
def test_a_board_that_stood_without_firmware_is_restarted_where_it_is_stuck(
    bench: Bench, latches: bool
) -> None:
    bench.board.jump_latches = latches
    bench.clock.advance(10.0)
    bench.board.tick()
    ports = (EmulatedPacketPort(bench.board), EmulatedPacketPort(bench.board))
    assert bench.upload(*ports).run().stage is UploadStage.DONE
    assert bench.board.starts == (2 if latches else 1)
    assert bench.holds_the_file()


def test_a_board_that_does_not_come_back_is_kept(bench: Bench) -> None:
    end = bench.upload(EmulatedPacketPort(bench.board, unplugged_after=30)).run()
    assert end.stage is UploadStage.INTERRUPTED
    begun = bench.pending.get(SERIAL)
    assert begun is not None
    assert begun.image == bench.image


def test_another_board_s_file_erases_nothing(bench: Bench) -> None:
    bench.board.board = 0x0905
    end = bench.run()
    assert end.stage is UploadStage.REFUSED
    assert bench.board.erased == 0
    assert bench.pending.all() == ()


def test_cancelled_before_the_erase_nothing_is_erased_and_after_it_it_is_too_late(
    bench: Bench,
) -> None:
    upload = bench.upload()
    assert upload.cancel() == ""
    assert upload.run().stage is UploadStage.CANCELLED
    assert bench.board.erased == 0
    assert bench.pending.all() == ()

    said = []
    port = EmulatedPacketPort(bench.board)
    upload = bench.upload(port)
    take = bench.board.take

    def take_and_cancel(packet: bytes) -> None:
        if packet[0] == 7:
            said.append(upload.cancel())
        take(packet)

    bench.board.take = take_and_cancel  # type: ignore[method-assign]
    assert upload.run().stage is UploadStage.DONE
    assert all("erase has begun" in why for why in said)


def test_progress_goes_on_while_the_board_erases_and_never_back(bench: Bench) -> None:
    """The board is asked every few seconds, and says nothing for 20 s."""
    bench.board.erase_s = 20.0
    seen = []
    upload = bench.upload()
    take = bench.board.take

    def watched(packet: bytes) -> None:
        seen.append(upload.progress)
        take(packet)

    bench.board.take = watched  # type: ignore[method-assign]
    assert upload.run().stage is UploadStage.DONE
    shares = [progress.share for progress in seen]
    assert shares == sorted(shares)
    erasing = [progress for progress in seen if progress.stage is UploadStage.ERASING]
    assert len(erasing) > 5
    left = [progress.seconds_left for progress in seen if progress.stage is UploadStage.SENDING]
    assert left[0] is not None
    assert left[0] < 2.0


@pytest.mark.parametrize(
    ("stuck_at", "said"),
    [(1000, "what was sent"), (0x1000 - 101, "what was sent"), (0x1000 - 50, "the description")],
)
def test_what_the_board_calls_a_success_is_compared_all_the_same(
    bench: Bench, stuck_at: int, said: str
) -> None:
    """Bytes of the code, behind it, and of the description."""
    bench.board.believes, bench.board.stuck_at = True, stuck_at
    end = bench.run()
    assert end.stage is UploadStage.FAILED
    assert f"does not hold {said}" in end.sentence


def test_a_serial_board_is_restarted_to_start_its_firmware_as_it_was_asked_to(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path, make_opfw(0x1001))
    bench.board = EmulatedBootloader(bench.clock, 0x1001, is_serial=True)
    port = SspPort(EmulatedSspLine(bench.board), bench.clock)
    end = bench.upload(port).run()
    assert end.stage is UploadStage.DONE
    assert "not known" in end.sentence
    assert (bench.board.starts, bench.board.started) == (2, None)
    bootloader = Bootloader(SspPort(EmulatedSspLine(bench.board), bench.clock), bench.clock)
    assert not start_firmware(bootloader, 0x1001, Boot.SAFE)
    assert bench.board.boot == (0x5AFE, 0, 0, 0)
    assert (bench.board.starts, bench.board.started) == (3, None)
    bench.clock.advance(7.0)
    bench.board.tick()
    assert bench.holds_the_file()
    assert bench.board.started is not None


def test_bare_code_is_put_without_a_description(bench: Bench) -> None:
    code = make_code(2000)
    image = read_image(code, "bare.bin", 0x0903)
    end = bench.upload(image=image).run()
    assert end.stage is UploadStage.DONE
    assert bench.board.started == code.ljust(bench.board.code_size, b"\xff")
    assert bench.board.description == b"\xff" * 100
