"""Arithmetic operators on numbers, as in Python but for two things.

Whole numbers wrap around at 64 bits, and dividing by zero gives infinity or no number (a whole
result: 0).
"""

import ast
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from simulation.compiler.body import Body
from simulation.compiler.kinds import (
    REAL,
    TRUTH,
    WHOLE,
    CompilationError,
    Scalar,
    Value,
    constant,
    known_whole,
    whole,
)

POWER: Final = "power"
"""C's `pow` under a name that LLVM does not know: of what it knows as a power it makes products and
roots for some exponents, whose last bit is another."""
_SIMPLE: Final[Mapping[type, tuple[str, str]]] = MappingProxyType(
    {ast.Add: ("add", "fadd"), ast.Sub: ("sub", "fsub"), ast.Mult: ("mul", "fmul")}
)
_BITS: Final[Mapping[type, str]] = MappingProxyType(
    {
        ast.BitAnd: "and",
        ast.BitOr: "or",
        ast.BitXor: "xor",
        ast.LShift: "shl",
        ast.RShift: "ashr",
    }
)
_FOLDED: Final[Mapping[type, Callable[[int, int], int]]] = MappingProxyType(
    {ast.Add: int.__add__, ast.Sub: int.__sub__, ast.Mult: int.__mul__}
)
_COMPARED: Final[Mapping[type, tuple[str, str]]] = MappingProxyType(
    {
        ast.Eq: ("eq", "oeq"),
        ast.NotEq: ("ne", "une"),
        ast.Lt: ("slt", "olt"),
        ast.LtE: ("sle", "ole"),
        ast.Gt: ("sgt", "ogt"),
        ast.GtE: ("sge", "oge"),
    }
)


def truth(body: Body, value: Value) -> Value:
    """Whether the number is not zero."""
    return body.convert(value, TRUTH)


def denied(body: Body, value: Value) -> Value:
    """`not value`."""
    return Value(TRUTH, (body.add(f"xor i1 {truth(body, value).operand}, true"),))


def negative(body: Body, value: Value) -> Value:
    """`-value`."""
    if value.kind == REAL:
        return Value(REAL, (body.add(f"fneg double {value.operand}"),))
    return combined(body, ast.Sub, whole(0), value)


def combined(body: Body, operator: type, first: Value, second: Value) -> Value:
    """The result of a binary operator, given as its class in `ast`."""
    if operator is ast.Div or operator is ast.Pow:
        return _real_result(body, operator, first, second)
    kind = _number_kind(first, second)
    one, two = known_whole(first), known_whole(second)
    if operator in _FOLDED and one is not None and two is not None:
        return constant(_FOLDED[operator](one, two))
    a, b = body.convert(first, kind).operand, body.convert(second, kind).operand
    if operator in _SIMPLE:
        instruction = _SIMPLE[operator][kind == REAL]
        return Value(kind, (body.add(f"{instruction} {kind.llvm} {a}, {b}"),))
    if kind != WHOLE:
        raise CompilationError(f"{operator.__name__} is for whole numbers only")
    if operator in (ast.LShift, ast.RShift):
        if two is None:
            return _shifted(body, operator, a, b)
        if not 0 <= two < 64:
            raise CompilationError("a whole number is shifted by 0 to 63 bits")
    if operator in _BITS:
        return Value(kind, (body.add(f"{_BITS[operator]} i64 {a}, {b}"),))
    if operator is ast.FloorDiv or operator is ast.Mod:
        return _floor_divided(body, operator, a, b)
    raise CompilationError(f"{operator.__name__} cannot be compiled")


def _number_kind(first: Value, second: Value) -> Scalar:
    """The kind to calculate in: never that of truths."""
    if not isinstance(first.kind, Scalar) or not isinstance(second.kind, Scalar):
        raise CompilationError("numbers are needed here")
    return max(first.kind, second.kind, WHOLE, key=lambda kind: kind.rank)


def _real_result(body: Body, operator: type, first: Value, second: Value) -> Value:
    a, b = body.convert(first, REAL).operand, body.convert(second, REAL).operand
    if operator is ast.Div:
        return Value(REAL, (body.add(f"fdiv double {a}, {b}"),))
    if REAL not in (first.kind, second.kind):
        raise CompilationError("a power of whole numbers cannot be compiled: write it out")
    return Value(REAL, (body.add(f"call double @{POWER}(double {a}, double {b})"),))


def _shifted(body: Body, operator: type, a: str, b: str) -> Value:
    """By so many bits, of which the processor counts the first six. Python has no shift by less
    than none."""
    is_some, fault = body.add(f"icmp sge i64 {b}, 0"), "ValueError ({}: a negative shift count)"
    count = body.chosen(is_some, b, "0", fault)
    is_within = body.add(f"icmp ult i64 {count}, 64")
    bits = body.add(f"select i1 {is_within}, i64 {count}, i64 63")
    result = body.add(f"{_BITS[operator]} i64 {a}, {bits}")
    if operator is ast.LShift:
        result = body.add(f"select i1 {is_within}, i64 {result}, i64 0")
    return Value(WHOLE, (result,))


def _floor_divided(body: Body, operator: type, a: str, b: str) -> Value:
    """Quotient or remainder by Python's rule: the remainder has the sign of the divisor.

    By 0 the processor does not divide, nor the least number by -1: both give a product."""
    above = body.add(f"add i64 {b}, 1")
    is_apart = body.add(f"icmp ult i64 {above}, 2")
    divisor = body.add(f"select i1 {is_apart}, i64 1, i64 {b}")
    remainder = body.add(f"srem i64 {a}, {divisor}")
    signs = body.add(f"xor i64 {remainder}, {divisor}")
    differ = body.add(f"icmp slt i64 {signs}, 0")
    is_left = body.add(f"icmp ne i64 {remainder}, 0")
    is_off = body.add(f"and i1 {is_left}, {differ}")
    if operator is ast.Mod:
        moved = body.add(f"add i64 {remainder}, {divisor}")
        result, apart = body.add(f"select i1 {is_off}, i64 {moved}, i64 {remainder}"), "0"
    else:
        quotient = body.add(f"sdiv i64 {a}, {divisor}")
        less = body.add(f"sub i64 {quotient}, 1")
        result = body.add(f"select i1 {is_off}, i64 {less}, i64 {quotient}")
        apart = body.add(f"mul i64 {a}, {b}")
    return Value(WHOLE, (body.add(f"select i1 {is_apart}, i64 {apart}, i64 {result}"),))


def compared(body: Body, operator: type, first: Value, second: Value) -> Value:
    """The truth of a comparison, given as its class in `ast`."""
    if operator not in _COMPARED:
        raise CompilationError(f"{operator.__name__} cannot be compiled")
    kind = _number_kind(first, second)
    a, b = body.convert(first, kind).operand, body.convert(second, kind).operand
    on_whole, on_real = _COMPARED[operator]
    instruction = f"fcmp {on_real}" if kind == REAL else f"icmp {on_whole}"
    return Value(TRUTH, (body.add(f"{instruction} {kind.llvm} {a}, {b}"),))


def selected(body: Body, condition: Value, first: Value, second: Value) -> Value:
    """One of two numbers of the same kind."""
    kind = first.kind
    assert isinstance(kind, Scalar)
    choice = f"{kind.llvm} {first.operand}, {kind.llvm} {second.operand}"
    return Value(kind, (body.add(f"select i1 {condition.operand}, {choice}"),))
