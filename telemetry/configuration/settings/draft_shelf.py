"""What is staged for each board, kept while the board is away: over a reconnection, a change of
boards behind a link, and the end of the station.

One JSON file per board, readable, replaced in one step; none while nothing is staged.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from telemetry.configuration.settings.files import replace_file
from telemetry.configuration.settings.snapshot import Address
from telemetry.recording.sample import Value

Staged = Mapping[Address, Mapping[str, Value]]
"""Staged values by object and path."""

_VERSION = 1


class Shelf(Protocol):
    """Staged values by board."""

    def put(self, board: str, staged: Staged) -> None:
        """Remember what is staged for a board, instead of what was before."""

    def get(self, board: str) -> Staged:
        """What was staged for a board when it was last here."""


class MemoryShelf:
    """Remembers as long as the process lives."""

    def __init__(self) -> None:
        self._staged: dict[str, Staged] = {}

    @property
    def boards(self) -> tuple[str, ...]:
        """The boards for which something is remembered."""
        return tuple(self._staged)

    def put(self, board: str, staged: Staged) -> None:
        """See `Shelf.put`."""
        self._staged[board] = staged

    def get(self, board: str) -> Staged:
        """See `Shelf.get`."""
        return self._staged.get(board, {})


class DraftShelf:
    """Remembers in memory at once and on disk at the next `flush`, which any one thread may call.

    `problem` says why the last flush failed; it is tried again with the next one.
    """

    def __init__(self, folder: Path) -> None:
        self.problem = ""
        self._folder = folder
        self._staged: dict[str, Staged] = {}
        self._fresh: dict[str, Staged] = {}

    @property
    def has_news(self) -> bool:
        """Whether something is not on disk yet."""
        return bool(self._fresh)

    def put(self, board: str, staged: Staged) -> None:
        """See `Shelf.put`."""
        if staged != self.get(board):
            self._staged[board] = self._fresh[board] = staged

    def get(self, board: str) -> Staged:
        """See `Shelf.get`. A file that cannot be understood counts as none."""
        if board not in self._staged:
            self._staged[board] = _read(self._path(board))
        return self._staged[board]

    def flush(self) -> None:
        """Write what has changed."""
        self.problem = ""
        while self._fresh:
            board, staged = self._fresh.popitem()
            try:
                self._write(board, staged)
            except OSError as error:
                self._fresh.setdefault(board, staged)
                self.problem = (
                    f"Staged settings are not kept over an end of Lapwing: {self._path(board)} "
                    f"cannot be written ({error.strerror}). Make room there, or apply them first."
                )
                return

    def _path(self, board: str) -> Path:
        return self._folder / f"{board}.json"

    def _write(self, board: str, staged: Staged) -> None:
        path = self._path(board)
        if not staged:
            path.unlink(missing_ok=True)
            return
        objects = [
            {"object": name, "instance": instance, "values": dict(values)}
            for (name, instance), values in staged.items()
        ]
        content = {"version": _VERSION, "board": board, "staged": objects}
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(content, indent=2, ensure_ascii=False).encode())


def _read(path: Path) -> Staged:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {_address(entry): _values(entry["values"]) for entry in content["staged"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _address(entry: Mapping[str, Any]) -> Address:
    return str(entry["object"]), int(entry["instance"])


def _values(entry: Any) -> dict[str, Value]:
    values = entry.values() if isinstance(entry, dict) else [None]
    if not all(isinstance(value, str | int | float) for value in values):
        raise ValueError("staged values are numbers and texts by path")
    return dict(entry)
