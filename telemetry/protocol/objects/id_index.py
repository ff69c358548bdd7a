"""Id index of the shipped definitions, made ahead: `make index` writes it.

An id hashes all that a definition says, so whoever looks for one has to read and hash them all.
`resources/objects/ids.json` lists, for each source of definitions, their ids in its own order,
and a digest of the source: where that does not fit, since somebody has changed a definition, the
list is not used.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from telemetry.base.text_formats import FormatError, parse_json, read_limited

INDEX_NAME: Final = "ids.json"


def stored_ids(source: Path) -> tuple[int, ...] | None:
    """The ids of a file or folder of definitions, in its order; None if none are kept for it.

    They stand in the file `INDEX_NAME` beside it.
    """
    try:
        index = parse_json(read_limited(source.parent / INDEX_NAME))
        entry = index[source.name]
        if entry["digest"] != _digest(source):
            return None
        return tuple(int(word, 16) for word in entry["ids"])
    except (OSError, FormatError, LookupError, TypeError, ValueError):
        return None  # the definitions themselves say it, too


def write_ids(folder: Path, ids: Mapping[str, Sequence[int]]) -> None:
    """Write the file `INDEX_NAME` of `folder`: the ids of each source in it, by its name."""
    index: dict[str, Any] = {
        name: {
            "digest": _digest(folder / name),
            "ids": [f"{object_id:08X}" for object_id in found],
        }
        for name, found in ids.items()
    }
    text = json.dumps(index, indent=0)
    (folder / INDEX_NAME).write_text(f"{text}\n", encoding="utf-8")


def _digest(source: Path) -> str:
    """Of a file, or of all definition files in a folder, however their lines end."""
    total = hashlib.sha256()
    for path in sorted(source.glob("*.xml")) if source.is_dir() else [source]:
        content = path.read_bytes().replace(b"\r\n", b"\n")
        total.update(f"{path.name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()
