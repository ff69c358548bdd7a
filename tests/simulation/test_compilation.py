"""Programs are compiled apart, keyed by exactly their sources, and work without a cache."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from simulation import compiled, sources
from simulation.compiled import IS_COMPILING
from simulation.program import Program, call, reference_to
from simulation.sources import sources_digest

ROOT = Path(__file__).parents[2]

COUNTER = np.dtype([("steps", np.int64), ("calls", np.int64)])


def count(record: Any) -> None:
    record["calls"] += 1


def count_by(record: Any, first: int, second: int) -> None:
    record["calls"] += first - second


def make_counter() -> tuple[Program, Program]:
    """A program that calls another one so many times."""

    def repeat(record: Any, times: int, inner: Any) -> None:
        for _ in range(times):
            record["steps"] += 1
            call(inner, record)

    return Program(repeat, COUNTER, numbers=2), Program(count, COUNTER)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources somewhere else, to be changed."""
    for path in (ROOT / "simulation").rglob("*.py"):
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    return tmp_path / "simulation"


def digests() -> dict[str, int]:
    return {name: sources_digest(f"simulation.{name}") for name in ("kernel", "on_board", "kalman")}


@pytest.mark.parametrize(
    ("changed", "renewed"),
    [
        ("physics/rigid_body.py", {"kernel"}),
        ("environment/air.py", {"kernel"}),
        ("control/stabilization.py", {"on_board"}),
        ("estimation/position_filter.py", {"on_board"}),
        ("estimation/ekf.py", {"kalman"}),
        ("records.py", {"kernel", "on_board", "kalman"}),
        ("compiled.py", {"kernel", "on_board", "kalman"}),
        ("part_compiler.py", {"kernel", "on_board", "kalman"}),
        ("autopilot/board.py", set()),
        ("cli.py", set()),
    ],
)
def test_a_change_renews_what_is_made_of_it(copied: Path, changed: str, renewed: set[str]) -> None:
    before = digests()
    with (copied / changed).open("a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    after = digests()
    assert {name for name in after if after[name] != before[name]} == renewed


def test_a_program_calls_another_by_its_handle() -> None:
    repeat, inner = make_counter()
    records = np.zeros(3, COUNTER)
    repeat.run(reference_to(records, 1), 5, inner.handle)
    assert records.tolist() == [(0, 0), (5, 5), (0, 0)]


def test_it_hands_numbers_on() -> None:
    def hand_on(record: Any, number: int, inner: Any) -> None:
        call(inner, record, number, 2)

    records = np.zeros(1, COUNTER)
    outer, inner = Program(hand_on, COUNTER, numbers=2), Program(count_by, COUNTER, numbers=2)
    outer.run(reference_to(records), 44, inner.handle)
    assert records.tolist() == [(0, 42)]


@pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled")
@pytest.mark.parametrize("error", [RuntimeError("no locator available"), OSError(28, "disk full")])
def test_without_a_cache_it_is_compiled_in_memory(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    import numba

    def compile_uncached(signature: Any, **options: Any) -> Any:
        if options.get("cache"):
            raise error
        return really(signature, **options)

    really = numba.cfunc
    monkeypatch.setattr(numba, "cfunc", compile_uncached)
    repeat, inner = make_counter()
    records = np.zeros(1, COUNTER)
    repeat.run(reference_to(records), 2, inner.handle)
    assert records.tolist() == [(2, 2)]
    with pytest.raises(type(error)):
        Program(count, COUNTER).store()


def blend(first: float, second: float) -> float:
    return first / 3.0 + np.sin(second) * first


def blended(marks: ModuleType) -> float:
    """What a program makes of 1.3 that is compiled of parts marked by the means of `marks`."""
    part, shared = marks.njit_part(blend), marks.njit_shared(lambda value: value * 1.1)

    def step(record: Any) -> None:
        record["value"] = shared(part(record["value"], 0.7))

    record = np.array([(1.3,)], np.dtype([("value", np.float64)]))
    Program(step, record.dtype).run(reference_to(record))
    return float(record["value"][0])


@pytest.mark.slow
@pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled")
def test_without_the_insides_of_numba_the_usual_compiler_gives_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compiled.PartCompiler is not None, "numba has moved what part_compiler.py stands on"
    monkeypatch.delattr("numba.core.codegen.JITCodeLibrary")
    monkeypatch.delitem(sys.modules, "simulation.part_compiler")
    spec = importlib.util.spec_from_file_location("fallen_back", compiled.__file__)
    assert spec is not None
    assert spec.loader is not None
    fallen_back = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fallen_back)
    assert fallen_back.PartCompiler is None
    monkeypatch.undo()
    assert blended(fallen_back) == blended(compiled) == blend(1.3, 0.7) * 1.1


_SCRIPT = """
from tests.simulation.test_compilation import COUNTER, count
from simulation.program import Program
program = Program(count, COUNTER)
print(program.load())
program.prepare()
print(program.load(), Program(count, COUNTER).load())
"""


@pytest.mark.slow
@pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled")
def test_what_was_compiled_once_is_loaded_the_next_time(tmp_path: Path) -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            cwd=ROOT,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert said == [["False", "True", "True"], ["True", "True", "True"]]
