"""Whether tests notice changes of the product, in a sample: `make mutate`."""

import argparse
import json
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tests.mutation.choice import BUDGET_S, Chooser
from tests.mutation.known_tests import KnownTests, gather, load
from tests.mutation.places import AREAS, Mutant, draw
from tests.mutation.report import Verdict, is_enough, key_of, read_reviewed, text_of
from tests.mutation.trees import Tree, commit_of, record
from tests.mutation.worker import DEAD

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / ".mutate"
"""Copied trees, which test runs what, and results."""


class Sample:
    """Draws changes until so many have started, and keeps what came of each in a file, so that a
    run that was ended goes on."""

    def __init__(self, mutants: Iterator[Mutant], count: int, path: Path) -> None:
        """`path` may hold what came of some."""
        self._mutants = mutants
        self._count = count
        self._path = path
        self._lock = threading.Lock()
        self._drawn: list[Mutant] = []
        self._told: dict[int, dict[str, Any]] = {}
        if path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                number, told = json.loads(line)
                self._told[number] = told

    def next(self) -> tuple[int, Mutant] | None:
        """One that nobody has judged; None if there are enough."""
        with self._lock:
            while sum(self._starts(n) for n in range(len(self._drawn))) < self._count:
                if (mutant := next(self._mutants, None)) is None:
                    return None
                self._drawn.append(mutant)
                if len(self._drawn) - 1 not in self._told:
                    return len(self._drawn) - 1, mutant
        return None

    def _starts(self, number: int) -> bool:
        return number not in self._told or self._told[number]["result"] != DEAD

    def keep(self, number: int, told: dict[str, Any]) -> None:
        """What came of one."""
        with self._lock:
            self._told[number] = told
            with self._path.open("a", encoding="utf-8") as written:
                written.write(json.dumps([number, told]) + "\n")

    def verdicts(self) -> list[Verdict]:
        """Of all that started, the first `count`."""
        reviewed = read_reviewed()
        return [
            Verdict(mutant, self._told[number], reviewed.get(key_of(mutant), ""))
            for number, mutant in enumerate(self._drawn)
            if number in self._told and self._starts(number)
        ][: self._count]

    @property
    def dead(self) -> int:
        """How many did not start."""
        return sum(told["result"] == DEAD for told in self._told.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; return 1 if too few are noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--count", metavar="N", type=int, default=300)
    parser.add_argument("--seed", metavar="WORD", help="the hash of the commit")
    parser.add_argument("--commit", metavar="NAME", default="HEAD")
    parser.add_argument("--only", metavar="FOLDER", nargs="+", help="or files")
    parser.add_argument("--budget", metavar="S", type=float, default=BUDGET_S)
    parser.add_argument("--processes", metavar="N", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--record", metavar="TESTS", nargs="*", help="anew which test runs what")
    options = parser.parse_args(arguments)
    FOLDER.mkdir(exist_ok=True)
    commit = commit_of(ROOT, options.commit)
    known = _known(commit, options)
    seed = options.seed or commit
    trees: list[Tree] = []
    for number in range(options.processes):
        codes_of = trees[0].folder if trees else ROOT
        trees.append(Tree(ROOT, commit, FOLDER / f"tree-{number}", codes_of))
    areas = [("only", 1, tuple(options.only))] if options.only else AREAS
    mutants = draw(trees[0].folder, seed, 2 * options.count, areas)
    kept = FOLDER / f"{commit[:12]}-{seed[:12]}{'-only' if options.only else ''}.jsonl"
    sample = Sample(mutants, options.count, kept)
    choosers = [Chooser(tree.folder, known) for tree in trees]
    with ThreadPoolExecutor(len(trees)) as pool:
        list(pool.map(lambda two: _judge(sample, *two, options.budget), zip(trees, choosers)))  # noqa: B905
    verdicts = _checked(sample.verdicts(), trees[0], choosers[0], options.budget)
    for tree in trees:
        tree.close()
    title = f"{len(verdicts)} changes of {commit[:12]}, seed {seed}, {options.budget:.0f} s each"
    text = text_of(title, verdicts, sample.dead)
    kept.with_suffix(".txt").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0 if is_enough(verdicts) else 1


def _known(commit: str, options: argparse.Namespace) -> KnownTests:
    path = FOLDER / "known_tests.json.gz"
    if options.record is not None or not path.is_file():
        print("Which test runs what: all tests are run once, under coverage.", flush=True)
        tree = record(ROOT, commit, FOLDER, options.processes, options.record or ["tests"])
        gather(tree, [FOLDER / "lines"]).save(path)
    return load(path)


def _judge(sample: Sample, tree: Tree, chooser: Chooser, budget_s: float) -> None:
    while drawn := sample.next():
        number, mutant = drawn
        told = tree.judge(mutant, chooser, budget_s)
        sample.keep(number, told)
        by = f" by {told['failed'][0]}" if told["failed"] else ""
        print(f"{number + 1}: {told['result']}{by}: {mutant.name} {told['cpu_s']} s", flush=True)


def _checked(
    verdicts: Sequence[Verdict], tree: Tree, chooser: Chooser, budget_s: float
) -> list[Verdict]:
    """The same, where what was noticed by tests that fail by themselves is judged by the others."""
    checked, good = list(verdicts), set[str]()
    while killers := {one.told["failed"][0] for one in checked if one.told["failed"]} - good:
        failing = set(tree.control(sorted(one for one in killers if "::" in one)))
        good |= killers - failing
        if failing:
            print("Fail without a change, and count for nothing:", *sorted(failing), sep="\n  ")
        chooser.without |= failing
        for number, one in enumerate(checked):
            if one.told["failed"] and one.told["failed"][0] in failing:
                told = tree.judge(one.mutant, chooser, budget_s)
                checked[number] = replace(one, told=told)
    return checked


if __name__ == "__main__":
    sys.exit(main())
