"""Draft store: what is staged for each board, kept while the board is away.

It is kept over a reconnection, a change of boards behind a link, and the end of the station."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from telemetry.base.board_store import BoardStore
from telemetry.base.safe_files import Json
from telemetry.configuration.settings.snapshot import Address
from telemetry.recording.sample import Value

Staged = Mapping[Address, Mapping[str, Value]]
"""Staged values by object and path."""


class DraftStore:
    """Remembers in memory at once and on disk at the next `flush`, which any one thread may call;
    without a folder, in memory only.

    `problem` says what could not be read, or why the last flush failed; it is tried again with
    the next one.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.problem = ""
        self._files: BoardStore[Staged] = BoardStore(folder, _pack, _parse)
        self._staged: dict[str, Staged] = {}
        self._unwritten: dict[str, Staged] = {}

    @property
    def is_unwritten(self) -> bool:
        """Whether something is not on disk yet."""
        return bool(self._unwritten)

    def put(self, board: str, staged: Staged) -> None:
        """Remember what is staged for a board, instead of what was before."""
        if staged != self.get(board):
            self._staged[board] = self._unwritten[board] = staged

    def get(self, board: str) -> Staged:
        """What was staged for a board when it was last here."""
        if board not in self._staged:
            self._staged[board] = self._files.get(board) or {}
            self.problem = self._files.problem or self.problem
        return self._staged[board]

    def flush(self) -> None:
        """Write what has changed."""
        while self._unwritten:
            board, staged = self._unwritten.popitem()
            if not self._files.put(board, staged or None):
                self._unwritten.setdefault(board, staged)
                self.problem = (
                    f"Staged settings are not kept over an end of Lapwing: {self._files.problem} "
                    "Make room there, or apply them first."
                )
                return
            self.problem = ""


def values_from_json(content: Mapping[str, Any]) -> dict[str, Value]:
    """Values by path, as settings can hold them. Raises ValueError for anything else."""
    for value in content.values():
        is_number = isinstance(value, int | float) and math.isfinite(value)
        if not isinstance(value, str) and not is_number:
            raise ValueError(f"{value!r} is no value of a setting")
    return dict(content)


def _pack(staged: Staged) -> Json:
    objects = [
        {"object": name, "instance": instance, "values": dict(values)}
        for (name, instance), values in staged.items()
    ]
    return {"staged": objects}


def _parse(content: Json) -> Staged:
    return {
        (str(entry["object"]), int(entry["instance"])): values_from_json(entry["values"])
        for entry in content["staged"]
    }
