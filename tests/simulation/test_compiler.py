"""What programs may consist of gives the same bits compiled as in plain Python; all else is refused
with its line, not compiled to something else."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulation.compiler.decorators import IS_COMPILING, njit_part, njit_shared, side_by_side
from simulation.compiler.kinds import CompilationError
from simulation.compiler.program import Program, reference_to

pytestmark = pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled")

POINT = np.dtype([("at", np.float64, 3), ("count", np.int64)])
RECORD = np.dtype(
    [
        ("a", np.float64),
        ("b", np.float64),
        ("i", np.int64),
        ("j", np.int64),
        ("real", np.float64, 12),
        ("whole", np.int64, 12),
        ("matrix", np.float64, (3, 4)),
        ("point", POINT),
        ("points", POINT, 2),
    ],
    align=True,
)
_LARGE = 2**62
LATER = 1.0
TABLE = (2.5, -1.5, 0.25)
NUMBERS = (0.0, -0.0, 1.0, -1.5, 1e-300, 3e300, math.inf, -math.inf, math.nan)
WHOLES = (0, 1, -1, 7, -7, 2**31, -(2**40))


@njit_part
def swap(pair: tuple[float, float], scale: float = 2.0) -> tuple[float, float]:
    return pair[1] * scale, pair[0] * scale


@njit_shared
def total(values: Any, count: int) -> float:
    result = 0.0
    for i in range(count):
        if i == 2:
            continue
        if i == 5:
            break
        result += values[i]
    return result


@njit_part
def first_above(values: Any, limit: float) -> int:
    for i in range(len(values)):
        if values[i] > limit:
            return i
    return -1


def arithmetic(r: Any) -> None:
    a, b = r["a"], r["b"]
    out = r["real"]
    out[0], out[1], out[2] = a + b, a - b, a * b
    out[3] = a / b
    out[4] = -a + 2 * b - 3
    out[5] = a if a > b else b
    out[6] = max(a, b, 1.0)
    out[7] = min(a, b)
    out[8] = abs(a)
    out[9] = a * b + a
    out[10] = float(a < b <= 1.0 or not b < 2.0)
    out[11] = 1 if a == b else 0.5


def whole_numbers(r: Any) -> None:
    i, j = r["i"], r["j"]
    out = r["whole"]
    out[0], out[1], out[2] = i + j, i - j, i * 3
    if j != 0:
        out[3], out[4] = i // j, i % j
    out[5] = ((i & 0xFFFF) ^ (j | 3)) >> 1
    out[6] = abs(i)
    out[7] = max(i, j)
    out[8] = i in (0, 7) or j not in (1, -1)
    out[9] += 5
    out[-1] = -i
    r["real"][0] = i / 4
    r["real"][1] = int(i > j) + True


def functions(r: Any) -> None:
    a, out = 0.5 + 0.1 * (r["i"] % 3), r["real"]
    out[0] = math.sin(a)
    out[1] = math.cos(a)
    out[2] = math.atan2(a, 0.3)
    out[3] = math.sqrt(a)
    out[4] = math.exp(-a)
    out[5] = math.log(a)
    out[6] = math.pow(a, 1.7) + a**0.3
    out[7] = math.floor(-a)
    out[8] = math.degrees(a) + math.radians(a)
    out[9] = math.asin(0.5) + math.acos(0.1) + math.tan(0.2) + math.tanh(a)
    out[10] = math.copysign(2.0, -a) + math.pi
    r["whole"][0] = math.isfinite(r["a"])
    r["whole"][1] = math.isnan(r["a"])
    r["whole"][2] = math.isinf(r["a"])


def memory(r: Any) -> None:
    matrix, point = r["matrix"], r["point"]
    for i in range(3):
        for j in range(4):
            matrix[i, j] = 10 * i + j
    matrix[0, 1], matrix[1, 0] = matrix[1, 0], matrix[0, 1]
    point["at"][0] = matrix[2][3] + matrix[1, -1]
    point["count"] += 3
    r["points"][1]["at"][2] = point["at"][0]
    x, y, z = r["points"][1]["at"]
    k = r["points"][0]["count"] + 1
    part = r["real"][k : k + 3]
    part[0], part[1], part[2] = x, y, z
    r["real"][5:][1] = len(r["real"][2:6])
    r["whole"][0] = r["a"] > 0.0
    r["whole"][1] = -7.9 if r["a"] == r["a"] and r["b"] == r["b"] else 7


def control(r: Any) -> None:
    for i in range(12):
        r["real"][i] = TABLE[i % 3]
    r["a"], r["b"] = swap((r["a"], 4.0), scale=0.5)
    r["real"][0] = total(r["real"], 9)
    r["whole"][0] = first_above(r["real"], 2.0)
    r["whole"][1] = first_above(r["point"]["at"], 2.0)
    for i, value in enumerate((r["a"], r["b"])):
        r["real"][i + 1] = value
    steps = 0
    while steps * steps < 50:
        steps += 1
    r["whole"][2] = steps
    for i in range(9, 3, -2):
        r["whole"][i] = i
    share: float = 0
    for value in r["real"]:
        share += value
    r["real"][11] = share
    if r["i"] > 0:
        return
    r["j"] = 5


def four_at_a_time(r: Any) -> None:
    real, whole, matrix = r["real"], r["whole"], r["matrix"]
    for i in side_by_side(int(r["j"]) & 7):
        far = real[i] + i
        if whole[i + 4] > 0 or r["a"] < 0.0:
            far = math.sqrt(abs(r["b"])) / (far + 3.0)
        real[i], whole[i] = max(far, r["a"] * i), math.floor(swap((0.0, 1.3 * i))[0] - 2.0)
    for i in side_by_side(len(matrix)):
        a, b, c = matrix[i, 0], matrix[i, 1], matrix[i, 2]
        matrix[i, 3] = (a * b - c + i) * real[11 - i]


def records() -> np.ndarray[Any, Any]:
    """A record for each pair of numbers."""
    made = np.zeros(len(NUMBERS) ** 2, RECORD)
    for k, record in enumerate(made):
        record["a"], record["b"] = NUMBERS[k % len(NUMBERS)], NUMBERS[k // len(NUMBERS)]
        record["i"], record["j"] = WHOLES[k % len(WHOLES)], WHOLES[k // 9 % len(WHOLES)]
        record["real"], record["whole"] = np.arange(12.0) - 4.5, k % 3 - 1
        record["matrix"] = np.arange(12.0).reshape(3, 4) / 7.0
    return made


def bits(made: np.ndarray[Any, Any]) -> bytes:
    """All of it; but which of the many bit patterns stands for "no number" is nobody's promise."""
    for name in ("a", "b", "real"):
        values = made[name]
        values[np.isnan(values)] = math.nan
    return made.tobytes()


