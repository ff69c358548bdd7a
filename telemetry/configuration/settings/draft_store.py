"""Draft store: what is staged for each board, kept while the board is away.

It is kept over a reconnection, a change of boards behind a link, and the end of the station."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from telemetry.base.board_store import BoardStore
from telemetry.base.safe_files import Json
from telemetry.configuration.settings.draft import StagedKey
from telemetry.configuration.settings.snapshot import Address
from telemetry.recording.sample import Value

Staged = Mapping[Address, Mapping[str, Value]]
"""Staged values by object and path."""
_Kept = tuple[Staged, frozenset[StagedKey]]
_NOTHING: Final[_Kept] = {}, frozenset()


class DraftStore:
    """Remembers in memory at once and on disk at the next `flush`, which any one thread may call;
    without a folder, in memory only.

    `problem` says what could not be read, or why the last flush failed; it is tried again with
    the next one.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.problem = ""
        self._files: BoardStore[_Kept] = BoardStore(folder, _pack, _parse)
        self._kept: dict[str, _Kept] = {}
        self._unwritten: dict[str, _Kept] = {}

    @property
    def is_unwritten(self) -> bool:
        """Whether something is not on disk yet."""
        return bool(self._unwritten)

    def put(self, board: str, staged: Staged, foreign: frozenset[StagedKey] = frozenset()) -> None:
        """Remember what is staged for a board, instead of what was before; `foreign`: what of it
        is another aircraft's."""
        if (staged, foreign) != self._of(board):
            self._kept[board] = self._unwritten[board] = staged, foreign

    def get(self, board: str) -> Staged:
        """What was staged for a board when it was last here."""
        return self._of(board)[0]

    def foreign(self, board: str) -> frozenset[StagedKey]:
        """What of that is another aircraft's."""
        return self._of(board)[1]

    def flush(self) -> None:
        """Write what has changed."""
        while self._unwritten:
            board, kept = self._unwritten.popitem()
            if not self._files.put(board, kept if kept[0] else None):
                self._unwritten.setdefault(board, kept)
                self.problem = (
                    f"Staged settings are not kept over an end of Lapwing: {self._files.problem} "
                    "Make room there, or apply them first."
                )
                return
            self.problem = ""

    def _of(self, board: str) -> _Kept:
        if board not in self._kept:
            self._kept[board] = self._files.get(board) or _NOTHING
            self.problem = self._files.problem or self.problem
        return self._kept[board]


def values_from_json(content: Mapping[str, Any]) -> dict[str, Value]:
    """Values by path, as settings can hold them. Raises ValueError for anything else."""
    for value in content.values():
        is_number = isinstance(value, int | float) and math.isfinite(value)
        if not isinstance(value, str) and not is_number:
            raise ValueError(f"{value!r} is no value of a setting")
    return dict(content)


def _pack(kept: _Kept) -> Json:
    objects = [
        {"object": name, "instance": instance, "values": dict(values)}
        for (name, instance), values in kept[0].items()
    ]
    return {"staged": objects, "foreign": [list(key) for key in sorted(kept[1])]}


def _parse(content: Json) -> _Kept:
    staged = {
        (str(entry["object"]), int(entry["instance"])): values_from_json(entry["values"])
        for entry in content["staged"]
    }
    foreign = content.get("foreign", ())  # earlier versions wrote none
    return staged, frozenset((str(name), int(i), str(path)) for name, i, path in foreign)
