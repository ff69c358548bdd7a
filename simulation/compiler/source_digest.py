"""Source digest of a compiled entry, as a number for its cache key."""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from telemetry.base.installation import ROOT

_IMPORT = re.compile(r"^ *from (simulation[.\w]*) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)


def sources_digest(module: str) -> int:
    """A number that changes with the source of `module` and of what it imports of this package,
    directly or not. Make it a constant of the entry."""
    digest = hashlib.sha256()
    for path in sorted(set(_files(module, set()))):
        digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:6], "big")


def _files(module: str, seen: set[str]) -> Iterator[Path]:
    seen.add(module)
    path = _file_of(module)
    if path is None:
        return  # a name within a module
    yield path
    for name in _imported(path):
        if name not in seen:
            yield from _files(name, seen)


def _file_of(module: str) -> Path | None:
    stem = ROOT.joinpath(*module.split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None


@cache
def _imported(path: Path) -> tuple[str, ...]:
    """The names of the modules of this package that a file imports from, and of what may be
    modules there. Looked for line by line, because parsing takes a tenth of the start's time."""
    names: list[str] = []
    for module, several, some in _IMPORT.findall(path.read_text(encoding="utf-8")):
        names.append(module)
        names += [
            f"{module}.{name.split()[0]}" for name in (several or some).split(",") if name.strip()
        ]
    return tuple(names)
