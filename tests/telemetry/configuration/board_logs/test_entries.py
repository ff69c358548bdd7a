"""Entries in every form that firmware writes, and nonsense."""

import random

import pytest

from telemetry.configuration.board_logs.entries import LogBlock, in_order, read_block
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from tests.boards.emulated_log_flash import HEAD, OBJECT, ROOM, SEVERAL, TEXT, LogFlash

ID = 0xD7E0D964


@pytest.fixture
def entry(catalogue: Catalogue) -> ObjectDefinition:
    return catalogue.find("DebugLogEntry")


def _row(kind: int, size: int, data: bytes, object_id: int = ID, number: int = 7) -> bytes:
    return HEAD.pack(1000, object_id, 3, number, 0, size, kind) + data.ljust(ROOM, b"\xff")


def test_one_object_and_a_text(entry: ObjectDefinition) -> None:
    (alone,) = read_block(entry, _row(OBJECT, 28, bytes(range(28)))).items
    assert (alone.object_id, alone.clock_us, alone.flight, alone.entry) == (ID, 1000, 3, 7)
    assert alone.data == bytes(range(28))
    assert not alone.is_cut
    assert not alone.text
    block = read_block(entry, _row(TEXT, 5, b"armed\0", object_id=0))
    assert [item.text for item in block.items] == ["armed"]
    assert block.is_text
    assert not block.unread


def test_several_objects_whatever_the_type_says(entry: ObjectDefinition) -> None:
    data = bytes(40) + HEAD.pack(2000, ID + 2, 3, 7, 1, 10, OBJECT) + bytes(range(10))
    for kind in (OBJECT, SEVERAL):
        first, second = read_block(entry, _row(kind, 40, data)).items
        assert first.data == bytes(40)
        assert (second.object_id, second.clock_us, second.instance) == (ID + 2, 2000, 1)
        assert second.data == bytes(range(10))


def test_a_block_that_is_full_to_its_last_byte(entry: ObjectDefinition) -> None:
    rest = ROOM - 100 - HEAD.size
    data = bytes(100) + HEAD.pack(2000, ID, 3, 7, 0, rest, OBJECT) + bytes([1] * rest)
    assert [len(item.data) for item in read_block(entry, _row(SEVERAL, 100, data)).items] == [
        100,
        rest,
    ]


def test_objects_behind_a_text_that_could_not_be_flushed(entry: ObjectDefinition) -> None:
    text = b"armed\0".ljust(60, b"\xff")
    data = text + HEAD.pack(2000, ID, 3, 7, 0, 10, OBJECT) + bytes(range(10))
    first, second = read_block(entry, _row(SEVERAL, 5, data, object_id=0)).items
    assert first.text == "armed"
    assert second.data == bytes(range(10))


def test_objects_that_were_written_over_the_end_of_a_text(entry: ObjectDefinition) -> None:
    text = b"FlightStatus Disarmed: logging is disabled.\0"
    data = text[:30] + HEAD.pack(2000, ID, 3, 7, 0, 10, OBJECT) + bytes(range(10))
    block = read_block(entry, _row(SEVERAL, len(text) - 1, data, object_id=0))
    assert [item.text or item.data for item in block.items] == [
        "FlightStatus Disarmed: logging",
        bytes(range(10)),
    ]


def test_empty_repeats_what_was_asked_for(entry: ObjectDefinition) -> None:
    block = read_block(entry, HEAD.pack(0, 0, 9, 0xFFFF, 0, 0, 0) + bytes(ROOM))
    assert block.is_empty
    assert (block.flight, block.entry) == (9, 0xFFFF)


def test_an_object_that_is_longer_than_its_block(entry: ObjectDefinition) -> None:
    (cut,) = read_block(entry, _row(OBJECT, 230, bytes(ROOM))).items
    assert cut.is_cut
    assert len(cut.data) == ROOM


def test_nonsense_is_counted_and_costs_nothing_before_it(entry: ObjectDefinition) -> None:
    block = read_block(entry, _row(SEVERAL, 10, bytes(10) + b"\x55" * 50))
    assert len(block.items) == 1
    assert block.unread == 50


def test_any_bytes_are_read_without_a_fault(entry: ObjectDefinition) -> None:
    wild = random.Random(5)
    for _ in range(200):
        block = read_block(entry, wild.randbytes(entry.size))
        assert sum(len(item.data) for item in block.items) <= ROOM


@pytest.mark.slow
@pytest.mark.parametrize("writes_behind", [0, 1, 3])
def test_what_was_logged_comes_back_in_its_order(
    entry: ObjectDefinition, writes_behind: int
) -> None:
    for seed in range(8):
        flash, logged = LogFlash(writes_behind=writes_behind), []
        wild = random.Random(seed)
        for t_us in range(1000, 200_000, 500):
            if wild.random() < 0.05:
                flash.say(t_us, f"text {t_us}")
                logged.append(f"text {t_us}")
            else:
                data = wild.randbytes(wild.choice((4, 28, 60, 120, 200)))
                flash.log(t_us, wild.choice((ID, ID + 2)), data)
                logged.append(data)
        flash.say(300_000, "end")  # flushes what was begun
        flash.write_all()
        blocks = {place: read_block(entry, row) for (_, place), row in flash.slots.items()}
        found = [item.text or item.data for block in in_order(blocks) for item in block.items]
        assert found == [*logged, "end"]
        assert sum(block.unread for block in blocks.values()) == 0
        if writes_behind and seed == 0:
            assert _by_place(blocks) != found  # places alone would put texts before what is older


def _by_place(blocks: dict[int, LogBlock]) -> list[object]:
    return [item.text or item.data for p in sorted(blocks) for item in blocks[p].items]
