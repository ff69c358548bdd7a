"""Random small programs, each compiled and as plain Python, by seed: what differs is a fault.

They avoid the two documented exceptions: whole numbers stay small, and divisors are not zero. One
that meets them nevertheless, or is refused by the compiler, counts as neither. Where Python raises
because of an index, a shift or a conversion the compiled program has to note a fault.
"""

import linecache
import math
import random
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from simulation.compiler.kinds import CompilationError
from simulation.compiler.program import Program, reference_to

LENGTH: Final = 5
RECORD: Final = np.dtype([("f", np.float64, LENGTH), ("n", np.int64, LENGTH)])
TABLE: Final = (2.5, -1.5, 0.25)
_BATCH: Final = 1000
_FAULTS: Final = ("IndexError", "shift count", "to integer")
"""What Python says where checked code notes a fault."""
_NAMES: Final = ("x", "y", "z")


def source_of(seed: int) -> str:
    """A program's text."""
    chance = random.Random(seed)
    lines = ["def program(r):", '    f, n = r["f"], r["n"]', "    x, y = f[0], f[1]"]
    if chance.random() < 0.9:
        lines.append("    z = f[2]")
    lines += [f"    {line}" for _ in range(chance.randint(2, 5)) for line in _statement(chance, 2)]
    return "\n".join([*lines, f"    f[4] = {_real(chance, 2)}"]) + "\n"


def _statement(chance: random.Random, depth: int) -> Iterator[str]:
    kind = chance.randrange(9 if depth else 5)
    if kind < 2:
        yield f"{chance.choice(_NAMES)} = {_real(chance, 2)}"
    elif kind == 2:
        yield f"f[{_index(chance)}] {chance.choice(('', '+', '*'))}= {_real(chance, 2)}"
    elif kind == 3:
        yield f"n[{_index(chance)}] = {_whole(chance, 2)}"
    elif kind == 4:
        yield f"f[{_index(chance)}] = len({_slice(chance)})"
    elif kind in (5, 6):
        yield f"if {_truth(chance, 1)}:"
        yield from _inside(chance, depth)
        if chance.random() < 0.5:
            yield "else:"
            yield from _inside(chance, depth)
    else:
        yield f"for {_loop(chance, depth)}:"
        yield from _inside(chance, depth)


def _inside(chance: random.Random, depth: int) -> Iterator[str]:
    yield from (f"    {line}" for line in _statement(chance, depth - 1))


def _loop(chance: random.Random, depth: int) -> str:
    return chance.choice(
        (
            f"i{depth} in range({chance.randint(0, 3)})",
            f"y in {_slice(chance)}",
            f"i{depth}, z in enumerate({chance.choice(('T', _slice(chance), 'f', 'T, 1'))})",
            "y in T",
        )
    )


def _slice(chance: random.Random) -> str:
    ends = [chance.choice(("", str(chance.randint(-7, 7)))) for _ in range(2)]
    return f"f[{ends[0]}:{ends[1]}]"


def _index(chance: random.Random) -> str:
    return chance.choice(
        (
            str(chance.randint(-5, 4) if chance.random() < 0.99 else 5),
            "n[0] % 5",
            "n[3]" if chance.random() < 0.05 else "n[3] & 3",
            "-1 - n[1] % 5",
            "1",
            "2",
        )
    )


def _real(chance: random.Random, depth: int) -> str:
    if depth == 0:
        leaves = (
            *_NAMES,
            f"f[{_index(chance)}]",
            f"f[{chance.randint(-5, 2)}:][{chance.randint(-2, 1)}]",
            f"f[n[4] & 3 : (n[4] & 3) + 2][{chance.randint(0, 1)}]",
        )
        return chance.choice((*leaves, repr(chance.uniform(-3, 3)), "2", "T[-1]", "T[n[2] % 3]"))
    a, b = _real(chance, depth - 1), _real(chance, depth - 1)
    forms = (
        f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / (1.5 + abs({b})))", f"-{a}",
        f"abs({a}) ** {chance.choice(('2', '0.5', '-1.5', '3', '0.25', '1.0'))}", f"2.0 ** {a}",
        f"math.{chance.choice(('sin', 'cos', 'atan', 'tanh'))}({a})", f"math.sqrt(abs({a}))",
        f"max({a}, {b})", f"min({a}, {b})", f"({a} if {_truth(chance, depth - 1)} else {b})",
        f"math.atan2({a}, {b})", f"math.copysign({a}, {b})", f"float({_whole(chance, 1)})",
    )  # fmt: skip
    return chance.choice(forms)


