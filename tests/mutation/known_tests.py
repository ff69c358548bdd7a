"""Which tests run a function or a line, and how long they take: made of what `recorder` kept.

It is kept by function, so that it stays of use after others were changed: the lines of a function
count from its first, and hold as long as its text is the same.
"""

import ast
import gzip
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from coverage.numbits import numbits_to_nums

from tests.mutation.places import MODULE

_FORMAT: Final = 1


@dataclass
class Function:
    """What is known of a function: a digest of its text, and which tests (by number) run which of
    its lines; `made` are tests that run it in their fixtures, which others may share."""

    digest: str
    lines: dict[int, set[int]] = field(default_factory=dict)
    made: set[int] = field(default_factory=set)


@dataclass
class KnownTests:
    """All tests that have passed, with their processor time in seconds, and what they run."""

    ids: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    functions: dict[str, dict[str, Function]] = field(default_factory=dict)

    def running(self, file: str, function: str, digest: str, lines: Iterable[int]) -> set[int]:
        """The tests that run one of these lines, counted from the first one of their function, or
        all that run the function if its text is another one by now."""
        known = self.functions.get(file, {}).get(function)
        if known is None:
            return set()
        if known.digest != digest:
            lines = known.lines
        return set().union(*(known.lines.get(line, set()) for line in lines))

    def of_file(self, file: str) -> set[int]:
        """The tests that run any function of a file."""
        functions = self.functions.get(file, {}).values()
        return set().union(*(tests for one in functions for tests in one.lines.values()))

    def made(self, file: str, function: str) -> set[int]:
        """The tests in whose fixtures a function is run."""
        known = self.functions.get(file, {}).get(function)
        return known.made if known else set()

    def save(self, path: Path) -> None:
        """Write it, compressed."""
        functions = {
            file: {
                name: [
                    one.digest,
                    {line: sorted(tests) for line, tests in one.lines.items()},
                    sorted(one.made),
                ]
                for name, one in found.items()
            }
            for file, found in self.functions.items()
        }
        with gzip.open(path, "wt", encoding="utf-8", compresslevel=3) as written:
            json.dump([_FORMAT, self.ids, self.seconds, functions], written)


def load(path: Path) -> KnownTests:
    """What `save` has written."""
    with gzip.open(path, "rt", encoding="utf-8") as read:
        _, ids, seconds, functions = json.load(read)
    return KnownTests(
        ids,
        seconds,
        {
            file: {name: _function(*one) for name, one in found.items()}
            for file, found in functions.items()
        },
    )


def _function(digest: str, lines: dict[str, list[int]], made: list[int]) -> Function:
    return Function(digest, {int(line): set(tests) for line, tests in lines.items()}, set(made))


def gather(tree: Path, folders: Iterable[Path]) -> KnownTests:
    """What recorders have kept of runs in this tree."""
    known = KnownTests()
    numbers: dict[str, int] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.times")):
            for line in path.read_text(encoding="utf-8").splitlines():
                test, seconds, passed = json.loads(line)
                if passed and test not in numbers:
                    numbers[test] = len(known.ids)
                    known.ids.append(test)
                    known.seconds.append(seconds)
    for folder in folders:
        for path in sorted(folder.glob("*.coverage")):
            _add(known, tree, path, numbers)
    return known


def _add(known: KnownTests, tree: Path, path: Path, numbers: dict[str, int]) -> None:
    with sqlite3.connect(path) as data:
        contexts = dict(data.execute("select id, context from context"))
        files = dict(data.execute("select id, path from file"))
        for number, path_of in files.items():
            file = Path(path_of)
            if not file.is_file() or not file.is_relative_to(tree):
                continue
            name = file.relative_to(tree).as_posix()
            spans = functions_of(file.read_bytes())
            owners = _owners(spans)
            functions = known.functions.setdefault(name, {})
            rows = data.execute(
                "select context_id, numbits from line_bits where file_id = ?", (number,)
            )
            for context, bits in rows:
                test, _, phase = contexts[context].rpartition("|")
                if test not in numbers:
                    continue
                for line in numbits_to_nums(bits):
                    owner, first, digest = owners.get(line, (MODULE, 1, ""))
                    function = functions.setdefault(owner, Function(digest))
                    function.lines.setdefault(line - first, set()).add(numbers[test])
                    if phase == "setup":
                        function.made.add(numbers[test])


def _owners(spans: dict[str, tuple[int, int, str]]) -> dict[int, tuple[str, int, str]]:
    owners = {}
    for name, (first, last, digest) in spans.items():  # those inside come after those outside
        for line in range(first, last + 1):
            owners[line] = (name, first, digest)
    return owners


def functions_of(source: bytes) -> dict[str, tuple[int, int, str]]:
    """First and last line of each function, and a digest of its text."""
    lines = source.splitlines()
    found = {}
    for name, node in _functions(ast.parse(source), ()):
        first, last = node.lineno, node.end_lineno or node.lineno
        text = b"\n".join(lines[first - 1 : last])
        found[name] = (first, last, hashlib.sha256(text).hexdigest()[:12])
    return found


def _functions(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield ".".join((*names, name)), child
                yield from _functions(child, (*names, name))
            case ast.ClassDef(name=name):
                yield from _functions(child, (*names, name))
            case ast.stmt():
                yield from _functions(child, names)
