"""The places of a tree where something can be changed, and a sample of them."""

import ast
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tests.mutation.operators import Statement

_MOTION: Final = ("simulation/physics", "simulation/sensors", "simulation/environment")
_ON_BOARD: Final = (
    "simulation/estimation", "simulation/control", "simulation/mathematics", "simulation/programs",
)  # fmt: skip
_BOARD: Final = ("simulation/autopilot", "simulation/simulator", "simulation/serving")
_SHOWN: Final = ("app", "plugins", "widgets", "telemetry/review", "telemetry/warnings")
AREAS: Final = (
    ("physics and sensors", 15, _MOTION),
    ("estimation and control", 15, _ON_BOARD),
    ("simulated board", 15, _BOARD),
    ("flying", 12, ("telemetry/flying",)),
    ("vehicle", 8, ("telemetry/vehicle",)),
    ("protocol", 12, ("telemetry/protocol",)),
    ("recording", 12, ("telemetry/recording",)),
    ("missions", 10, ("telemetry/missions",)),
    ("configuration", 6, ("telemetry/configuration",)),
    ("what is shown", 5, _SHOWN),
)
"""Name, weight and folders of what is drawn from: most of what flies, is sent or is recorded."""
_TEXTS: Final = {"__repr__", "__str__"}
MODULE: Final = "module"


@dataclass(frozen=True)
class Mutant:
    """A change at its place: `old` became `new`, in the line `line` of a statement that begins with
    `statement` in the line `statement_line`, of a function whose first line is `first_line`."""

    area: str
    file: str
    function: str
    operator: str
    line: int
    statement_line: int
    first_line: int
    statement: str
    old: str
    new: str
    start: int
    end: int

    @property
    def name(self) -> str:
        """Its place, in a line."""
        return f"{self.file}:{self.line} {self.function}, {self.operator}: {self.words}"

    @property
    def words(self) -> str:
        """What became of what."""
        return f"{' '.join(self.old.split())} -> {' '.join(self.new.split())}"

    def apply(self, source: bytes) -> bytes:
        """The file with the change in it."""
        return source[: self.start] + self.new.encode() + source[self.end :]

    def values(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def draw(
    tree: Path, seed: str, count: int, areas: Sequence[tuple[str, int, tuple[str, ...]]] = AREAS
) -> Iterator[Mutant]:
    """Mutants of a tree in an order of chance, the same for the same tree and seed; one a
    statement, as many as `count` if there are so many."""
    chance = random.Random(seed)
    places = {name: _shuffled(chance, tree, folders) for name, _, folders in areas}
    names, weights = [area[0] for area in areas], [area[1] for area in areas]
    for _ in range(count):
        area = chance.choices(names, weights)[0]
        while places[area]:
            file, function, node, first_line = places[area].pop()
            found = changes_at(tree, area, file, function, node, first_line)
            if found:
                kinds = sorted({one.operator for one in found})
                kind = chance.choice(kinds)
                yield chance.choice([one for one in found if one.operator == kind])
                break


_Place = tuple[str, str, ast.stmt, int]


def _shuffled(chance: random.Random, tree: Path, folders: tuple[str, ...]) -> list[_Place]:
    places = [place for folder in folders for place in places_in(tree, folder)]
    chance.shuffle(places)
    return places


def places_in(tree: Path, folder: str) -> Iterator[_Place]:
    """File, function, statement and first line of the function, of all files below a folder, or
    of one file."""
    below = tree / folder
    for path in [below] if below.is_file() else sorted(below.rglob("*.py")):
        if path.name == "__main__.py":
            continue  # begins when it is loaded
        module = ast.parse(path.read_bytes())
        file = path.relative_to(tree).as_posix()
        for function, node, first_line in statements(module.body, (), 1):
            yield file, function, node, first_line


def changes_at(
    tree: Path, area: str, file: str, function: str, node: ast.stmt, first_line: int
) -> list[Mutant]:
    """All mutants of a statement that Python can read."""
    source = (tree / file).read_bytes()
    text = source.splitlines()[node.lineno - 1].decode().strip()
    mutants = []
    for change in Statement(source, node).changes():
        line = source[: change.start].count(b"\n") + 1
        old = source[change.start : change.end].decode()
        mutant = Mutant(
            area, file, function, change.operator, line, node.lineno, first_line, text, old,
            change.new, change.start, change.end,
        )  # fmt: skip
        with suppress(SyntaxError):
            ast.parse(mutant.apply(source))
            mutants.append(mutant)
    return mutants


def statements(
    body: list[ast.stmt], names: tuple[str, ...], first_line: int
) -> Iterator[tuple[str, ast.stmt, int]]:
    """All statements that run, with their function and its first line; texts of `__repr__` and
    imports for types are none."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if name not in _TEXTS:
                    inside = (*names, name)
                    yield ".".join(inside), node, node.lineno
                    yield from statements(node.body, inside, node.lineno)
            case ast.ClassDef(name=name):
                yield from statements(node.body, (*names, name), first_line)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case _:
                yield ".".join(names) or MODULE, node, first_line
                for inner in _bodies(node):
                    yield from statements(inner, names, first_line)


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        if inner := getattr(node, field, None):
            yield inner
    for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
        yield part.body
