"""The CRC of a code region, against its definition and against values that others publish."""

from random import Random

import pytest

from telemetry.protocol.bootloader.crc import region_crc, whole_words
from tests.boards.emulated_bootloader import reference_crc


@pytest.mark.parametrize(
    ("word", "crc"),
    # CRC-32/MPEG-2 of four zero bytes, and what ST's processors give for 0x12345678.
    [(0x00000000, 0xC704DD7B), (0x12345678, 0xDF8A8A2B)],
)
def test_a_word_has_the_crc_that_the_processor_s_unit_gives(word: int, crc: int) -> None:
    assert region_crc(word.to_bytes(4, "little"), 4) == crc
    if word:
        assert region_crc(word.to_bytes(4, "big"), 4) != crc


def test_a_region_is_erased_behind_its_code() -> None:
    code = Random(1).randbytes(1013)
    crc = region_crc(code, 2000)
    assert crc == reference_crc(code + b"\xff" * 987)
    assert crc != reference_crc(code + b"\x00" * 987)
    assert crc == region_crc(whole_words(code), 2000)


def test_what_does_not_fit_has_none() -> None:
    with pytest.raises(ValueError, match="9 bytes"):
        region_crc(bytes(9), 8)
    with pytest.raises(ValueError, match="region of 10"):
        region_crc(bytes(4), 10)
