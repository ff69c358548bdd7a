"""Streams on disk: the same when they are read again, whole up to where a crash has cut them."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from telemetry.protocol.streams.npz_file import BLOCK_S, StreamFile, StreamFileWriter
from telemetry.protocol.streams.samples import StreamDescription, StreamError, StreamSample
from tests.telemetry.protocol.streams.samples import (
    CAMERA,
    FLOW,
    LIDAR,
    picture,
    same,
    scan,
    values,
)

SECONDS = 3


def _samples(description: StreamDescription) -> list[StreamSample]:
    make = {"front": picture, "lidar": scan, "flow": values}[description.name]
    return [make(number) for number in range(round(SECONDS * description.rate_hz))]


def _written(path: Path, description: StreamDescription) -> list[StreamSample]:
    writer = StreamFileWriter(path, description, "x.mkv" if description is CAMERA else "")
    samples = _samples(description)
    for sample in samples:
        writer.add(10.0 + sample.time_us / 1e6, sample)
    writer.close()
    return samples


@pytest.mark.parametrize("description", [LIDAR, FLOW], ids=lambda one: one.name)
def test_scans_and_values_come_back_to_the_bit(
    tmp_path: Path, description: StreamDescription
) -> None:
    sent = _written(tmp_path / "a.npz", description)
    file = StreamFile(tmp_path / "a.npz")
    assert file.description == description
    assert file.count == len(sent)
    np.testing.assert_array_equal(file.times_s, [10.0 + one.time_us / 1e6 for one in sent])
    for row, sample in enumerate(sent):
        found = file.sample(row)
        assert found is not None
        assert same(found, sample)
    assert file.sample(len(sent)) is None


def test_of_pictures_it_has_the_exact_stamps_and_flaws(tmp_path: Path) -> None:
    writer = StreamFileWriter(tmp_path / "a.npz", CAMERA, "x.mkv")
    writer.add(0.123456789, picture(0, 1_000_003))
    writer.add(0.2, picture(4, 1_033_336, flaw="torn"))
    writer.close()
    file = StreamFile(tmp_path / "a.npz")
    assert file.video == "x.mkv"
    assert file.times_s.tolist() == [0.123456789, 0.2]
    assert file.stamps_us.tolist() == [1_000_003, 1_033_336]
    assert file.numbers.tolist() == [0, 4]
    assert [file.flaw(row) for row in (0, 1)] == ["", "torn"]
    assert file.sample(0) is None


def test_numpy_reads_it_without_lapwing(tmp_path: Path) -> None:
    sent = _written(tmp_path / "a.npz", LIDAR)
    with np.load(tmp_path / "a.npz") as archive:
        names = [name for name in archive.files if name.endswith(".ranges_m")]
        ranges = np.concatenate([archive[name] for name in names])
    assert ranges.shape == (len(sent), 3)
    assert ranges[5, 0] == 5.5


def test_cut_anywhere_it_has_lost_no_more_than_its_last_block(tmp_path: Path) -> None:
    sent = _written(tmp_path / "a.npz", LIDAR)
    data = (tmp_path / "a.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        blocks = [one for one in archive.infolist() if one.filename.endswith("index.npy")]
    ends = [one.header_offset + 30 + len(one.filename) + one.file_size for one in blocks]
    assert len(blocks) == SECONDS / BLOCK_S
    each = len(sent) // len(blocks)
    cut = tmp_path / "cut.npz"
    for size in range(blocks[0].header_offset, len(data), 397):
        cut.write_bytes(data[:size])
        file = StreamFile(cut)
        assert file.count == each * sum(end <= size for end in ends)
        assert all(file.sample(row) is not None for row in range(file.count))


def test_what_is_still_being_written_can_be_read(tmp_path: Path) -> None:
    writer = StreamFileWriter(tmp_path / "a.npz", LIDAR)
    file = StreamFile(tmp_path / "a.npz")
    counts = []
    for number in range(50):
        writer.add(number * 0.025, scan(number))
        file.refresh()
        counts.append(file.count)
    writer.close()
    file.refresh()
    assert counts[0] == 0
    assert counts[20:40] == [20] * 20
    assert file.count == 50
    last = file.sample(49)
    assert last is not None
    assert same(last, scan(49))


def test_a_damaged_block_is_left_out_and_nothing_else(tmp_path: Path) -> None:
    _written(tmp_path / "a.npz", LIDAR)
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        place = archive.getinfo("000001.ranges_m.npy").header_offset + 100
    data = bytearray((tmp_path / "a.npz").read_bytes())
    data[place + 100] ^= 1
    (tmp_path / "a.npz").write_bytes(data)
    file = StreamFile(tmp_path / "a.npz")
    there = [file.sample(row) is not None for row in range(file.count)]
    assert there == [True] * 20 + [False] * 20 + [True] * 80


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"mine")
    with pytest.raises(FileExistsError):
        StreamFileWriter(tmp_path / "a.npz", LIDAR)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ({"format": "other"}, "no recorded stream"),
        ({"format": "lapwing-stream", "version": 2}, "newer Lapwing"),
        ({"format": "lapwing-stream", "version": 1, "video": "../../x.mkv"}, "not beside it"),
        ({"format": "lapwing-stream", "version": 1, "video": ""}, "described by an object"),
        ("text", "no recorded stream"),
    ],
)
def test_an_archive_of_something_else_is_refused(tmp_path: Path, head: object, words: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("stream.json", json.dumps(head))
    with pytest.raises(StreamError, match=words):
        StreamFile(tmp_path / "a.npz")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no archive at all" * 9])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.npz").write_bytes(data)
    with pytest.raises(StreamError, match="no recorded stream"):
        StreamFile(tmp_path / "a.npz")
