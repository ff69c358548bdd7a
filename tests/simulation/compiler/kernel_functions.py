"""Every function that our programs consist of, compiled and as plain Python, on random arguments.

What they are and which kinds of arguments they take says the compiler itself, so a new one is among
them. Records are those of real flights, changed at random; where Python raises nothing is compared.
"""

import json
import linecache
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final, NamedTuple

import numpy as np

import simulation
from simulation.compiler.code_folder import CHECK_VARIABLE
from simulation.compiler.decorators import PARTS, njit_shared
from simulation.compiler.kinds import (
    NOTHING,
    REAL,
    WHOLE,
    Kind,
    RecordView,
    Scalar,
    TupleKind,
)
from simulation.compiler.plain_record import PlainRecord
from simulation.compiler.program import Program, reals_at, reference_to
from simulation.simulator.force_table import ForceTable, table_force
from telemetry.base.installation import ROOT
from tests.simulation.compiler.kernel_records import FOUND, Found, functions_of, noted_records

RESULTS: Final = 24
_REFUSED: Final = ("of unknown length", "of 64 bits")
"""What Python has another result for, and checked code a fault."""
_TRIES: Final = 40
"""For each comparison: many random indices are beyond an array."""


class Case(NamedTuple):
    """A function for arguments of certain kinds, and a program of one record that calls it."""

    function: Any
    name: str
    text: str
    record: "np.dtype[Any]"
    leaves: Mapping[str, str]
    """The members that hold arguments, and the parameters they are of."""


