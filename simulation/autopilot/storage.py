"""What the board remembers over a restart: saved objects, in memory or in one JSON file."""

import json
from pathlib import Path


class Storage:
    """Saved payloads by object id and instance. With a path every change is written to it."""

    def __init__(self, path: Path | None = None) -> None:
        """Open `path` if it exists. A file that cannot be understood counts as empty."""
        self._path = path
        self._saved: dict[tuple[int, int], bytes] = {}
        if path is not None and path.is_file():
            self._saved = _read(path)

    def saved(self) -> tuple[tuple[int, int], ...]:
        """The object ids and instances that are saved."""
        return tuple(self._saved)

    def load(self, object_id: int, instance: int) -> bytes | None:
        """What was saved, or None."""
        return self._saved.get((object_id, instance))

    def save(self, object_id: int, instance: int, payload: bytes) -> bool:
        """Remember a payload; say whether it can be read back."""
        self._saved[(object_id, instance)] = payload
        return self._write() and self.load(object_id, instance) == payload

    def delete(self, object_id: int, instance: int) -> bool:
        """Forget one payload; forgetting what was never saved is fine."""
        self._saved.pop((object_id, instance), None)
        return self._write()

    def erase(self) -> bool:
        """Forget everything."""
        self._saved.clear()
        return self._write()

    def _write(self) -> bool:
        """Write the file atomically; a full or read-only disk is an answer, not a crash."""
        if self._path is None:
            return True
        content = {f"{key[0]:08X}:{key[1]}": data.hex() for key, data in self._saved.items()}
        temporary = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(content, indent=1), encoding="utf-8")
            temporary.replace(self._path)
        except OSError:
            return False
        return True


def _read(path: Path) -> dict[tuple[int, int], bytes]:
    saved: dict[tuple[int, int], bytes] = {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        for key, data in content.items():
            object_id, instance = key.split(":")
            saved[(int(object_id, 16), int(instance))] = bytes.fromhex(data)
    except (OSError, ValueError, AttributeError):
        return {}
    return saved
