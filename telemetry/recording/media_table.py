"""Media table: a media track as columns for other programs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.base.table_files import Columns
from telemetry.protocol.streams.samples import (
    ScanSample,
    StreamError,
    StreamKind,
    ValueSample,
    value_names,
)
from telemetry.recording.media_track import MediaTrack


def media_columns(
    track: MediaTrack, start_s: float | None = None, end_s: float | None = None
) -> Columns:
    """One row a sample with start_s <= time <= end_s that is there; None leaves an end open.

    `time_s` (of the flight), `time_us` (the sensor's stamp) and `number`. Of scans `ranges_m` and,
    where there are some, `intensities`, an array in each row; of values a column "name [unit]"
    each. Pictures stay in their video. Reads all of it from disk.
    """
    rows = range(*track.range(start_s, end_s))
    if track.description.kind is StreamKind.PICTURES:
        return _index(track, list(rows))
    samples = {row: sample for row in rows if (sample := track.sample(row)) is not None}
    scans = [one for one in samples.values() if isinstance(one, ScanSample)]
    values = [one.values for one in samples.values() if isinstance(one, ValueSample)]
    columns = dict(_index(track, list(samples)))
    if scans:
        columns["ranges_m"] = _objects([one.ranges_m for one in scans])
        if any(one.intensities is not None for one in scans):
            columns["intensities"] = _objects([one.intensities for one in scans])
    if values:
        rows_by_value = np.stack(values).T
        columns |= dict(zip(_names(track, len(rows_by_value)), rows_by_value, strict=True))
    return columns


def _index(track: MediaTrack, rows: list[int]) -> Columns:
    return {
        "time_s": track.times[rows],
        "time_us": track.stamps_us[rows],
        "number": track.numbers[rows],
    }


def _objects(arrays: Sequence[npt.NDArray[Any] | None]) -> npt.NDArray[Any]:
    """A column of arrays."""
    column = np.empty(len(arrays), object)
    for row, array in enumerate(arrays):
        column[row] = array
    return column


def _names(track: MediaTrack, count: int) -> list[str]:
    try:
        named = value_names(track.description)
    except StreamError:
        named = ()
    if len(named) != count:
        return [f"value_{number}" for number in range(count)]
    return [f"{name} [{unit}]" if unit else name for name, unit in named]
