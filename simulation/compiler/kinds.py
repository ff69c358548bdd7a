"""Kinds of values in a program, and how they are written in LLVM's language.

A kind is known before the program runs. A value is handed about as the operands of its numbers
and pointers: a tuple has one for each of its items, a view of memory the pointer alone, because
its layout is part of its kind.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np


class CompilationError(Exception):
    """A function does what cannot be compiled; says what, and in which line of which file."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what, self.line, self.path = what, 0, ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


@dataclass(frozen=True)
class Scalar:
    """A number. One of a higher rank can hold those of the lower ranks."""

    llvm: str
    rank: int


TRUTH: Final = Scalar("i1", 0)
WHOLE: Final = Scalar("i64", 1)
REAL: Final = Scalar("double", 2)


@dataclass(frozen=True)
class RecordView:
    """A record, an array of records or numbers, or a single number, in memory.

    `shape` has a length per axis, None where only the running program knows it; `strides` are in
    bytes. Without axes it is one record or the place of one number.
    """

    dtype: "np.dtype[Any]"
    shape: tuple[int | None, ...] = ()
    strides: tuple[int, ...] = ()


@dataclass(frozen=True)
class TupleKind:
    """A tuple."""

    items: "tuple[Kind, ...]"


@dataclass(frozen=True)
class Fixed:
    """A Python object that programs only pass on or look into: a string, a function, a module."""

    what: Any


Kind = Scalar | RecordView | TupleKind | Fixed
NOTHING: Final = Fixed(None)


class Value(NamedTuple):
    """A kind with its operands."""

    kind: Kind
    operands: tuple[str, ...]

    @property
    def operand(self) -> str:
        """Of a number or a view."""
        return self.operands[0]


def llvm_types(kind: Kind) -> tuple[str, ...]:
    """The types of a value's operands."""
    match kind:
        case Scalar():
            return (kind.llvm,)
        case RecordView():
            return ("ptr",)
        case TupleKind():
            return tuple(name for item in kind.items for name in llvm_types(item))
        case Fixed():
            return ()


def items_of(value: Value) -> list[Value]:
    """Of a tuple."""
    if not isinstance(value.kind, TupleKind):
        raise CompilationError("a tuple is needed here")
    items, first = [], 0
    for kind in value.kind.items:
        after = first + len(llvm_types(kind))
        items.append(Value(kind, value.operands[first:after]))
        first = after
    return items


def tuple_of(items: list[Value]) -> Value:
    """The tuple of these values."""
    operands = tuple(operand for item in items for operand in item.operands)
    return Value(TupleKind(tuple(item.kind for item in items)), operands)


def common_kind(first: Kind, second: Kind) -> Kind:
    """The kind that can hold both, or CompilationError."""
    if first == second:
        return first
    match first, second:
        case Scalar(), Scalar():
            return max(first, second, key=lambda kind: kind.rank)
        case TupleKind(), TupleKind() if len(first.items) == len(second.items):
            return TupleKind(tuple(map(common_kind, first.items, second.items)))
    raise CompilationError("the same name or expression has values of kinds that do not mix")


def whole(number: int) -> Value:
    """A whole number known beforehand."""
    return Value(WHOLE, (str(number),))


def known_whole(value: Value) -> int | None:
    """The number, if it is known beforehand."""
    if value.kind != WHOLE or value.operand.startswith("%"):
        return None
    return int(value.operand)


def known_real(operand: str) -> float:
    """The number that an operand says that `constant` has made."""
    return float(np.uint64(int(operand, 16)).view(np.float64))


def constant(number: Any) -> Value:
    """A number, tuple or other object from outside the program."""
    if isinstance(number, bool | np.bool_):
        return Value(TRUTH, ("true" if number else "false",))
    if isinstance(number, int | np.integer):
        wrapped = (int(number) + 2**63) % 2**64 - 2**63
        return whole(wrapped)
    if isinstance(number, float | np.floating):
        return Value(REAL, (f"0x{np.float64(number).view(np.uint64):016X}",))
    if isinstance(number, tuple):
        return tuple_of([constant(item) for item in number])
    if not isinstance(number, Hashable):
        raise CompilationError(f"a {type(number).__name__} cannot be used")
    return Value(Fixed(number), ())