def as_python(r: Any) -> None:
    real, whole = r["real"], r["whole"]
    whole[0], whole[1] = len(real[-3:]), len(real[2:40])
    real[0] = TABLE[-1 - r["i"] % 3]
    for x in real[0:3]:
        real[1] += 1.0
        real[2] += x
    a = float(r["a"])  # numpy has powers of its own
    if 1e-3 < a < 1e3:
        real[4], real[5], real[6] = (a + 0.7) ** 2, (a + 0.7) ** 0.5, math.pow(2.0, a + 0.1)
    whole[2], whole[3] = (r["i"] | 1) // -1, (r["j"] | 1) % -1
    far = int(r["i"]) & 127
    whole[4], whole[5], whole[6] = r["j"] >> far, (r["j"] & 1) << (far & 31), int(-1e15)


@pytest.mark.parametrize(
    "function", [arithmetic, whole_numbers, functions, memory, control, four_at_a_time, as_python]
)
def test_compiled_and_plain_python_give_the_same_bits(function: Callable[[Any], None]) -> None:
    plain, compiled = records(), records()
    program = Program(function, RECORD)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # numpy's, of infinities
        for i in range(len(plain)):
            function(plain[i])
            program.run(reference_to(compiled, i))
    assert bits(compiled) == bits(plain) != bits(records())


def divide(r: Any) -> None:
    r["a"] = r["b"] / 0
    r["whole"][0] = r["j"] // (r["i"] * 0)
    r["whole"][1] = _LARGE * 4 + r["j"] * _LARGE * 4


def test_nothing_raises() -> None:
    """Where Python would raise or grow a long integer."""
    record = np.zeros(1, RECORD)
    record["b"], record["j"] = -1.0, 9
    Program(divide, RECORD).run(reference_to(record))
    assert record["a"] == -math.inf
    assert record["whole"][0, :2].tolist() == [0, 0]


