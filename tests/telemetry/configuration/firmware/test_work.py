"""The firmware work of a station: which board and file, what is said before, and after faults."""

from contextlib import closing
from pathlib import Path

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.firmware.before import Consent
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.firmware.upload_progress import UploadStage
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.links.link import LinkError
from telemetry.protocol.links.usb_boards import BoardMode
from tests.boards.emulated_bootloader import UPLOADING, EmulatedBootloader
from tests.boards.emulated_packet_port import EmulatedPacketPort
from tests.boards.firmware_files import make_opfw
from tests.boards.plugged_boards import SERIAL, usb_board
from tests.telemetry.configuration.firmware.firmware_bench import FirmwareBench
from tests.waiting import wait_for


@pytest.fixture
def bench(tmp_path: Path) -> FirmwareBench:
    return FirmwareBench(tmp_path)


@pytest.fixture
def ready(bench: FirmwareBench) -> FirmwareBench:
    bench.boards.plug_in()
    bench.look()
    bench.open_file()
    bench.say_all()
    return bench


def test_what_is_missing_is_told_one_after_the_other(bench: FirmwareBench) -> None:
    bench.look()
    assert bench.work.refusal() == "Plug in a board by USB."
    bench.boards.plug_in()
    bench.look()
    assert bench.work.refusal() == "Choose a file."
    bench.open_file()
    assert "propellers" in bench.work.refusal()
    bench.work.consent = Consent(True, True)
    assert SERIAL in bench.work.refusal()
    bench.say_all()
    assert bench.work.refusal() == ""


def test_a_verified_upload_starts_the_firmware_and_is_not_pending(ready: FirmwareBench) -> None:
    ready.work.begin_upload()
    ready.finish()
    update = ready.work.update
    assert update is not None
    assert update.progress.stage is UploadStage.DONE
    assert ready.boards.bootloader.started is not None
    assert ready.work.pending == ()
    assert ready.work.objection == ""
    assert ready.work.refusal() != ""  # what was said counts once


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (make_opfw(board=0x0402), "is for CC3D"),
        (make_opfw()[:-1], "does not say which board"),
        (b"x" + make_opfw()[1:], "damaged"),
        (make_opfw(size=0xA0000 - 50), "has room for"),
    ],
)
def test_a_wrong_file_is_refused_before_anything_is_erased(
    ready: FirmwareBench, data: bytes, why: str
) -> None:
    ready.open_file(data)
    assert why in ready.work.refusal()
    with pytest.raises(RuntimeError, match=why):
        ready.work.begin_upload()
    assert ready.boards.bootloader.erased == 0


@pytest.mark.parametrize("is_start", [False, True])
def test_a_board_that_another_program_speaks_to_is_left_alone(
    ready: FirmwareBench, is_start: bool
) -> None:
    ready.boards.bootloader.flash[:8] = make_opfw()[:8]
    with closing(ready.claim()):
        ready.work.begin_start(Boot.NORMAL) if is_start else ready.work.begin_upload()
        ready.finish()
    update = ready.work.update
    assert update is not None
    assert update.progress.stage is UploadStage.FAILED
    assert "Another window or command" in update.progress.sentence
    assert ready.boards.bootloader.erased == 0
    assert ready.boards.bootloader.started is None


def test_objects_of_no_release_are_told_before(ready: FirmwareBench) -> None:
    file = ready.work.file
    assert file is not None
    assert file.definitions is not None
    assert file.definitions.level is Level.WARNING
    assert str(ready.folders.definitions) in file.definitions.remedy


def test_what_was_interrupted_is_known_at_the_next_start_and_ends(ready: FirmwareBench) -> None:
    def torn(board: EmulatedBootloader) -> EmulatedPacketPort:
        ready.boards.boards = ()  # it does not come back
        return EmulatedPacketPort(board, unplugged_after=30)

    ready.boards.on_open = torn
    ready.work.begin_upload()
    update = ready.work.update
    assert update is not None
    wait_for(lambda: "begins again" in update.progress.sentence or None)
    assert ready.work.cancel() == ""
    ready.finish()
    assert update.progress.stage is UploadStage.INTERRUPTED
    ready.boards.on_open = EmulatedPacketPort
    work = ready.work = ready.begin()
    work.poll()
    (upload,) = work.pending
    assert upload.serial == SERIAL
    with closing(ready.claim()):
        ready.boards.plug_in()
        ready.look()
        assert work.update is None  # another window has it
    ready.boards.boards = ()
    ready.look()
    ready.boards.plug_in()
    ready.look()
    ready.look()
    ready.finish()
    assert work.update is not None  # begun by itself, within the 6 s
    assert work.update.progress.stage is UploadStage.DONE
    assert work.pending == ()


