"""Table export of recorded objects: CSV, Parquet, MATLAB.

As they were sent, a table per object; or, at a rate, all in step, each value as it held at that
time. Nothing is interpolated.
"""

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.base.escaping import csv_text, file_name_text
from telemetry.base.safe_files import whole_file
from telemetry.base.table_files import save_parquet
from telemetry.protocol.objects.definition import FieldDefinition, FieldType, ObjectDefinition
from telemetry.recording.export.request import (
    ALL,
    ExportRequest,
    Times,
    file_name,
    tracks_by_name,
    writing_to,
)
from telemetry.recording.object_table import columns_of
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track

_ROWS_PER_BLOCK = 50_000
_LOG_DIGITS, _STEP_DIGITS = 3, 6
"""Logs know milliseconds; steps may lie between two of them."""

_Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class ObjectTable:
    """Rows of an object over time. `is_known` is False where nothing had been sent yet."""

    name: str
    definition: ObjectDefinition
    times: Times
    instances: npt.NDArray[np.int64]
    rows: npt.NDArray[Any]
    is_known: npt.NDArray[np.bool_]


def export_csv(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write CSV files into `folder` and return them.

    Columns: time_s, instance, then every field, or every element as Field.element; options as
    text. An object without a sample gives no file. At a rate: one file of all, with the columns
    time_s and Object.Field, empty where nothing had been sent yet. Raises ExportError.
    """
    if request.rate_hz is None:
        tables = list(_sent(recording, request))
        return _write_each(tables, folder, ".csv", request, _write_csv)
    path = folder / file_name(recording, ".csv")
    steps = request.steps(recording)
    with writing_to(folder), whole_file(path) as fresh:
        _write_wide_csv(fresh, steps, list(_held(recording, request, steps)))
    return [path]


def export_parquet(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """The same as Parquet files, with the unit behind each column's name: "Field [unit]"; and,
    unless objects are named or a rate is given, one of each stream (see `media_columns`). Raises
    ExportError and, without pyarrow, TableError."""
    if request.rate_hz is None:
        tables = list(_sent(recording, request))
        files = _write_each(tables, folder, ".parquet", request, _write_parquet)
        return files if request.objects else [*files, *_write_streams(recording, folder, request)]
    path = folder / file_name(recording, ".parquet")
    steps = request.steps(recording)
    columns: dict[str, _Column] = {"time_s": steps}
    for table in _held(recording, request, steps):
        for heading, values in columns_of(table.definition, table.rows).items():
            columns[f"{table.name}.{heading}"] = _with_gaps(values, table.is_known)
    with writing_to(folder), whole_file(path) as fresh:
        save_parquet(columns, fresh)
    return [path]


def export_mat(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write one MATLAB file (version 5): a struct per object with time_s, instance, and a member
    per field, samples x elements; options as numbers, with their names in Field_options and
    Field_option_values, and units in Field_unit. At a rate all objects have the same times, and NaN
    stands where nothing had been sent yet. Raises ExportError.
    """
    from scipy.io import savemat

    if request.rate_hz is None:
        tables = list(_sent(recording, request))
    else:
        tables = list(_held(recording, request, request.steps(recording)))
    structs = {_variable(table.name): _struct(table) for table in tables}
    path = folder / file_name(recording, ".mat")
    with writing_to(folder), whole_file(path) as fresh, fresh.open("wb") as file:
        savemat(file, structs, long_field_names=True)
    return [path]


# What is written


def _sent(recording: Recording, request: ExportRequest) -> Iterator[ObjectTable]:
    """What was sent within the span, an object without any left out."""
    for name, tracks in tracks_by_name(recording, request.objects).items():
        spans = [(track, *track.range(request.start_s, request.end_s)) for track in tracks]
        times = np.concatenate([track.times[start:stop] for track, start, stop in spans])
        instances = np.concatenate([np.full(stop - a, track.instance) for track, a, stop in spans])
        rows = np.concatenate([track.rows[start:stop] for track, start, stop in spans])
        order = np.argsort(times, kind="stable")
        if len(order):
            known = np.ones(len(order), np.bool_)
            definition = tracks[0].definition
            yield ObjectTable(name, definition, times[order], instances[order], rows[order], known)


def _held(recording: Recording, request: ExportRequest, steps: Times) -> Iterator[ObjectTable]:
    """What held at each step, an instance to a table; what was not known by the end is left out."""
    for name, tracks in tracks_by_name(recording, request.objects).items():
        for track in tracks:
            which = track.times.searchsorted(steps, "right") - 1
            if len(which) and which[-1] >= 0:
                label = f"{name}[{track.instance}]" if track.instance else name
                yield _held_table(label, track, steps, which)


def _held_table(name: str, track: Track, steps: Times, which: npt.NDArray[np.intp]) -> ObjectTable:
    rows = track.rows[np.maximum(which, 0)]
    instances = np.full(len(steps), track.instance)
    return ObjectTable(name, track.definition, steps, instances, rows, which >= 0)


def _with_gaps(values: _Column, is_known: npt.NDArray[np.bool_]) -> _Column:
    """The values, with NaN for numbers and None for texts where nothing was known."""
    if is_known.all():
        return values
    is_text = values.dtype == object
    gapped = values.copy() if is_text else values.astype(np.float64)
    gapped[~is_known] = None if is_text else np.nan
    return gapped


# CSV and Parquet


def _write_each(
    tables: Sequence[ObjectTable],
    folder: Path,
    suffix: str,
    request: ExportRequest,
    write: Callable[[Path, ObjectTable], None],
) -> list[Path]:
    files: list[Path] = []
    with writing_to(folder):
        for number, table in enumerate(tables):
            request.progress(number, len(tables))
            path = folder / f"{file_name_text(table.name)}{suffix}"
            with whole_file(path) as fresh:
                write(fresh, table)
            files.append(path)
    request.progress(len(tables), len(tables))
    return files


def _write_parquet(path: Path, table: ObjectTable) -> None:
    columns = columns_of(table.definition, table.rows)
    save_parquet({"time_s": table.times, "instance": table.instances, **columns}, path)


def _write_streams(recording: Recording, folder: Path, request: ExportRequest) -> list[Path]:
    """What sensors that look have sent, read from where it was recorded."""
    files: list[Path] = []
    for track in recording.media_tracks():
        from telemetry.recording.media_table import media_columns  # which few recordings need

        columns = media_columns(track, request.start_s, request.end_s)
        if len(columns["time_s"]):
            path = folder / f"{file_name_text(track.description.name)}.parquet"
            with writing_to(folder), whole_file(path) as fresh:
                save_parquet(columns, fresh)
            files.append(path)
    return files


def _write_csv(path: Path, table: ObjectTable) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time_s", "instance", *map(csv_text, _headings(table.definition))])
        for start in range(0, len(table.times), _ROWS_PER_BLOCK):
            block = slice(start, start + _ROWS_PER_BLOCK)
            columns = _columns(table.definition, table.rows[block])
            instances = table.instances[block].tolist()
            writer.writerows(
                zip(_seconds(table.times[block], _LOG_DIGITS), instances, *columns, strict=True)
            )


def _write_wide_csv(path: Path, steps: Times, tables: Sequence[ObjectTable]) -> None:
    headings = [f"{table.name}.{text}" for table in tables for text in _headings(table.definition)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time_s", *map(csv_text, headings)])
        for start in range(0, len(steps), _ROWS_PER_BLOCK):
            block = slice(start, start + _ROWS_PER_BLOCK)
            columns = [
                _blanked(column, table.is_known[block])
                for table in tables
                for column in _columns(table.definition, table.rows[block])
            ]
            writer.writerows(zip(_seconds(steps[block], _STEP_DIGITS), *columns, strict=True))


def _seconds(times: Times, digits: int) -> list[str]:
    return [f"{t:.{digits}f}" for t in times.tolist()]


def _blanked(column: list[Any], is_known: npt.NDArray[np.bool_]) -> list[Any]:
    first = len(column) if not is_known.any() else int(np.argmax(is_known))
    return [""] * first + column[first:]


def _headings(definition: ObjectDefinition) -> Iterator[str]:
    for field in definition.fields:
        if field.elements == 1:
            yield field.name
        else:
            for index in range(field.elements):
                yield f"{field.name}.{field.element_label(index)}"


def _columns(definition: ObjectDefinition, rows: npt.NDArray[Any]) -> Iterator[list[Any]]:
    for field in definition.fields:
        values = rows[field.name].reshape(len(rows), field.elements)
        for index in range(field.elements):
            yield _texts(field, values[:, index])


def _texts(field: FieldDefinition, values: npt.NDArray[Any]) -> list[Any]:
    """Options by name; floats with as many digits as tell them apart."""
    if field.type is FieldType.ENUM and field.options:
        numbers = values.tolist()
        texts = {number: csv_text(field.option_text(number)) for number in set(numbers)}
        return [texts[number] for number in numbers]
    if field.type is FieldType.FLOAT:
        return values.astype("U").tolist()  # type: ignore[no-any-return]
    return values.tolist()  # type: ignore[no-any-return]


# MATLAB


def _variable(name: str) -> str:
    """A name that MATLAB takes: Waypoint[2] becomes Waypoint_2."""
    return "".join(letter if letter.isalnum() else "_" for letter in name).rstrip("_")


def _struct(table: ObjectTable) -> dict[str, Any]:
    members: dict[str, Any] = {"time_s": table.times, "instance": table.instances}
    for field in table.definition.fields:
        numbers = table.rows[field.name].reshape(len(table.rows), field.elements)
        name = _variable(field.name)
        members[name] = _with_gaps(numbers, table.is_known)
        if field.type is FieldType.ENUM and field.options:
            members[f"{name}_options"] = np.array(field.options, dtype=object)
            members[f"{name}_option_values"] = np.array(field.option_values)
        elif field.units.strip():
            members[f"{name}_unit"] = field.units.strip()
    return members
