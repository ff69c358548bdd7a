"""What programs can call besides their parts: of `math`, what gives the same bits compiled as in
Python, and a few of Python's own functions."""

import ast
import builtins
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from simulation.compiler.arithmetic import combined, compared, selected
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


def _intrinsic(name: str) -> Emit:
    """LLVM's own instruction, or its name for the function of C's library."""

    def emit(body: Body, given: Sequence[Value]) -> Value:
        operands = ", ".join(f"double {body.convert(value, REAL).operand}" for value in given)
        return Value(REAL, (body.add(f"call double @llvm.{name}.f64({operands})"),))

    return emit


def _function(name: str) -> Emit:
    """A function of C's library."""

    def emit(body: Body, given: Sequence[Value]) -> Value:
        operands = ", ".join(f"double {body.convert(value, REAL).operand}" for value in given)
        return Value(REAL, (body.add(f"call double @{name}({operands})"),))

    return emit


def _rounded(name: str) -> Emit:
    def emit(body: Body, given: Sequence[Value]) -> Value:
        return body.convert(_intrinsic(name)(body, given), WHOLE)

    return emit


def _scaled(factor: float) -> Emit:
    def emit(body: Body, given: Sequence[Value]) -> Value:
        return combined(body, ast.Mult, given[0], constant(factor))

    return emit


def _extreme(operator: type) -> Emit:
    """`max` or `min`: a later one is taken only if it is beyond those before, as in Python."""

    def emit(body: Body, given: Sequence[Value]) -> Value:
        kind = given[0].kind
        for value in given:
            kind = common_kind(kind, value.kind)
        best, *others = (body.convert(value, kind) for value in given)
        for value in others:
            best = selected(body, compared(body, operator, value, best), value, best)
        return best

    return emit


def _absolute(body: Body, given: Sequence[Value]) -> Value:
    value = given[0]
    if value.kind == REAL:
        return _intrinsic("fabs")(body, given)
    negated = combined(body, ast.Sub, whole(0), value)
    return selected(body, compared(body, ast.Lt, value, whole(0)), negated, value)


def _converted(kind: Scalar) -> Emit:
    return lambda body, given: body.convert(given[0], kind)


def _length(_body: Body, given: Sequence[Value]) -> Value:
    match given[0].kind:
        case RecordView(shape=(int() as length, *_)):
            return whole(length)
        case TupleKind(items):
            return whole(len(items))
    raise CompilationError("its length is not known beforehand")


def _is_finite(body: Body, given: Sequence[Value]) -> Value:
    size = _absolute(body, [body.convert(given[0], REAL)])
    return compared(body, ast.Lt, size, constant(math.inf))


def _is_nan(body: Body, given: Sequence[Value]) -> Value:
    value = body.convert(given[0], REAL)
    return compared(body, ast.NotEq, value, value)


def _is_infinite(body: Body, given: Sequence[Value]) -> Value:
    size = _absolute(body, [body.convert(given[0], REAL)])
    return compared(body, ast.Eq, size, constant(math.inf))


_INTRINSICS = ("copysign", "cos", "exp", "fabs", "log", "log10", "pow", "sin", "sqrt")
_OF_C = ("acos", "asin", "atan", "atan2", "cosh", "expm1", "fmod", "log1p", "sinh", "tan", "tanh")
_TO_WHOLE = ("ceil", "floor", "trunc")
_OF_TWO = ("atan2", "copysign", "fmod", "pow")

FUNCTIONS: Final[Mapping[Any, Emit]] = MappingProxyType(
    {
        **{getattr(math, name): _intrinsic(name) for name in _INTRINSICS},
        **{getattr(math, name): _function(name) for name in _OF_C},
        **{getattr(math, name): _rounded(name) for name in _TO_WHOLE},
        math.radians: _scaled(math.pi / 180.0),
        math.degrees: _scaled(180.0 / math.pi),
        math.isfinite: _is_finite,
        math.isnan: _is_nan,
        math.isinf: _is_infinite,
        builtins.max: _extreme(ast.Gt),
        builtins.min: _extreme(ast.Lt),
        builtins.abs: _absolute,
        builtins.int: _converted(WHOLE),
        builtins.float: _converted(REAL),
        builtins.bool: _converted(TRUTH),
        builtins.len: _length,
    }
)
"""By the Python function, what writes its call."""

LIBRARY_FUNCTIONS: Final = (
    *_OF_C,
    "cos",
    "exp",
    "log",
    "log10",
    "pow",
    "sin",
    "floor",
    "ceil",
    "trunc",
)
"""Functions of C's library that machine code may refer to."""


def _declared(symbol: str, name: str) -> str:
    parameters = "double, double" if name in _OF_TWO else "double"
    return f"declare double @{symbol}({parameters}) nounwind willreturn memory(none)"


DECLARATIONS: Final = "\n".join(
    [_declared(f"llvm.{name}.f64", name) for name in (*_INTRINSICS, *_TO_WHOLE)]
    + [_declared(name, name) for name in _OF_C]
)
"""Of all that FUNCTIONS write calls of, in LLVM's language."""
