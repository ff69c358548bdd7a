"""Library functions that programs can call: parts of `math`, and a few of Python's own.

Of `math` it has what gives the same bits compiled as in Python.
"""

import ast
import builtins
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from simulation.compiler.arithmetic import POWER, combined, compared, selected
from simulation.compiler.body import Body
from simulation.compiler.kinds import (
    REAL,
    TRUTH,
    WHOLE,
    CompilationError,
    RecordView,
    Scalar,
    TupleKind,
    Value,
    common_kind,
    constant,
    whole,
)

Emit = Callable[[Body, Sequence[Value]], Value]


def _of_reals(symbol: str, count: int) -> Emit:
    """A function of so many real numbers that gives one, by its name in LLVM's language."""

    def emit(body: Body, given: Sequence[Value]) -> Value:
        if len(given) != count:
            raise CompilationError(f"{symbol} takes {count} numbers")
        operands = ", ".join(f"double {body.convert(value, REAL).operand}" for value in given)
        return Value(REAL, (body.add(f"call double @{symbol}({operands})"),))

    return emit


def _of_one(write: Callable[[Body, Value], Value]) -> Emit:
    def emit(body: Body, given: Sequence[Value]) -> Value:
        if len(given) != 1:
            raise CompilationError("it takes one argument")
        return write(body, given[0])

    return emit


def _rounded(symbol: str) -> Emit:
    to_whole = _of_reals(symbol, 1)
    return lambda body, given: body.convert(to_whole(body, given), WHOLE)


def _scaled(factor: float) -> Emit:
    return _of_one(lambda body, value: combined(body, ast.Mult, value, constant(factor)))


def _converted(kind: Scalar) -> Emit:
    return _of_one(lambda body, value: body.convert(value, kind))


def _extreme(operator: type) -> Emit:
    """`max` or `min`: a later one is taken only if it is beyond those before, as in Python."""

    def emit(body: Body, given: Sequence[Value]) -> Value:
        if len(given) < 2:
            raise CompilationError("max and min compare two numbers or more")
        kind = given[0].kind
        for value in given:
            kind = common_kind(kind, value.kind)
        best, *others = (body.convert(value, kind) for value in given)
        for value in others:
            best = selected(body, compared(body, operator, value, best), value, best)
        return best

    return emit


_absolute_real = _of_reals("llvm.fabs.f64", 1)


def _absolute(body: Body, value: Value) -> Value:
    if value.kind == REAL:
        return _absolute_real(body, [value])
    negated = combined(body, ast.Sub, whole(0), value)
    return selected(body, compared(body, ast.Lt, value, whole(0)), negated, value)


def _length(_body: Body, value: Value) -> Value:
    match value.kind:
        case RecordView(shape=(int() as length, *_)):
            return whole(length)
        case TupleKind(items):
            return whole(len(items))
    raise CompilationError("its length is not known beforehand")


def _size_compared(operator: type) -> Emit:
    """How the absolute value compares with infinity."""

    def write(body: Body, value: Value) -> Value:
        size = _absolute_real(body, [body.convert(value, REAL)])
        return compared(body, operator, size, constant(math.inf))

    return _of_one(write)


def _is_nan(body: Body, value: Value) -> Value:
    value = body.convert(value, REAL)
    return compared(body, ast.NotEq, value, value)


_INTRINSICS = ("cos", "exp", "fabs", "log", "log10", "sin", "sqrt")
_INTRINSICS_OF_TWO = ("copysign",)
_OF_C = ("acos", "asin", "atan", "cosh", "expm1", "log1p", "sinh", "tan", "tanh")
_OF_C_OF_TWO = ("atan2", "fmod")
_TO_WHOLE = ("ceil", "floor", "trunc")
_REAL_FUNCTIONS: Final[Mapping[str, tuple[str, int]]] = MappingProxyType(
    {
        **{name: (f"llvm.{name}.f64", 1) for name in (*_INTRINSICS, *_TO_WHOLE)},
        **{name: (f"llvm.{name}.f64", 2) for name in _INTRINSICS_OF_TWO},
        **{name: (name, 1) for name in _OF_C},
        **{name: (name, 2) for name in _OF_C_OF_TWO},
        "pow": (POWER, 2),
    }
)
"""Of real numbers, by their names in `math`: the name in LLVM's language, and how many it takes.
What LLVM has itself it makes an instruction of, or a call of C's function."""

FUNCTIONS: Final[Mapping[Any, Emit]] = MappingProxyType(
    {
        **{getattr(math, name): _of_reals(*how) for name, how in _REAL_FUNCTIONS.items()},
        **{getattr(math, name): _rounded(f"llvm.{name}.f64") for name in _TO_WHOLE},
        math.radians: _scaled(math.pi / 180.0),
        math.degrees: _scaled(180.0 / math.pi),
        math.isfinite: _size_compared(ast.Lt),
        math.isinf: _size_compared(ast.Eq),
        math.isnan: _of_one(_is_nan),
        builtins.max: _extreme(ast.Gt),
        builtins.min: _extreme(ast.Lt),
        builtins.abs: _of_one(_absolute),
        builtins.int: _converted(WHOLE),
        builtins.float: _converted(REAL),
        builtins.bool: _converted(TRUTH),
        builtins.len: _of_one(_length),
    }
)
"""By the Python function, what writes its call."""

LIBRARY_FUNCTIONS: Final = frozenset(_REAL_FUNCTIONS) - {"fabs"}
"""Functions of C's library that machine code may refer to."""

DECLARATIONS: Final = "\n".join(
    f"declare double @{symbol}({', '.join(['double'] * count)}) nounwind willreturn memory(none)"
    for symbol, count in _REAL_FUNCTIONS.values()
)
"""Of all that FUNCTIONS write calls of, in LLVM's language."""