def test_a_board_that_was_mended_otherwise_is_not_erased_by_itself(ready: FirmwareBench) -> None:
    mended = make_opfw(seed=2)
    ready.boards.bootloader.flash[: len(mended)] = mended
    ready.boards.bootloader.flash[-100:] = mended[-100:]
    file = ready.work.file
    assert file is not None
    assert file.image is not None
    PendingUploads(ready.folders.pending_uploads).put(SERIAL, file.image)
    work = ready.work = ready.begin()
    ready.look()
    ready.look()
    assert work.update is None
    assert ready.boards.bootloader.erased == 0
    (upload,) = work.pending
    work.begin_again(upload)
    ready.finish()
    assert work.pending == ()
    assert ready.boards.bootloader.erased == 1


def test_a_board_without_a_serial_number_is_not_taken_for_the_interrupted_one(
    ready: FirmwareBench,
) -> None:
    image = ready.work.file.image if ready.work.file is not None else None
    assert image is not None
    PendingUploads(ready.folders.pending_uploads).put("", image)
    work = ready.work = ready.begin()
    ready.boards.plug_in()
    ready.boards.boards = (usb_board(serial=""),)
    ready.look()
    ready.look()
    assert len(work.pending) == 1
    assert work.update is None


def test_two_bootloaders_are_asked_for_and_neither_is_touched(bench: FirmwareBench) -> None:
    bench.boards.boards = (usb_board(), usb_board(serial="0042"))
    bench.look()
    bench.open_file()
    assert "which board" in bench.work.refusal()
    assert bench.work.at_hand.reading is None
    bench.work.at_hand.choose("usb:0042")
    bench.look()
    assert bench.work.at_hand.reading is not None


def test_looking_does_not_hold_a_board_and_rescue_does(bench: FirmwareBench) -> None:
    bench.boards.plug_in()
    bench.look()
    reading = bench.work.at_hand.reading
    assert reading is not None
    assert not reading.is_held
    bench.boards.boards = ()
    bench.look()
    bench.work.at_hand.is_rescuing = True
    bench.look()
    bench.boards.plug_in()
    bench.look()
    assert bench.work.at_hand.reading is not None
    assert bench.work.at_hand.reading.is_held
    assert not bench.work.at_hand.is_rescuing
    bench.boards.clock.advance(10.0)
    bench.boards.bootloader.tick()
    assert bench.boards.bootloader.started is None


def test_a_board_of_unknown_type_or_mode_is_shown_and_left_alone(ready: FirmwareBench) -> None:
    ready.boards.bootloader.board = 0x7777
    ready.boards.boards = ()
    ready.look()
    ready.boards.plug_in()
    ready.look()
    assert ready.work.at_hand.reading is not None
    assert "not known" in ready.work.refusal()
    ready.boards.plug_in(BoardMode.UNKNOWN)
    ready.look()
    assert "not known" in ready.work.refusal()
    assert "not known" in ready.work.start_refusal(Boot.NORMAL)
    assert ready.boards.bootloader.erased == 0


def test_erasing_settings_unkept_needs_the_boards_name(ready: FirmwareBench) -> None:
    ready.work.consent = Consent(True, True, "CC3D 1")
    assert ready.work.start_refusal(Boot.NORMAL) == ""
    assert SERIAL in ready.work.start_refusal(Boot.ERASE_SETTINGS)
    ready.say_all()
    ready.boards.bootloader.flash[:8] = make_opfw()[:8]
    ready.work.begin_start(Boot.ERASE_SETTINGS)
    ready.finish()
    assert ready.boards.bootloader.boot == (0, 0xFA5F, 1, 0)


