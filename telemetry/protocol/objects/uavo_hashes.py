"""Hash of definitions: with which release's objects a firmware was built, by the hash it carries.

A firmware's description holds the SHA-1 over the hexadecimal SHA-1 of each definition file of its
sources, by file name, line ends as Unix has them (`make/scripts/version-info.py`).
`resources/objects/uavo_hashes.json` has those of releases, computed so from their sources; what
flights and boards told agrees with it. It says nothing of what is alike in two releases.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from telemetry.base.input_files import files_in, read_bytes
from telemetry.base.installation import RESOURCES
from telemetry.base.text_formats import parse_json, read_limited
from telemetry.protocol.objects.xml_tree import LARGEST_BYTES

_FILE: Final = RESOURCES / "objects" / "uavo_hashes.json"
_MOST_FILES: Final = 5000


def release_of_hash(uavo_hash: str) -> str:
    """The release with these definitions, as the catalogue calls it; "" where none is known."""
    return _releases().get(uavo_hash.lower(), "")


def definitions_hash(folder: Path) -> str:
    """The same hash over the definition files of a folder; "" where it has none. Raises OSError."""
    files = [path for path in files_in(folder, _MOST_FILES) if path.suffix == ".xml"]
    whole = hashlib.sha1(usedforsecurity=False)
    for path in files:
        data = read_bytes(path, LARGEST_BYTES).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        whole.update(hashlib.sha1(data, usedforsecurity=False).hexdigest().encode())
    return whole.hexdigest() if files else ""


@cache
def _releases() -> dict[str, str]:
    found: dict[str, str] = parse_json(read_limited(_FILE))
    return found
