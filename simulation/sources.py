"""Which sources an entry of the compiled simulation is made of, as a number for its cache key.

numba's own key sees only the file of the entry itself, not those of the parts it calls.
"""

import ast
import hashlib
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_PACKAGE = __package__


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
        if name.partition(".")[0] == _PACKAGE and name not in seen:
            yield from _files(name, seen)


def _file_of(module: str) -> Path | None:
    stem = _ROOT.joinpath(*module.split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None


def _imported(path: Path) -> Iterator[str]:
    """The absolute names of the modules a file imports from, and of what may be modules there."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