def test_a_program_that_is_not_kept_works_on_arrays_around_it() -> None:
    given, taken = np.array([[1.0, 2.0], [3.0, 4.0]]), np.zeros(2, np.int64)

    def turn(r: Any) -> None:
        given[0, 1], given[1, 0] = given[1, 0], given[0, 1]
        r["a"] = given[r["i"], 1]
        taken[-1] = len(given)

    record = np.zeros(1, RECORD)
    Program(turn, RECORD).run(reference_to(record))
    assert record["a"] == 3.0
    assert given.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert taken.tolist() == [0, 2]
    with pytest.raises(CompilationError, match="works on its record only"):
        Program(turn, RECORD, sources=1).run(None)


def take_around(r: Any) -> None:
    if r["i"] > 0:
        value = 1.0
    r["a"] = value


def unbound(r: Any) -> None:
    r["point"]["at"][3] = 1.0


def unbound_item(r: Any) -> None:
    r["a"] = TABLE[-4]


def counted_from_one(r: Any) -> None:
    for i, _ in enumerate(TABLE, 1):
        r["i"] = i


def end_of_unknown(r: Any) -> None:
    r["a"] = r["real"][r["i"] :][-1]


def negative_shift(r: Any) -> None:
    r["i"] = r["i"] >> -1


def long_shift(r: Any) -> None:
    r["i"] = r["i"] << 64


def long_whole(r: Any) -> None:
    r["i"] = int(1e19)


def unmarked() -> float:
    return 1.0


def unknown_member(r: Any) -> None:
    r["no such"] = 1.0


def other_function(r: Any) -> None:
    r["a"] = unmarked()


def inexact_function(r: Any) -> None:
    r["a"] = math.hypot(r["a"], 1.0)  # Python's own differs from that of C


def whole_power(r: Any) -> None:
    r["i"] = r["i"] ** 2


def whole_record(r: Any) -> None:
    r["matrix"] = r["a"]


def values_of_or(r: Any) -> None:
    r["a"] = r["a"] or r["b"]


def real_index(r: Any) -> None:
    r["real"][r["a"]] = 1.0


def unknown_name(r: Any) -> None:
    r["a"] = nowhere  # type: ignore[name-defined]  # noqa: F821


def a_list(r: Any) -> None:
    values = [r["a"]]
    r["a"] = values[0]


def two_kinds(r: Any) -> None:
    value = r["a"]
    if r["i"] > 0:
        value = r["point"]
    r["a"] = value


def read_too_early(r: Any) -> None:
    for _ in range(2):
        r["a"] = LATER  # noqa: F823
        LATER = 2.0  # noqa: F841


@njit_part
def calls_itself(r: Any) -> None:
    calls_itself(r)


def missing_argument(r: Any) -> None:
    r["a"] = math.atan2(r["b"])


def a_table(r: Any) -> None:
    r["a"] = REFUSED[r["i"]]


def too_few(r: Any) -> None:
    r["a"], r["b"] = r["point"]["at"]


REFUSED = {
    unknown_member: "no member 'no such'",
    other_function: "unmarked is neither in `math` nor marked",
    inexact_function: "hypot is neither in `math` nor marked",
    whole_power: "a power of whole numbers",
    whole_record: "only single numbers",
    values_of_or: "truths only",
    real_index: "an index is a whole number",
    unknown_name: "'nowhere' is not known here",
    a_list: "List cannot be compiled",
    two_kinds: "kinds that do not mix",
    read_too_early: "read above where it is assigned",
    calls_itself: "calls itself",
    missing_argument: "atan2 takes 2",
    a_table: "a dict cannot be used",
    too_few: "length does not fit",
    take_around: "'value' is not assigned on every way here",
    unbound: "index 3 is out of bounds of 3",
    unbound_item: "index -4 is out of bounds of 3",
    counted_from_one: "enumerate counts from 0",
    negative_shift: "shifted by 0 to 63 bits",
    long_shift: "shifted by 0 to 63 bits",
    long_whole: "is no whole number of 64 bits",
    end_of_unknown: "index -1 is out of bounds",
}


@pytest.mark.parametrize("function", REFUSED)
def test_what_cannot_be_compiled_is_refused_with_its_line(function: Callable[[Any], None]) -> None:
    with pytest.raises(CompilationError, match=REFUSED[function]) as refused:
        Program(function, RECORD).run(None)
    assert refused.value.path == __file__
    assert 1 <= refused.value.line - function.__code__.co_firstlineno <= 3
    assert str(refused.value).startswith(f"{__file__}:{refused.value.line}: ")
