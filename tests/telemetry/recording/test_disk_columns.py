"""Long columns stand on disk and read as those in memory do."""

import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.disk_columns import LEAST_BYTES, STEP_BYTES, DiskColumns
from telemetry.recording.recording import Recording
from telemetry.recording.timed_columns import LEAST_MAPPED_BYTES, Grow, grown_in_memory

SAMPLES = 30_000
NAME = "GroundTruth"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def grown_in_heap(column: npt.NDArray[Any], capacity: int) -> npt.NDArray[Any]:
    """Where it is counted: the control."""
    return np.resize(column, max(capacity, 2 * len(column)))


def flown(catalogue: Catalogue, grow: Grow) -> tuple[Recording, int]:
    """A recording of many samples, and how many bytes of memory it holds."""
    definition = catalogue.find(NAME)
    payloads = [bytes([number]) * definition.size for number in range(256)]
    before, _ = tracemalloc.get_traced_memory()
    recording = Recording("made up", grow=grow)
    for number in range(SAMPLES):
        recording.append(number * 0.02, definition, 0, payloads[number % 256])
    after, _ = tracemalloc.get_traced_memory()
    return recording, after - before


@pytest.mark.slow
def test_a_long_flight_is_not_held_in_memory(tmp_path: Path, catalogue: Catalogue) -> None:
    kept, kept_bytes = flown(catalogue, grown_in_heap)
    spilt, spilt_bytes = flown(catalogue, DiskColumns(tmp_path).grown)
    size = catalogue.find(NAME).size * SAMPLES
    assert kept_bytes > size > 2 * LEAST_BYTES
    assert spilt_bytes < kept_bytes - size
    a, b = kept.track(NAME), spilt.track(NAME)
    assert a is not None
    assert b is not None
    assert a.rows.tobytes() == b.rows.tobytes()
    for t in (0.0, 299.99, 499.98):
        assert a.index_at(t) == b.index_at(t)


def begun(folder: Path) -> npt.NDArray[np.float64]:
    """A column that stands on disk, if the disk takes it."""
    return DiskColumns(folder).grown(np.arange(5.0), LEAST_BYTES)


def test_nothing_is_left_in_the_folder(tmp_path: Path) -> None:
    column = begun(tmp_path)
    column[:] = 7.0
    assert column.sum() == 7.0 * len(column)
    assert list(tmp_path.iterdir()) == []


def test_a_column_grows_with_its_file_and_is_not_copied(tmp_path: Path) -> None:
    column = begun(tmp_path)
    assert column[:5].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    larger = DiskColumns(tmp_path).grown(column, len(column) + 1)
    assert 0 < larger.nbytes - column.nbytes <= STEP_BYTES
    column[3] = 33.0  # what a reader still holds is the same memory
    assert larger[:5].tolist() == [0.0, 1.0, 2.0, 33.0, 4.0]
    del column
    larger[-1] = 8.0
    assert larger[3] == 33.0


def test_a_disk_that_is_full_later_costs_memory_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = begun(tmp_path)
    column[-1] = 9.0
    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    larger = DiskColumns(tmp_path).grown(column, len(column) + 1)
    column[3] = 33.0
    assert larger[:5].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert larger[len(column) - 1] == 9.0


def full(*_arguments: object) -> None:
    raise OSError("No space left on device")


def test_without_posix_fallocate_the_room_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "posix_fallocate", raising=False)
    column = begun(tmp_path)
    column[:] = 7.0
    larger = DiskColumns(tmp_path).grown(column, 2 * len(column))
    assert larger[: len(column)].sum() == 7.0 * len(column)
    assert larger[len(column) :].sum() == 0.0


@pytest.mark.parametrize("is_full", [True, False])
def test_a_disk_that_does_not_take_them_costs_memory_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_full: bool
) -> None:
    if is_full:
        monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    column = begun(tmp_path if is_full else tmp_path / "none")
    column[5:] = 1.0
    assert len(column) >= LEAST_BYTES
    assert column[:5].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_columns_of_times_and_rows_grow_each_when_it_is_full(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    """Their items have different sizes, and so their files hold different numbers of them."""
    definition = catalogue.find(NAME)
    recording = Recording("made up", grow=DiskColumns(tmp_path).grown)
    batch = 3 * LEAST_BYTES // definition.size
    for number in range(8):
        times = (np.arange(batch) + number * batch) * 0.02
        rows = np.full((batch, definition.size), number, np.uint8).view(definition.dtype)[:, 0]
        recording.extend(definition, 0, times, rows)
    track = recording.track(NAME)
    assert track is not None
    assert np.array_equal(track.times, np.arange(8 * batch) * 0.02)
    found = track.rows.view(np.uint8).reshape(8, batch, definition.size)
    assert (found == np.arange(8, dtype=np.uint8)[:, np.newaxis, np.newaxis]).all()


def test_a_long_column_in_memory_leaves_no_hole_in_the_heap_when_it_grows() -> None:
    """What it had before is not the heap's, where other things hinder it from being given back."""
    column = np.arange(1000.0)
    heap_bytes, _ = tracemalloc.get_traced_memory()
    while column.nbytes < 64 * LEAST_MAPPED_BYTES:
        column = grown_in_memory(column, len(column) + 1)
    assert column[:1000].tolist() == list(range(1000))
    grown_bytes = tracemalloc.get_traced_memory()[0] - heap_bytes
    assert grown_bytes < LEAST_MAPPED_BYTES
    in_heap = grown_in_heap(column, len(column) + 1)
    assert tracemalloc.get_traced_memory()[0] - heap_bytes > 0.9 * in_heap.nbytes
