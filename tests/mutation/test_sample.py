"""A sample of a small tree: drawn, and judged by tests that notice and by tests that do not."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.choice import Chooser
from tests.mutation.known_tests import KnownTests, gather, load
from tests.mutation.places import Mutant, changes_at, draw, places_in
from tests.mutation.worker import Order

ALONE = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": "."}
MODULE = '''"""A limit."""

LIMIT = 5


def is_late(t: float) -> bool:
    """Whether it is over."""
    return t > LIMIT


def unseen(t: float) -> float:
    """Nobody calls it."""
    return t + 1.0
'''
WEAK = """from telemetry.limit import is_late

def test_it_is_said(): assert is_late(1.0) in (True, False)
"""
GOOD = """import pytest
from telemetry.limit import is_late

@pytest.fixture(scope="module")
def said(): return [is_late(t) for t in (4.9, 5.0, 5.1)]

def test_first(said): assert said[0] is False
def test_limit(said): assert said[1:] == [False, True]
def test_fails_anyway(): assert not is_late(6.0)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one module, and the tools of this folder."""
    for name, text in {
        "telemetry/__init__.py": "",
        "telemetry/limit.py": MODULE,
        "tests/__init__.py": "",
        "tests/waiting.py": "PATIENCE_S = 1.0\nPATIENCE_MS = 1000\n",
        "tests/test_weak.py": WEAK,
        "pytest.ini": "[pytest]\nmarkers = long\n",
    }.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copytree(Path(__file__).parent, tmp_path / "tree" / "tests" / "mutation")
    return tmp_path / "tree"


def recorded(tree: Path) -> KnownTests:
    """Which test runs what."""
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutation.recorder",
         "tests/test_weak.py", "tests/test_good.py"],
        cwd=tree, env=ALONE | {"LAPWING_TEST_LINES": str(tree / "lines")},
        check=False, capture_output=True,
    )  # fmt: skip
    gather(tree, [tree / "lines"]).save(tree / "known.gz")
    return load(tree / "known.gz")


def mutants(tree: Path, function: str, operator: str) -> list[Mutant]:
    """Those of an operator in a function of the module."""
    return [
        mutant
        for place in places_in(tree, "telemetry/limit.py")
        for mutant in changes_at(tree, "area", *place)
        if (mutant.function, mutant.operator) == (function, operator)
    ]


def answers(tree: Path, orders: list[Order]) -> list[dict[str, Any]]:
    """What a worker says."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.mutation.worker"],
        cwd=tree, env=ALONE, check=True, capture_output=True, text=True,
        input="".join(json.dumps(asdict(order)) + "\n" for order in orders),
    )  # fmt: skip
    return [json.loads(line) for line in ended.stdout.splitlines()]


@pytest.mark.slow
def test_a_good_assertion_notices_what_a_weak_one_does_not(tree: Path) -> None:
    (tree / "tests/test_good.py").write_text(GOOD, encoding="utf-8")
    choice = Chooser(tree, recorded(tree)).choose(mutants(tree, "is_late", "boundary")[0])
    weak, first, limit = (
        "tests/test_weak.py::test_it_is_said",
        "tests/test_good.py::test_first",
        "tests/test_good.py::test_limit",
    )
    # What fails anyway tells nothing; who shares a fixture sees what it has run.
    assert sorted(choice.tests) == [first, limit, weak]
    text = mutants(tree, "is_late", "boundary")[0].apply(MODULE.encode()).decode()

    def order(text: str, *tests: str, is_control: bool = False) -> Order:
        report = str(tree / "report.json")
        return Order(
            "telemetry/limit.py", text, list(tests), [], [], 1.0, 9.0, report, False, is_control
        )

    said = answers(
        tree,
        [
            order(text, weak),
            order(text, weak, first, limit),
            order("raise OSError\n", weak),
            order("import time\nwhile time: pass\n".replace("while", "while not"), limit),
            order(MODULE, weak, limit, "tests/test_good.py::test_fails_anyway", is_control=True),
        ],
    )
    assert [(one["result"], one["failed"]) for one in said] == [
        ("survived", []),
        ("killed", [limit]),
        ("does not start", ["import"]),
        ("killed", ["tests/test_good.py"]),  # what it imports is gone
        ("killed", ["tests/test_good.py::test_fails_anyway"]),
    ]
    assert said[1]["ran"] == 3
    assert (tree / "telemetry/limit.py").read_text(encoding="utf-8") == MODULE


def test_a_sample_is_the_same_for_the_same_seed_and_keeps_its_weights(tree: Path) -> None:
    for number in range(60):
        for room in ("simulation", "widgets"):
            path = tree / room / f"part_{number}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text("def f(x):\n    return x + 1\n", encoding="utf-8")
    areas = (("flies", 9, ("simulation",)), ("shown", 1, ("widgets",)))
    sample = list(draw(tree, "a", 50, areas))
    assert sample == list(draw(tree, "a", 50, areas))
    assert sample != list(draw(tree, "b", 50, areas))
    assert len({(one.file, one.statement_line) for one in sample}) == 50
    assert 35 < Counter(one.area for one in sample)["flies"] < 50


def test_what_a_module_names_is_asked_of_who_uses_the_name(tree: Path) -> None:
    known = KnownTests(["tests/test_weak.py::test_a", "tests/test_weak.py::test_b"], [0.1, 0.2])
    known.save(tree / "known.gz")
    assert load(tree / "known.gz") == known
    limit = mutants(tree, "module", "sign")[0]
    assert limit.words == "5 -> (-5)"
    assert Chooser(tree, known).choose(limit).tests == tuple(known.ids)  # those that are near
