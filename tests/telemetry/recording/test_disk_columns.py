"""Long columns stand on disk and read as those in memory do."""

import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from telemetry.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.disk_columns import LEAST_BYTES, DiskColumns
from telemetry.recording.recording import Recording
from telemetry.recording.track import Allocate

SAMPLES = 60_000
NAME = "GroundTruth"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def flown(catalogue: Catalogue, allocate: Allocate) -> tuple[Recording, int]:
    """A recording of many samples, and how many bytes of memory it holds."""
    definition = catalogue.find(NAME)
    payloads = [bytes([number]) * definition.size for number in range(256)]
    before, _ = tracemalloc.get_traced_memory()
    recording = Recording("made up", allocate=allocate)
    for number in range(SAMPLES):
        recording.append(number * 0.02, definition, 0, payloads[number % 256])
    after, _ = tracemalloc.get_traced_memory()
    return recording, after - before


@pytest.mark.slow
def test_a_long_flight_is_not_held_in_memory(tmp_path: Path, catalogue: Catalogue) -> None:
    kept, kept_bytes = flown(catalogue, np.empty)
    spilt, spilt_bytes = flown(catalogue, DiskColumns(tmp_path).allocate)
    size = catalogue.find(NAME).size * SAMPLES
    assert kept_bytes > size > 2 * LEAST_BYTES
    assert spilt_bytes < kept_bytes - size
    a, b = kept.track(NAME), spilt.track(NAME)
    assert a is not None
    assert b is not None
    assert a.rows.tobytes() == b.rows.tobytes()
    for t in (0.0, 599.99, 1199.98):
        assert a.index_at(t) == b.index_at(t)


def test_nothing_is_left_in_the_folder(tmp_path: Path) -> None:
    column = DiskColumns(tmp_path).allocate(LEAST_BYTES, np.float64)
    column[:] = 7.0
    assert column.sum() == 7.0 * LEAST_BYTES
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_full", [True, False])
def test_a_disk_that_does_not_take_them_costs_memory_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_full: bool
) -> None:
    def full(*_arguments: object) -> None:
        raise OSError("No space left on device")

    folder = tmp_path if is_full else tmp_path / "none"
    if is_full:
        monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    column = DiskColumns(folder).allocate(LEAST_BYTES, np.float64)
    column[:] = 1.0
    assert len(column) == LEAST_BYTES
