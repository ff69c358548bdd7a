"""Copies of a commit, each with a process that runs tests in it on one change after the other."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tests.mutation.choice import Choice, Chooser
from tests.mutation.places import Mutant
from tests.mutation.worker import BROKEN, DEAD, SURVIVED, Order

IMPORTED_BEFORE: Final = (
    "PySide6.QtWidgets", "numpy", "platformdirs", "pyqtgraph",
    "scipy.optimize", "scipy.spatial", "shapely", "llvmlite.binding", "geographiclib.geodesic",
)  # fmt: skip
"""Modules of others that most tests need."""


def commit_of(root: Path, name: str = "HEAD") -> str:
    """The hash of a commit."""
    command = ["git", "-C", str(root), "rev-parse", name]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def copy_tree(root: Path, commit: str, folder: Path, codes_of: Path) -> Path:
    """The files of a commit in a folder, which is emptied before; with the machine code that the
    tree `codes_of` has, and beside it what stands beside `root` for tests."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with subprocess.Popen(
        ["git", "-C", str(root), "archive", commit], stdout=subprocess.PIPE
    ) as packed:
        subprocess.run(["tar", "-x", "-C", str(folder)], stdin=packed.stdout, check=True)
    beside = root.parent / "shared"
    if beside.is_dir() and not (folder.parent / "shared").exists():
        (folder.parent / "shared").symlink_to(beside.resolve())
    codes = folder / "simulation" / "__pycache__"
    codes.mkdir(exist_ok=True)
    for path in (codes_of / "simulation" / "__pycache__").glob("*.machine-code"):
        shutil.copy(path, codes)
    return folder


class Tree:
    """A copied tree and its process."""

    def __init__(self, root: Path, commit: str, folder: Path, codes_of: Path) -> None:
        """Takes a few seconds, and more where `codes_of` has no machine code of these sources."""
        self.folder = copy_tree(root, commit, folder, codes_of).resolve()
        self._report = self.folder.with_name(f"{self.folder.name}.json")
        code = "from simulation.programs.loading import programs; programs()"
        subprocess.run([sys.executable, "-c", code], cwd=self.folder, check=True)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.mutation.worker", *IMPORTED_BEFORE],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        """End the process."""
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()

    def judge(self, mutant: Mutant, chooser: Chooser, budget_s: float) -> dict[str, Any]:
        """What the tests said of a change, and which of them."""
        choice = chooser.choose(mutant, budget_s)
        text = mutant.apply((self.folder / mutant.file).read_bytes()).decode()
        told: dict[str, Any] = {"result": SURVIVED, "failed": [], "ran": 0, "cpu_s": 0, "wall_s": 0}
        for part in choice.parts():
            answer = self.ask(mutant.file, text, part, budget_s)
            for key in ("ran", "cpu_s", "wall_s"):
                told[key] = round(told[key] + answer[key], 2)
            told["result"], told["failed"] = answer["result"], answer["failed"]
            if answer["result"] != SURVIVED:
                break
        return {**told, "of": choice.of, "chosen": len(choice.tests)}

    def control(self, tests: Sequence[str]) -> list[str]:
        """Those that fail although nothing is changed."""
        file = "telemetry/__init__.py"
        text = (self.folder / file).read_text(encoding="utf-8")
        choice = Choice(tuple(tests), (0.0,) * len(tests), len(tests))
        answer = self.ask(file, text, choice, 600.0, is_control=True)
        if answer["result"] == DEAD:
            raise RuntimeError(f"The tests cannot run in {self.folder}.")
        return list(answer["failed"])

    def ask(
        self, file: str, text: str, choice: Choice, budget_s: float, *, is_control: bool = False
    ) -> dict[str, Any]:
        """Have tests run on a file that has become `text`."""
        order = Order(
            file, text, list(choice.tests), list(choice.files), list(choice.skipped),
            200.0 if is_control else sum(choice.seconds), budget_s, str(self._report),
            file.startswith("simulation/compiler/"), is_control,
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(order)) + "\n")
        self._process.stdin.flush()
        if not (line := self._process.stdout.readline()):
            raise RuntimeError(f"The process of {self.folder} has ended.")
        answer: dict[str, Any] = json.loads(line)
        if answer["result"] == BROKEN:
            raise RuntimeError(f"No test can be run in {self.folder}; see its log.")
        return answer


def record(root: Path, commit: str, folder: Path, processes: int, tests: Sequence[str]) -> Path:
    """Run the tests of a commit and keep which runs what; the tree they ran in."""
    tree = copy_tree(root, commit, folder / "recorded", root).resolve()
    lines = folder.resolve() / "lines"
    shutil.rmtree(lines, ignore_errors=True)
    environ = {
        **os.environ, "LAPWING_TEST_LINES": str(lines), "COVERAGE_CORE": "ctrace",
        "PYTHONPATH": str(tree),
    }  # fmt: skip
    options = ["-q", "-p", "tests.mutation.recorder", "-p", "no:cacheprovider"]
    options += ["--numprocesses", str(processes), "--dist", "loadfile"]
    subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests], cwd=tree, env=environ, check=False
    )
    return tree