def _whole(chance: random.Random, depth: int) -> str:
    if depth == 0:
        return chance.choice((f"n[{_index(chance)}]", str(chance.randint(-9, 9))))
    a, b = _whole(chance, depth - 1), _whole(chance, depth - 1)
    forms = (
        f"({a} + {b})", f"({a} - {b})", f"({a} * {b} % 1000)", f"({a} // (({b}) | 1))",
        f"({a} % (({b}) | 1))", f"({a} & {b})", f"({a} ^ {b})", f"(({a}) >> 2)", f"abs({a})",
        f"({a} >> ({b} & 127))", f"(({a} & 15) << ({b} % 9))", f"({a} >> ({b} + 3))",
        f"int({_real(chance, depth - 1)}) % 1000",
        f"max({a}, {b})", f"(-{a} // -1)",
    )  # fmt: skip
    return chance.choice(forms)


def _truth(chance: random.Random, depth: int) -> str:
    a, b = _real(chance, depth), _real(chance, depth)
    return chance.choice(
        (f"{a} < {b}", f"{a} >= 0.0 and {b} < 1.0", f"not {a} > {b}", "n[0] in (1, 2)")
    )


class _Numbers(list[Any]):
    """A list of plain numbers of one type whose slices are views, as those of arrays are."""

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, type(self[key])(value))

    def __getitem__(self, key: Any) -> Any:
        return (
            _Part(self, range(len(self))[key])
            if isinstance(key, slice)
            else super().__getitem__(key)
        )


class _Part:
    def __init__(self, whole: _Numbers, places: range) -> None:
        self._whole, self._places = whole, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, key: int) -> Any:
        return self._whole[self._places[key]]


def fault_of(seed: int, only_raising: bool = False) -> str | None:
    """What differs; "" if nothing does, None if Python has no value or the compiler refuses, and
    with `only_raising` if Python raises nothing, which is seen before it is compiled."""
    text, path = source_of(seed), f"<random program {seed}>"
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    names: dict[str, Any] = {"math": math, "T": TABLE}
    exec(compile(text, path, "exec"), names)
    chance = random.Random(~seed)
    reals = [chance.choice((0.0, -0.0, 1.0, chance.uniform(-4, 4))) for _ in range(LENGTH)]
    wholes = [chance.randint(-20, 20) for _ in range(LENGTH)]
    record = np.zeros(1, RECORD)
    record["f"], record["n"] = reals, wholes
    plain = {"f": _Numbers(reals), "n": _Numbers(wholes)}
    raised, unknown = "", None
    try:
        names["program"](plain)
    except NameError as error:  # the compiler refuses this one
        raised, unknown = str(error), error
    except (ArithmeticError, IndexError, ValueError) as error:
        raised = f"{type(error).__name__}: {error}"
        if not any(word in raised for word in _FAULTS):
            return None
    if only_raising and not raised:
        return None
    program = Program(names["program"], RECORD, fault=np.zeros(1, np.int64))
    try:
        program.run(reference_to(record))
    except CompilationError:
        return None
    if unknown is not None:
        raise unknown
    noted = program.take_fault()
    expected = [float(x) for x in plain["f"]], list(plain["n"])
    got = record["f"][0].tolist(), record["n"][0].tolist()
    if raised or noted:
        same = bool(noted) and (bool(raised) or noted.startswith("OverflowError"))
    else:
        same = _bits(got[0]) == _bits(expected[0]) and got[1] == expected[1]
    return "" if same else f"{seed}:\n{text}{got} {noted} for {expected} {raised}"


def _bits(numbers: Sequence[float]) -> bytes:
    return struct.pack(f"{LENGTH}d", *(math.nan if math.isnan(x) else x for x in numbers))


def search(first: int, count: int, only_raising: bool = False) -> tuple[int, list[str]]:
    """How many programs were compared, and what differs or crashed; each batch in a process."""
    compared, faults = 0, []
    for begin in range(first, first + count, _BATCH):
        size = min(_BATCH, first + count - begin)
        command = [sys.executable, "-m", __name__, str(begin), str(size), str(int(only_raising))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        compared += done.stdout.count("same\n")
        faults += list(done.stdout.split("\f")[1::2])
        if done.returncode != 0:
            faults.append(
                f"programs from {begin} ended with {done.returncode}: {done.stderr[-800:]}"
            )
    return compared, faults


def main(first: int, count: int, only_raising: int = 0) -> None:
    """Print what becomes of these programs."""
    for seed in range(first, first + count):
        fault = fault_of(seed, bool(only_raising))
        print("refused" if fault is None else f"\f{fault}\f" if fault else "same", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