def programs() -> list[Program]:
    """All of our sources, and one that a table of a force is."""
    for module in walk_packages(simulation.__path__, "simulation."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    modules = [m for name, m in sorted(sys.modules.items()) if name.startswith("simulation.")]
    found = {id(p): p for m in modules for p in vars(m).values() if isinstance(p, Program)}
    table = table_force(ForceTable(1, np.array([0.0, 1.0]), np.ones((2, 12)))).kept
    assert isinstance(table, Program)
    return [*found.values(), table]


def cases(found: Sequence[Program]) -> list[Case]:
    """What they consist of, each function for each combination of kinds once."""
    keys: dict[tuple[Any, ...], Kind] = {}
    for program in found:
        for key, translated in functions_of(program).items():
            keys.setdefault(key, translated.result)
    return [_case(f"call_{i}", key, result) for i, (key, result) in enumerate(keys.items())]


def _case(name: str, key: tuple[Any, ...], result: Kind) -> Case:
    function, *kinds = key
    members: list[tuple[Any, ...]] = [("real", "f8", RESULTS), ("whole", "i8", RESULTS)]
    leaves: dict[str, str] = {}
    names = function.__code__.co_varnames
    given = [
        _given(kind, f"{function.__name__}.{names[i]}", members, leaves)
        for i, kind in enumerate(kinds)
    ]
    call = f"function({', '.join(given)})"
    if isinstance(result, RecordView):  # of its many numbers one says which it is
        result, call = REAL, f"{call}{_first_real(result)}"
    results = iter(range(RESULTS))
    statement = call if result == NOTHING else f"{_taken(result, results)} = {call}"
    text = f"def {name}(r):\n    {statement}\n"
    return Case(function, name, text, np.dtype(members), leaves)


def _first_real(view: RecordView) -> str:
    """The subscripts of an array's, or a record's, first real number."""
    if view.dtype.names is None:
        return "[0]" * len(view.shape)
    for name in view.dtype.names:
        base, shape = view.dtype.fields[name][0].subdtype or (view.dtype.fields[name][0], ())
        if base == np.float64:
            return f'["{name}"]{"[0]" * len(shape)}'
    raise AssertionError(f"no real number in {view.dtype}")


def _given(kind: Kind, parameter: str, members: list[tuple[Any, ...]], leaves: Any) -> str:
    """The expression of an argument, whose numbers are members of the record."""
    if isinstance(kind, TupleKind):
        items = [
            _given(item, f"{parameter}.{i}", members, leaves) for i, item in enumerate(kind.items)
        ]
        return f"({', '.join(items)},)"
    name = f"a{len(members)}"
    leaves[name] = parameter
    if isinstance(kind, Scalar):
        members.append((name, "f8" if kind == REAL else "i8"))
        return f'r["{name}"]' if kind in (REAL, WHOLE) else f'(r["{name}"] != 0)'
    assert isinstance(kind, RecordView), kind
    if kind.shape == (None,):
        members.append((name, "i8"))
        return f'reals_at(r["{name}"])'
    if len(kind.shape) == 1 and kind.strides[0] > kind.dtype.itemsize:
        width = kind.strides[0] // kind.dtype.itemsize
        members.append((name, kind.dtype, (kind.shape[0], width)))
        return f'r["{name}"][:, 0]'
    members.append((name, kind.dtype, kind.shape) if kind.shape else (name, kind.dtype))
    return f'r["{name}"]'


def _taken(kind: Kind, results: Iterator[int]) -> str:
    """Where a result goes."""
    if isinstance(kind, TupleKind):
        return f"({', '.join(_taken(item, results) for item in kind.items)},)"
    return f'r["{"real" if kind == REAL else "whole"}"][{next(results)}]'


def unused(all_cases: Sequence[Case]) -> list[str]:
    """Parts among our sources that no program of ours consists of."""
    used = {case.function for case in all_cases}
    return [
        f"{part.__module__}.{part.__name__}"
        for part in PARTS
        if (part.__module__ or "").startswith("simulation.") and part not in used
    ]


def compiled(all_cases: Sequence[Case]) -> tuple[Program, dict[str, Any]]:
    """One program, which calls one of them by its number, and the callers as Python has them."""
    lines = ["def every(r, number):"]
    for i, case in enumerate(all_cases):
        lines += [f"    if number == {i}:", f'        {case.name}(r["{case.name}"])']
    callers: dict[str, Any] = {}
    for case in all_cases:
        named = {"function": case.function, "reals_at": reals_at}
        callers[case.name] = njit_shared(_function(case.name, case.text, named))
        if case.function not in PARTS:  # a program itself
            njit_shared(case.function)
    every = _function("every", "\n".join(lines) + "\n", callers)
    formats = [case.record for case in all_cases]
    union: Any = {
        "names": [case.name for case in all_cases],
        "formats": formats,
        "offsets": [0] * len(formats),
        "itemsize": max(record.itemsize for record in formats),
    }
    return Program(every, np.dtype(union), numbers=1), callers


def _function(name: str, text: str, names: dict[str, Any]) -> Any:
    path = f"<{name}>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    given = dict(names)
    exec(compile(text, path, "exec"), given)
    return given[name]


class Comparison:
    """Runs cases on random arguments, by seed."""

    def __init__(self, all_cases: Sequence[Case], found: Found) -> None:
        self._cases = all_cases
        self._found = found
        self._every, self._callers = compiled(all_cases)

    def outcome(self, number: int, seed: int) -> str:
        """ "same", what Python raised, or what differs."""
        case, chance = self._cases[number], random.Random(seed * 1009 + number)
        record = np.zeros(1, case.record)
        for member, parameter in case.leaves.items():
            self._found.fill(record[0], member, parameter, chance, seed)
        plain, before = record.copy(), self._found.arrays_now()
        try:
            self._run_plain(case, plain)
        except (ArithmeticError, ValueError, IndexError, TypeError) as error:
            self._found.set_arrays(before)
            if isinstance(error, TypeError) and "complex" not in str(error):
                raise
            return f"{type(error).__name__}: {error}"
        wanted = self._found.arrays_now()
        self._found.set_arrays(before)
        try:
            self._every.run(reference_to(record), number)
        except RuntimeError as error:
            refused = any(word in str(error) for word in _REFUSED)
            return "refused" if refused else f"differs: {error}"
        got = self._found.arrays_now()
        self._found.set_arrays(before)
        differs = different(record, plain) + [
            f"array {i}"
            for i, (a, b) in enumerate(zip(got, wanted, strict=True))
            if not _same(a, b)
        ]
        return f"differs: {differs[:4]}" if differs else "same"

    def _run_plain(self, case: Case, record: Any) -> None:
        given = PlainRecord(record[0])
        given.load()
        addresses = list(self._found.put_arrays(given))
        self._callers[case.name](given)
        for place, name, address in addresses:
            dict.__setitem__(place, name, address)
        given.store()


def different(first: Any, second: Any, path: str = "") -> list[str]:
    """The members that are not the same to the bit; any "no number" is as good as another."""
    if first.tobytes() == second.tobytes():
        return []
    if first.dtype.fields is None:
        return [] if _same(first, second) else [f"{path}: {first} for {second}"]
    names = first.dtype.names
    return [
        found for name in names for found in different(first[name], second[name], f"{path}.{name}")
    ]


def _same(first: Any, second: Any) -> bool:
    a, b = np.ascontiguousarray(first), np.ascontiguousarray(second)
    if a.tobytes() == b.tobytes():
        return True
    if a.dtype.kind != "f":
        return False
    return bool(((np.isnan(a) & np.isnan(b)) | (a.view(np.int64) == b.view(np.int64))).all())


def called(wanted: int, first: int = 0) -> dict[str, Any]:
    """What `main` finds, in a process whose programs are all checked and fly first: where an index
    is beyond its array it ends with the line."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(wanted), str(first)],
        cwd=ROOT,
        env={**os.environ, CHECK_VARIABLE: "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main(wanted: int, first: int = 0) -> None:
    """Print what was found, after so many comparisons of each function if there are as many."""
    np.seterr(all="ignore")
    ours = programs()
    noted_records()
    all_cases = cases(ours)
    comparison = Comparison(all_cases, FOUND)
    compared: Counter[str] = Counter()
    faults: list[str] = []
    for number, case in enumerate(all_cases):
        name, same = f"{case.function.__module__}.{case.function.__qualname__}", 0
        for seed in range(first, first + _TRIES * wanted):
            outcome = comparison.outcome(number, seed)
            same += outcome == "same"
            if outcome.startswith("differs"):
                faults.append(f"{name} {seed}: {outcome}")
            if same == wanted:
                break
        compared[name] += same
    print(json.dumps({"compared": compared, "faults": faults, "unused": unused(all_cases)}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
