"""Registry: a table of the product that plugins can add rows to, and who brings their rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final, Protocol, TypeVar

Row = TypeVar("Row")


class Contributor(Protocol):
    """Brings the rows of plugins. `table` is what `plugins.api.Plugin` calls them."""

    def rows(self, table: str) -> Iterable[tuple[str, Any]]:
        """Those of one table, each with its key."""

    def refuse(self, table: str, key: str) -> None:
        """Take note of a row that was left out, because another has its key."""


class Registry(Mapping[str, Row]):
    """Rows by their key: the product's first, then those of plugins, which are asked for when the
    table is first read. For any thread."""

    def __init__(self, table: str, own: Mapping[str, Row]) -> None:
        self._table, self._own = table, own
        self._merged: tuple[_Source | None, Mapping[str, Row]] = None, own

    def __getitem__(self, key: str) -> Row:
        return self._rows()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows())

    def __len__(self) -> int:
        return len(self._rows())

    def _rows(self) -> Mapping[str, Row]:
        source = _SOURCES[-1] if _SOURCES else None
        known_source, known = self._merged
        if source is known_source:
            return known
        rows = self._own if source is None else self._with_rows_of(source.contributor)
        self._merged = source, rows
        return rows

    def _with_rows_of(self, contributor: Contributor) -> Mapping[str, Row]:
        rows = dict(self._own)
        for key, row in contributor.rows(self._table):
            if key in rows:
                contributor.refuse(self._table, key)
            else:
                rows[key] = row
        return rows


@contextmanager
def contributions(make: Callable[[], Contributor]) -> Iterator[None]:
    """Have all registries hold what this contributor brings, meanwhile; it is made when one of them
    is first read. For the composition root."""
    source = _Source(make)
    _SOURCES.append(source)
    try:
        yield
    finally:
        _SOURCES.remove(source)


class _Source:
    def __init__(self, make: Callable[[], Contributor]) -> None:
        self._make = make

    @cached_property
    def contributor(self) -> Contributor:
        return self._make()


_SOURCES: Final[list[_Source]] = []
"""The newest counts."""
