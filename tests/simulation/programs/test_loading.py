"""Programs are compiled apart, keyed by exactly their sources, and work without a cache."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.compiler import code_folder, machine, source_digest
from simulation.compiler.code_folder import FOLDER_VARIABLE
from simulation.compiler.decorators import IS_COMPILING
from simulation.compiler.program import Program, call, reference_to
from simulation.compiler.source_digest import sources_digest
from simulation.programs import beside
from telemetry.base.installation import ROOT

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
    monkeypatch.setattr(source_digest, "ROOT", tmp_path)
    return tmp_path / "simulation"


def digests() -> dict[str, int]:
    return {
        name: sources_digest(f"simulation.programs.{name}")
        for name in ("kernel", "on_board", "kalman")
    }


@pytest.mark.parametrize(
    ("changed", "renewed"),
    [
        ("physics/rigid_body.py", {"kernel"}),
        ("environment/air.py", {"kernel"}),
        ("control/stabilization.py", {"on_board"}),
        ("estimation/position_filter.py", {"on_board"}),
        ("estimation/ekf.py", {"kalman"}),
        ("records/flight.py", {"kernel", "on_board", "kalman"}),
        ("compiler/decorators.py", {"kernel", "on_board", "kalman"}),
        ("compiler/arithmetic.py", {"kernel", "on_board", "kalman"}),
        ("autopilot/board.py", set()),
        ("command/cli.py", set()),
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


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled code."""
    if not IS_COMPILING:
        pytest.skip("nothing is compiled")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What LLVM was given to make machine code of."""
    texts: list[str] = []

    def note(text: str) -> bytes:
        texts.append(text)
        return really(text)

    really = machine.machine_code
    monkeypatch.setattr(machine, "machine_code", note)
    return texts


def kept_in(cache: Path) -> list[Path]:
    return list(cache.rglob("*.machine-code"))


def counted(sources: int | None = 7) -> list[tuple[int, int]]:
    """What a counter is after a program of these sources, made anew, has run once."""
    records = np.zeros(1, COUNTER)
    Program(count, COUNTER, sources=sources).run(reference_to(records))
    return [tuple(record) for record in records.tolist()]


def test_what_was_compiled_once_is_loaded_the_next_time(cache: Path, compiled: list[str]) -> None:
    assert counted() == counted() == [(0, 1)]
    assert len(compiled) == 1
    assert [path.stem for path in kept_in(cache)] == ["count"]


def test_what_has_changed_is_compiled_anew_and_replaces_the_former(
    cache: Path, compiled: list[str]
) -> None:
    assert [counted(sources) for sources in (1, 2, 2)] == [[(0, 1)]] * 3
    assert len(compiled) == 2
    assert len(kept_in(cache)) == 1


def test_what_does_not_say_its_sources_is_not_kept(cache: Path, compiled: list[str]) -> None:
    assert counted(None) == counted(None) == [(0, 1)]
    assert len(compiled) == 2
    assert not kept_in(cache)


SECOND = """
from simulation.compiler import machine, store
from tests.simulation.programs import test_loading

really_locked, compiled = store.locked, []

def locked(path, longest_s):
    print("asks", flush=True)
    return really_locked(path, longest_s)

store.locked, really = locked, machine.machine_code
machine.machine_code = lambda text: compiled.append(text) or really(text)
print(test_loading.counted(), len(compiled))
"""


@pytest.mark.slow
def test_a_process_waits_for_what_another_one_compiles(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second begins, and asks, while the first is at it."""
    others: list[subprocess.Popen[str]] = []
    really = machine.machine_code

    def made(text: str) -> bytes:
        command = [sys.executable, "-c", SECOND]
        others.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True))
        assert others[-1].stdout
        assert others[-1].stdout.readline() == "asks\n"
        return really(text)

    monkeypatch.setattr(machine, "machine_code", made)
    assert counted() == [(0, 1)]
    (second,) = others
    assert second.communicate()[0] == "[(0, 1)] 0\n"


@pytest.mark.parametrize("kept", [0, 40, -1])
def test_a_damaged_cache_is_compiled_anew(cache: Path, compiled: list[str], kept: int) -> None:
    counted()
    (path,) = kept_in(cache)
    path.write_bytes(path.read_bytes()[:kept])
    assert counted() == [(0, 1)]
    assert len(compiled) == 2


def test_without_a_cache_it_is_compiled_in_memory(cache: Path, compiled: list[str]) -> None:
    cache.touch()  # a file where the folder should be
    assert counted() == counted() == [(0, 1)]
    assert len(compiled) == 2


def test_copies_of_the_sources_keep_theirs_apart(
    cache: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted()
    monkeypatch.setattr(code_folder, "SOURCES", cache.parent)
    assert counted() == [(0, 1)]
    assert len(compiled) == len(kept_in(cache)) == 2


@pytest.mark.parametrize("value", ["", "0", "1"])
def test_it_stays_python_where_that_is_asked_for(value: str) -> None:
    script = "from simulation.compiler.decorators import IS_COMPILING; print(IS_COMPILING)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "LAPWING_PLAIN_PYTHON": value},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(value != "1")


def test_a_program_is_kept_once_it_was_compiled(cache: Path) -> None:
    program = Program(count, COUNTER, sources=7)
    assert not program.is_kept()
    _ = program.handle
    assert program.is_kept()
    assert not Program(count, COUNTER, sources=8).is_kept()


def test_another_process_compiles_only_where_it_can_keep_it(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(beside.subprocess, "Popen", lambda words, **_: begun.append(words))
    beside.start()
    assert begun == [[sys.executable, "-m", "simulation.programs.beside"]]
    monkeypatch.setattr(beside, "code_folder", lambda _environ: None)
    beside.start()
    assert len(begun) == 1
