"""Board storage: the saved objects that survive a restart, in memory or in one JSON file."""

import json
import re
from pathlib import Path
from typing import Any

from telemetry.base.safe_files import replace_file, set_aside
from telemetry.base.text_formats import parse_json, read_limited

_ERASED = "erased"
_KEY = re.compile("[0-9A-Fa-f]{8}:[0-9]{1,5}")


class Storage:
    """Saved payloads by object id and instance. With a path every change is written to it.

    `is_erased`: nothing counts that was on the board before it was erased. `problem` is a sentence
    about a file that could not be read; empty if there is none.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open `path` if it exists. A file that cannot be understood is moved aside."""
        self.problem = ""
        self._path = path
        self._saved: dict[tuple[int, int], bytes] = {}
        self._deleted: set[tuple[int, int]] = set()
        self.is_erased = False
        self._is_unread = False
        if path is not None and path.is_file():
            self._read(path)

    @classmethod
    def erased(cls) -> "Storage":
        """In memory, of a board that nobody has set up."""
        storage = cls()
        storage.erase()
        return storage

    def saved(self) -> tuple[tuple[int, int], ...]:
        """The object ids and instances that are saved."""
        return tuple(self._saved)

    def load(self, object_id: int, instance: int) -> bytes | None:
        """What was saved, or None."""
        return self._saved.get((object_id, instance))

    def has_forgotten(self, object_id: int, instance: int) -> bool:
        """Whether what the board came with was deleted, or erased with all else."""
        return self.is_erased or (object_id, instance) in self._deleted

    def save(self, object_id: int, instance: int, payload: bytes) -> bool:
        """Remember a payload; say whether it can be read back."""
        self._saved[(object_id, instance)] = payload
        return self._write() and self.load(object_id, instance) == payload

    def delete(self, object_id: int, instance: int) -> bool:
        """Forget one payload; forgetting what was never saved is fine."""
        self._saved.pop((object_id, instance), None)
        self._deleted.add((object_id, instance))
        return self._write()

    def erase(self) -> bool:
        """Forget everything."""
        self._saved.clear()
        self._deleted.clear()
        self.is_erased = True
        return self._write()

    def _write(self) -> bool:
        """Write the file atomically; a full or read-only disk is an answer, not a crash."""
        if self._path is None:
            return True
        if self._is_unread:
            return False
        content: dict[str, Any] = {_ERASED: True} if self.is_erased else {}
        content |= {_text(key): None for key in self._deleted}
        content |= {_text(key): data.hex() for key, data in self._saved.items()}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, json.dumps(content, indent=1).encode())
        except OSError:
            return False
        return True

    def _read(self, path: Path) -> None:
        try:
            content = parse_json(read_limited(path))
            is_erased = content.pop(_ERASED, False) is True
            saved = {_key(text): bytes.fromhex(data) for text, data in content.items() if data}
            deleted = {_key(text) for text, data in content.items() if data is None}
        except OSError as error:
            self._is_unread = True
            self.problem = (
                f"What the simulated board had saved in {path.name} could not be read now "
                f"({error.strerror or error}); it starts as delivered, and saves nothing there."
            )
            return
        except (ValueError, AttributeError, TypeError) as error:
            kept = set_aside(path)
            where = f" It is kept as {kept}." if kept else ""
            self.problem = (
                f"What the simulated board had saved in {path.name} could not be read ({error}); "
                f"it starts as delivered.{where}"
            )
            return
        self._saved, self._deleted, self.is_erased = saved, deleted, is_erased


def _text(key: tuple[int, int]) -> str:
    return f"{key[0]:08X}:{key[1]}"


def _key(text: str) -> tuple[int, int]:
    if not _KEY.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no object")
    object_id, instance = text.split(":")
    return int(object_id, 16), int(instance)
