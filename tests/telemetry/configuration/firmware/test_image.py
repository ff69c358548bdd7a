"""Files of firmware: what is read of them, and what is refused before any board is asked."""

import struct
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from telemetry.configuration.firmware.allowed import refusal
from telemetry.configuration.firmware.image import FirmwareFileError, read_image
from telemetry.configuration.firmware.upload_progress import UploadStage
from telemetry.protocol.bootloader.packets import BootDevice
from tests.boards.emulated_bootloader import reference_crc
from tests.boards.firmware_files import describe, make_code, make_opfw
from tests.telemetry.configuration.firmware.test_upload import Bench

REVOLUTION = BootDevice(0x0903, 0xA0000 - 100, 100, 6, 0)


def test_a_file_says_whose_it_is_and_what_it_holds() -> None:
    image = read_image(make_opfw(size=3001), "new.opfw")
    assert image.about is not None
    assert (image.board, image.about.board) == (0x0903, 0x0903)
    assert (image.about.tag, image.about.commit) == ("RELEASE-16.09", "8c101adc")
    assert image.about.uavo_hash == "c1" * 20
    assert len(image.code) == 3001
    assert len(image.data) == 3104
    assert image.data.endswith(b"\xff\xff\xff")


def test_the_crc_of_a_region_is_known_with_the_description_and_without() -> None:
    file = make_opfw(size=1000)
    with_it, without = read_image(file, "new.opfw").crcs(2000)
    assert with_it == reference_crc(file.ljust(2000, b"\xff"))
    assert without == reference_crc(file[:1000].ljust(2000, b"\xff"))


def test_bare_code_has_to_run_in_the_memory_of_the_board_that_is_named() -> None:
    code = make_code()
    assert read_image(code, "bare.bin", 0x0903).description == b""
    with pytest.raises(FirmwareFileError, match="does not say which board"):
        read_image(code, "bare.bin")
    with pytest.raises(FirmwareFileError, match="would not run"):
        read_image(code, "bare.bin", 0x0905)  # whose flash begins elsewhere
    with pytest.raises(FirmwareFileError, match="is not known"):
        read_image(code, "bare.bin", 0x7777)


@pytest.mark.parametrize(
    ("stack", "entry"),
    [
        (0x20020000, 0x08020101),  # a bootloader does not take this for firmware
        (0x20020004, 0x08020101),
        (0x20000000, 0x08020101),  # nothing is below it
        (0x2000F002, 0x08020101),
        (0x08020000, 0x08020101),
        (0xFFFFFFFF, 0x08020101),
        (0x2000FFF0, 0x08020100),  # long instructions, which the processor has not
        (0x2000FFF0, 0x0801FFFF),
        (0x2000FFF0, 0x08020BB9),  # behind the code
    ],
)
def test_a_stack_or_an_entry_elsewhere_is_refused(stack: int, entry: int) -> None:
    code = struct.pack("<II", stack, entry) + bytes(2992)
    with pytest.raises(FirmwareFileError, match="would not run"):
        read_image(code, "bare.bin", 0x0903)
    good = struct.pack("<II", 0x10010000, 0x08020BB7) + bytes(2992)
    assert read_image(good, "bare.bin", 0x0903).board == 0x0903


def test_a_file_for_another_board_than_is_named_is_refused() -> None:
    with pytest.raises(FirmwareFileError, match=r"Revolution \(09.03\), not for CC3D \(04.02\)"):
        read_image(make_opfw(), "new.opfw", 0x0402)


@pytest.mark.parametrize(
    ("board", "file", "is_taken"),
    [
        (0x0401, 0x0402, True),
        (0x0402, 0x0401, False),
        (0x0901, 0x0902, True),
        (0x0902, 0x0901, False),
        (0x0902, 0x0903, True),
        (0x0903, 0x0902, False),
        (0x0901, 0x0903, False),
        (0x0B01, 0x9201, True),
        (0x9201, 0x0B01, False),
        (0x0903, 0x9201, False),
        (0x0905, 0x0903, False),
        (0x9201, 0x9201, True),
    ],
)
def test_another_s_image_is_taken_in_one_direction_only(
    board: int, file: int, is_taken: bool
) -> None:
    device = BootDevice(board, 0x10000, 100, 6, 0)
    assert (refusal(read_image(make_opfw(file), "new.opfw"), device) == "") is is_taken


def test_never_more_than_the_board_says_that_it_has_room_for() -> None:
    image = read_image(make_opfw(size=3996 - 100), "new.opfw")
    assert refusal(image, BootDevice(0x0903, 3996, 100, 6, 0)) == ""
    assert "room for 3992" in refusal(image, BootDevice(0x0903, 3992, 100, 6, 0))
    assert "cannot be written" in refusal(
        image, BootDevice(0x0903, 3996, 100, 6, 0, can_write=False)
    )
    assert "description" in refusal(image, BootDevice(0x0903, 3996, 0, 6, 0))
    assert "not known" in refusal(image, BootDevice(0x7777, 3996, 100, 6, 0))
    small = read_image(make_opfw(0x0402, 0x1D000 - 200), "cc3d.opfw")
    assert "room for" in refusal(small, BootDevice(0x0401, 0x10000, 100, 4, 0))
    with pytest.raises(FirmwareFileError, match="CC3D has room for 118684"):
        read_image(make_opfw(0x0402, 0x1D000 - 199), "cc3d.opfw")


def _wrong_files() -> list[bytes]:
    """A hundred: damaged, cut off, too long, for other boards, without a description, random."""
    random = Random(7)
    whole = make_opfw(size=2000)
    files = [whole[: random.randrange(len(whole))] for _ in range(20)]
    for _ in range(30):
        damaged = bytearray(whole)
        damaged[random.randrange(2000)] ^= 1 << random.randrange(8)
        files.append(bytes(damaged))
    others = (0x0402, 0x0905, 0x9201, 0x0902, 0x0301, 0x1001, 0x0403, 0x7777, 0x0904, 0x0000)
    files += [make_opfw(board) for board in others]
    files += [whole + bytes(length) for length in (1, 4, 56, 100, 4096, 1 << 20)]
    files += [make_opfw(size=size) for size in (0x1000 - 199, 0x1000, 0x5000, 0xA0000)]
    files += [random.randbytes(random.randrange(5000)) for _ in range(20)]
    bare = make_code(2000)
    files += [bare, bare + bytes(100), b"", bytes(100), b"\xff" * 4000, describe(bare)]
    files += [bare + describe(bare)[:12] + bytes(88), bytes(3 << 20)]
    files += [bare[:-1] + describe(bare), bare + b"\xff" + describe(bare)]
    return files


def test_a_hundred_wrong_files_erase_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.board.flash[:] = b"\x55" * len(bench.board.flash)
    files = _wrong_files()
    assert len(files) == 100
    for file in files:
        with suppress(FirmwareFileError):
            image = read_image(file, "wrong.opfw")
            assert bench.upload(image=image).run().stage is UploadStage.REFUSED
    assert bench.board.erased == 0
    assert set(bench.board.flash) == {0x55}
    assert (
        bench.upload(image=read_image(make_opfw(size=2000), "right")).run().stage
        is UploadStage.DONE
    )
