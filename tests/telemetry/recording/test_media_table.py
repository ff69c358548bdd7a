"""Scans and values as tables of other programs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from telemetry.protocol.streams.samples import StreamDescription, StreamSample
from telemetry.recording.export.request import ExportRequest
from telemetry.recording.export.tables import export_parquet
from telemetry.recording.media_table import media_columns
from telemetry.recording.media_track import MediaTrack
from telemetry.recording.recording import Recording
from tests.telemetry.protocol.streams.samples import CAMERA, FLOW, LIDAR, picture, scan, values


def _track(description: StreamDescription, samples: Sequence[StreamSample]) -> MediaTrack:
    track = MediaTrack(description)
    for sample in samples:
        track.append(2.0 + sample.number, sample)
    return track


def test_scans_and_values_are_columns() -> None:
    columns = media_columns(_track(LIDAR, [scan(0), scan(1)]))
    assert list(columns) == ["time_s", "time_us", "number", "ranges_m", "intensities"]
    np.testing.assert_array_equal(columns["ranges_m"][1], scan(1).ranges_m)
    columns = media_columns(_track(FLOW, [values(0), values(3)]))
    assert columns["x [rad/s]"].tolist() == [0.0, 1.0]
    assert columns["time_s"].tolist() == [2.0, 5.0]


def test_of_pictures_a_table_has_the_stamps() -> None:
    columns = media_columns(_track(CAMERA, [picture(1), picture(4)]))
    assert {name: column.tolist() for name, column in columns.items()} == {
        "time_s": [3.0, 6.0],
        "time_us": [33_333, 133_332],
        "number": [1, 4],
    }


def test_a_sample_that_is_nowhere_is_left_out() -> None:
    track = MediaTrack(LIDAR, memory_bytes=48)
    for number in range(5):
        track.append(float(number), scan(number))
    assert media_columns(track)["number"].tolist() == [3, 4]


def test_a_part_of_the_flight_is_a_part_of_the_table() -> None:
    track = _track(LIDAR, [scan(0), scan(1), scan(2)])
    assert media_columns(track, 2.5, 3.5)["number"].tolist() == [1]


@pytest.mark.slow
def test_the_parquet_export_has_a_file_of_each_stream(tmp_path: Path) -> None:
    from pyarrow import parquet

    recording = Recording()
    recording.add_media(_track(LIDAR, [scan(0), scan(1)]))
    recording.add_media(_track(CAMERA, []))
    assert export_parquet(recording, tmp_path) == [tmp_path / "lidar.parquet"]
    table = parquet.read_table(tmp_path / "lidar.parquet")
    np.testing.assert_array_equal(table["ranges_m"][1].as_py(), scan(1).ranges_m)
    assert table["number"].to_pylist() == [0, 1]
    assert export_parquet(recording, tmp_path, ExportRequest(rate_hz=1.0, end_s=2.0)) == [
        tmp_path / "flight.parquet"
    ]


def test_values_without_names_or_units_are_numbered_or_bare() -> None:
    unnamed = replace(FLOW, details={})
    columns = media_columns(_track(unnamed, [values(3)]))
    assert columns["value_0"].tolist() == [1.0]
    assert columns["value_1"].tolist() == [-1e-300]
    bare = replace(FLOW, details={"names": ["x", "y"], "units": ["", "m"]})
    assert list(media_columns(_track(bare, [values(3)])))[3:] == ["x", "y [m]"]


def test_scans_have_their_stamps_and_what_came_back() -> None:
    columns = media_columns(_track(LIDAR, [scan(1), scan(2)]))
    assert columns["time_us"].tolist() == [25_000, 50_000]
    np.testing.assert_array_equal(columns["intensities"][0], scan(1).intensities)
    plain = media_columns(_track(LIDAR, [scan(0, has_intensities=False)]))
    assert list(plain) == ["time_s", "time_us", "number", "ranges_m"]