def test_a_station_that_closes_meanwhile_is_told_what_happens(ready: FirmwareBench) -> None:
    ready.boards.boards = ()
    ready.work.begin_upload()
    assert ready.work.cancel_refusal() == ""
    assert "Closing ends it" in ready.work.objection  # it may erase nothing
    assert ready.work.cancel() == ""
    ready.finish()
    assert ready.work.objection == ""


def test_a_bootloader_on_a_serial_line_is_spoken_to_only_when_asked_for(
    bench: FirmwareBench,
) -> None:
    bench.boards.lines = ("/dev/ttyUSB0",)
    bench.boards.bootloader.board = 0x1001
    bench.boards.bootloader.asked_by_firmware = True
    bench.boards.bootloader.power_on()
    bench.work.at_hand.choose("ssp:/dev/ttyUSB0")
    bench.look()
    assert "Rescue" in bench.work.refusal()
    bench.work.at_hand.is_rescuing = True
    bench.look()
    assert bench.work.at_hand.reading is not None
    bench.open_file(make_opfw(board=0x1001))
    bench.say_all()
    assert bench.work.refusal() == ""
    bench.work.begin_upload()
    bench.finish()
    assert bench.work.update is not None
    assert bench.work.update.progress.stage is UploadStage.DONE


def test_one_bootloader_is_asked_by_one_at_a_time(ready: FirmwareBench) -> None:
    ready.jobs.is_held = True
    ready.work.at_hand.is_rescuing = True
    ready.work.poll()
    assert "being asked" in ready.work.refusal()
    with pytest.raises(RuntimeError, match="being asked"):
        ready.work.begin_upload()
    ready.jobs.is_held = False
    ready.jobs.release()
    ready.work.poll()
    assert ready.work.refusal() == ""


def test_a_board_that_takes_no_firmware_is_not_erased_again_and_again(
    ready: FirmwareBench,
) -> None:
    """As long as it stays plugged in: then it is asked once more."""
    board = ready.boards.bootloader
    board.stuck_at = 100
    ready.work.begin_upload()
    ready.finish()
    for _ in range(3):
        ready.look()
    assert not ready.work.is_busy
    assert board.erased == 4
    ready.boards.boards = ()
    ready.look()
    ready.boards.plug_in()
    ready.look()
    ready.finish()
    assert board.erased == 8
    (upload,) = ready.work.pending
    assert "is not finished" in upload.sentence


def test_an_upload_that_ended_before_its_description_is_begun_again(ready: FirmwareBench) -> None:
    data = make_opfw()
    board = ready.boards.bootloader
    board.flash[: len(data)] = data
    assert ready.work.file is not None
    assert ready.work.file.image is not None
    pending = PendingUploads(ready.folders.pending_uploads)
    pending.put(SERIAL, ready.work.file.image)
    ready.work = ready.begin()
    ready.look()
    ready.finish()
    assert board.erased == 1
    assert board.description == data[-100:]
    assert pending.all() == ()


def test_a_board_that_the_system_is_not_ready_with_is_held_all_the_same(
    ready: FirmwareBench,
) -> None:
    assert ready.work.file is not None
    assert ready.work.file.image is not None
    PendingUploads(ready.folders.pending_uploads).put(SERIAL, ready.work.file.image)
    refused = [True, True]

    def not_yet(board: EmulatedBootloader) -> EmulatedPacketPort:
        if refused:
            refused.pop()
            raise LinkError("It may not be opened yet.")
        return EmulatedPacketPort(board)

    ready.boards.on_open = not_yet
    ready.work = ready.begin()
    ready.look()
    ready.look()
    ready.finish()
    assert ready.boards.bootloader.erased == 1


def test_a_board_that_another_program_spoke_to_is_asked_again(ready: FirmwareBench) -> None:
    with closing(ready.claim()):
        ready.work.begin_upload()
        ready.finish()
    for _ in range(4):
        ready.look()
    ready.say_all()
    assert ready.work.refusal() == ""


def test_a_bootloader_in_the_midst_of_an_upload_starts_nothing_by_itself(
    bench: FirmwareBench,
) -> None:
    bench.boards.plug_in()
    bench.boards.bootloader.state = UPLOADING
    bench.look()
    reading = bench.work.at_hand.reading
    assert reading is not None
    assert reading.is_held
