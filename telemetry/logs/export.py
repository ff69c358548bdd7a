"""Writes recorded objects as tables that other programs read."""

import csv
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.objects.definition import FieldDefinition, FieldType, ObjectDefinition
from telemetry.recording.object_table import columns_of
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track
from telemetry.table_files import save_parquet

_ROWS_PER_BLOCK = 50_000


class ExportError(Exception):
    """An export that cannot be done. One sentence for the user, with a remedy."""


def export_csv(
    recording: Recording,
    folder: Path,
    objects: Sequence[str] = (),
    t0: float | None = None,
    t1: float | None = None,
) -> list[Path]:
    """Write one table per object into `folder` and return the files.

    Columns: time_s, instance, then every field, or every element as Field.element; options as
    text. `objects` are names; none means all but the metaobjects. Only samples with
    t0 <= time_s <= t1 are written; an object without any gives no file. Raises ExportError.
    """
    return _export(recording, folder, objects, (t0, t1), (".csv", _write_csv))


def export_parquet(
    recording: Recording,
    folder: Path,
    objects: Sequence[str] = (),
    t0: float | None = None,
    t1: float | None = None,
) -> list[Path]:
    """The same as Parquet files, with the unit behind each column's name: "Field [unit]". Raises
    ExportError and, without pyarrow, TableError."""
    return _export(recording, folder, objects, (t0, t1), (".parquet", _write_parquet))


_Table = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[Any]]
_Span = tuple[float | None, float | None]
_Write = Callable[[Path, ObjectDefinition, _Table], None]


def _export(
    recording: Recording,
    folder: Path,
    objects: Sequence[str],
    span: _Span,
    form: tuple[str, _Write],
) -> list[Path]:
    _check_names(recording, objects)
    suffix, write = form
    files: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, tracks in _by_file(recording, objects).items():
            table = _merged(tracks, *span)
            if len(table[0]):
                path = folder / f"{name}{suffix}"
                write(path, tracks[0].definition, table)
                files.append(path)
    except OSError as error:
        raise ExportError(f"Cannot write to {folder}: {error.strerror}.") from error
    return files


def _check_names(recording: Recording, objects: Sequence[str]) -> None:
    for name in objects:
        if not recording.instances(name):
            close = get_close_matches(name, recording.names())
            hint = f"did you mean {' or '.join(close)}" if close else "'lapwing log info' lists all"
            raise ExportError(f"The log has no object '{name}'; {hint}.")


def _by_file(recording: Recording, objects: Sequence[str]) -> dict[str, list[Track]]:
    """Tracks by file name; a second version of a name carries its id."""
    ids_by_name: dict[str, int] = {}
    files: dict[str, list[Track]] = {}
    for track in recording.tracks():
        name, object_id = track.definition.name, track.definition.object_id
        wanted = name in objects if objects else track.definition.meta_of is None
        if wanted:
            first_id = ids_by_name.setdefault(name, object_id)
            file_name = name if first_id == object_id else f"{name}@{object_id:08X}"
            files.setdefault(file_name, []).append(track)
    return files


def _merged(tracks: list[Track], t0: float | None, t1: float | None) -> _Table:
    """Times, instances and rows of all instances within the span, in order of time."""
    spans = [(track, *track.range(t0, t1)) for track in tracks]
    times = np.concatenate([track.times[start:stop] for track, start, stop in spans])
    instances = np.concatenate([np.full(stop - start, t.instance) for t, start, stop in spans])
    rows = np.concatenate([track.rows[start:stop] for track, start, stop in spans])
    order = np.argsort(times, kind="stable")
    return times[order], instances[order], rows[order]


def _write_parquet(path: Path, definition: ObjectDefinition, table: _Table) -> None:
    times, instances, rows = table
    save_parquet({"time_s": times, "instance": instances, **columns_of(definition, rows)}, path)


def _write_csv(path: Path, definition: ObjectDefinition, table: _Table) -> None:
    times, instances, rows = table
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time_s", "instance", *_headings(definition)])
        for start in range(0, len(times), _ROWS_PER_BLOCK):
            block = slice(start, start + _ROWS_PER_BLOCK)
            seconds = [f"{t:.3f}" for t in times[block].tolist()]
            columns = _columns(definition, rows[block])
            writer.writerows(zip(seconds, instances[block].tolist(), *columns, strict=True))


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
        return [field.option_text(value) for value in values.tolist()]
    if field.type is FieldType.FLOAT:
        return values.astype("U").tolist()  # type: ignore[no-any-return]
    return values.tolist()  # type: ignore[no-any-return]
