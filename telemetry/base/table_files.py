"""Table files for other programs: columns as a DataFrame of pandas, or a Parquet file."""

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy.typing as npt

from telemetry.base.escaping import utf8_text

if TYPE_CHECKING:
    import pandas as pd

Columns = Mapping[str, npt.NDArray[Any]]
"""By name, all of one length; names end in the unit."""


class TableError(ValueError):
    """A table cannot be made or written. The text is one sentence for the user, with a remedy."""


def frame_of(columns: Columns) -> "pd.DataFrame":
    """The columns as a DataFrame. Raises TableError without pandas."""
    frame: pd.DataFrame = _installed("pandas").DataFrame(dict(columns))
    return frame


def check_tables() -> None:
    """Raises TableError where Parquet files cannot be written."""
    _installed("pyarrow.parquet")


def save_parquet(columns: Columns, path: Path | BinaryIO) -> None:
    """Write the columns as a Parquet file, or into an open one. Raises TableError without pyarrow,
    or if the file cannot be written."""
    named = {utf8_text(name): values for name, values in columns.items()}
    table = _installed("pyarrow").table(named)
    try:
        _installed("pyarrow.parquet").write_table(table, path)
    except OSError as error:
        raise TableError(f"Cannot write {path}: {error.strerror}. Give another file.") from None


def _installed(module: str) -> ModuleType:
    """One of the modules that only tables need."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise TableError(
            f"A table takes {error.name}, which is not installed: pip install 'lapwing[data]'."
        ) from None
