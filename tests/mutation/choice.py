"""Which tests are asked whether they notice a change, in which order."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from tests.mutation.known_tests import KnownTests, functions_of
from tests.mutation.places import Mutant

BUDGET_S: Final = 60.0
"""Of processor time, for the tests of one change."""
FILE_S: Final = 0.2
"""What another file of tests takes until it runs."""
_SOON_S: Final = 6.0
_FEW: Final = 3
"""So many files of tests are soon loaded."""
_STEPS: Final = ("simulation/simulator/simulator.py", "Simulator._run")
"""What runs the compiled programs of a flight, whose lines nobody sees."""
_IMPORT: Final = re.compile(r"^ *from ([\w.]+) import ", re.MULTILINE)
_PART: Final = re.compile(r"@njit_|^ *def (run|fly|kalman|in_world)\(")


@dataclass(frozen=True)
class Choice:
    """Tests by their ids, in order, with the time each takes; `of` is how many there were. What
    stands in `files` and is neither among them nor `skipped` is not known yet, and run after them.
    """

    tests: tuple[str, ...]
    seconds: tuple[float, ...]
    of: int
    files: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    def parts(self) -> "list[Choice]":
        """What is soon loaded and run, and the rest."""
        files: set[str] = set()
        count, spent = 0, 0.0
        for test, seconds in zip(self.tests, self.seconds, strict=True):
            files.add(_file(test))
            spent += seconds
            if count and (len(files) > _FEW or spent > _SOON_S):
                break
            count += 1
        first = Choice(self.tests[:count], self.seconds[:count], self.of)
        rest = Choice(self.tests[count:], self.seconds[count:], self.of, self.files, self.skipped)
        return [one for one in (first, rest) if one.tests or one.files]


class Chooser:
    """Knows the tests of a tree."""

    def __init__(self, tree: Path, known: KnownTests) -> None:
        """`known` may be of another commit."""
        self.without: set[str] = set()
        """Tests that fail by themselves: they tell nothing."""
        self._tree = tree
        self._known = known
        self._sources: dict[str, dict[str, tuple[int, int, str]]] = {}

    def choose(self, mutant: Mutant, budget_s: float = BUDGET_S) -> Choice:
        """The nearest tests that run what is changed, the quick ones first."""
        near = self._near_files(mutant.file)
        numbers = self._running(mutant)
        files = sorted(near)
        if not numbers:  # those that run it may be among what is not known
            files += sorted(self._tests_below(Path(*Path(mutant.file).parts[:2])) - near)
            numbers = self._known.of_file(mutant.file) or self._of_files(near)
        ids, seconds = self._known.ids, self._known.seconds
        ranked = sorted(
            numbers, key=lambda one: (_rank(ids[one], mutant.file, near), seconds[one], one)
        )
        chosen: list[int] = []
        begun: set[str] = set()
        spent = 0.0
        for number in ranked:
            file = _file(ids[number])
            if ids[number] in self.without or not (self._tree / file).is_file():
                continue  # the file was that of another commit
            costs = seconds[number] + FILE_S * (file not in begun)
            if chosen and spent + costs > budget_s:
                continue
            spent += costs
            begun.add(file)
            chosen.append(number)
        return Choice(
            tuple(ids[one] for one in chosen),
            tuple(seconds[one] for one in chosen),
            len(ranked),
            tuple(files),
            (*self.without, *(one for one in ids if _file(one) in files)),
        )

    def _running(self, mutant: Mutant) -> set[int]:
        functions = self._functions(mutant.file)
        names = [mutant.function]
        if mutant.function not in functions:  # of the module or of a class
            names = self._using(mutant, functions)
        numbers: set[int] = set()
        for name in names:
            first, _, digest = functions[name]
            lines: Iterable[int] = range(mutant.statement_line - first, mutant.line - first + 1)
            if name != mutant.function or mutant.operator.startswith("default"):
                digest = ""  # wherever it is run
            found = self._known.running(mutant.file, name, digest, lines)
            files = {
                _file(self._known.ids[one]) for one in found & self._known.made(mutant.file, name)
            }
            numbers |= found
            numbers |= {n for n, one in enumerate(self._known.ids) if _file(one) in files}
            if self._is_compiled(mutant.file, functions[name]):
                numbers |= self._known.running(*_STEPS, "", ())
        return numbers

    def _of_files(self, files: set[str]) -> set[int]:
        return {n for n, one in enumerate(self._known.ids) if _file(one) in files}

    def _using(self, mutant: Mutant, functions: Iterable[str]) -> list[str]:
        """The functions that name what a statement of a module or a class gives a value to."""
        name = re.match(r"\w+", mutant.statement)
        word = re.compile(rf"\b{name.group()}\b" if name else "$.")
        lines = self._lines(mutant.file)
        spans = self._functions(mutant.file)
        return [
            one
            for one in functions
            if any(word.search(line) for line in lines[spans[one][0] - 1 : spans[one][1]])
        ]

    def _is_compiled(self, file: str, span: tuple[int, int, str]) -> bool:
        if not file.startswith("simulation/"):
            return False
        return any(_PART.search(line) for line in self._lines(file)[max(span[0] - 2, 0) : span[0]])

    def _lines(self, file: str) -> list[str]:
        return (self._tree / file).read_text(encoding="utf-8").splitlines()

    def _functions(self, file: str) -> dict[str, tuple[int, int, str]]:
        if file not in self._sources:
            self._sources[file] = functions_of((self._tree / file).read_bytes())
        return self._sources[file]

    def _near_files(self, file: str) -> set[str]:
        """The files of tests that import the module, or bear a word of its name in its folder; else
        all of that folder, or of the next one above that has some."""
        path = Path(file)
        near = set(self._importing.get(".".join(path.with_suffix("").parts), ()))
        words = set(path.stem.split("_"))
        beside = self._tests_in(path.parent)
        near |= {one for one in beside if words & set(Path(one).stem.split("_")[1:])}
        if near:
            return near
        folders = (self._tests_in(folder) for folder in path.parents)
        return set(next((found for found in folders if found), ()))

    def _tests_below(self, folder: Path) -> set[str]:
        found = (self._tree / "tests" / folder).rglob("test_*.py")
        return {one.relative_to(self._tree).as_posix() for one in found}

    def _tests_in(self, folder: Path) -> list[str]:
        found = (self._tree / "tests" / folder).glob("test_*.py")
        return sorted(one.relative_to(self._tree).as_posix() for one in found)

    @cached_property
    def _importing(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for path in sorted((self._tree / "tests").rglob("test_*.py")):
            for module in _IMPORT.findall(path.read_text(encoding="utf-8")):
                found.setdefault(module, set()).add(path.relative_to(self._tree).as_posix())
        return found


def _rank(test: str, file: str, near: set[str]) -> int:
    of = _file(test)
    if of in near:
        return 0
    is_same_room = Path(of).parts[1:3] == Path(file).parts[:2]
    if is_same_room and any(word in test for word in Path(file).stem.split("_") if len(word) > 3):
        return 1
    if Path(of).parent == Path("tests") / Path(file).parent:
        return 2
    return 3 if is_same_room else 4


def _file(test: str) -> str:
    return test.split("::", maxsplit=1)[0]
