"""Members of records and elements of arrays: views into views, and the numbers there."""

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from simulation.compiler.arithmetic import combined, compared, selected
from simulation.compiler.body import Body
from simulation.compiler.kinds import (
    REAL,
    WHOLE,
    CompilationError,
    RecordView,
    Scalar,
    Value,
    known_whole,
    whole,
)


class Stretch(NamedTuple):
    """A slice: where it begins, and how long it is if that is known beforehand."""

    first: Value
    length: int | None


Index = Value | Stretch
_OUTSIDE: Final = "IndexError ({}: an index is out of bounds)"
_BEFORE: Final = "IndexError ({}: an index is below 0 in an array of unknown length)"


def view_of(value: Value) -> RecordView:
    """The kind of a view, or CompilationError."""
    if not isinstance(value.kind, RecordView):
        raise CompilationError("only records, arrays and tuples have members")
    return value.kind


def member(body: Body, record: Value, name: str) -> Value:
    """A view of a record's member."""
    view = view_of(record)
    if view.shape or view.dtype.fields is None or name not in view.dtype.fields:
        raise CompilationError(f"there is no member '{name}'")
    dtype, offset = view.dtype.fields[name][:2]
    base, shape = dtype.subdtype or (dtype, ())
    kind = RecordView(base, shape, _strides(base.itemsize, shape))
    return Value(kind, (_moved(body, record.operand, str(offset)),))


def _strides(itemsize: int, shape: Sequence[int]) -> tuple[int, ...]:
    strides: list[int] = []
    for length in reversed(shape):
        strides.insert(0, itemsize)
        itemsize *= length
    return tuple(strides)


def _moved(body: Body, pointer: str, offset: str) -> str:
    if offset == "0":
        return pointer
    return body.add(f"getelementptr i8, ptr {pointer}, i64 {offset}")


def element(body: Body, array: Value, indices: Sequence[Index]) -> Value:
    """A view of an array's elements by one index or slice per axis, the first axes first."""
    view = view_of(array)
    if len(indices) > len(view.shape):
        raise CompilationError("more indices than axes")
    pointer, kept = array.operand, []
    axes = list(zip(view.shape, view.strides, strict=True))
    for index, (length, stride) in zip(indices, axes, strict=False):
        if isinstance(index, Stretch):
            kept.append((index.length, stride))
            counted = _stretch_start(body, index, length)
        else:
            counted = counted_index(body, index, length)
        offset = combined(body, ast.Mult, counted, whole(stride))
        pointer = _moved(body, pointer, offset.operand)
    kept += axes[len(indices) :]
    shape, strides = tuple(n for n, _ in kept), tuple(n for _, n in kept)
    return Value(RecordView(view.dtype, shape, strides), (pointer,))


def _stretch_start(body: Body, stretch: Stretch, length: int | None) -> Value:
    """Where a stretch begins, from the front: one known beforehand is clipped already. One that is
    not, as checked code sees, leaves room for the whole stretch."""
    start, width = stretch.first, stretch.length
    is_known = known_whole(start) is not None
    if is_known or body.note_fault is None or length is None or width is None:
        return start
    return _checked(body, start, length - width + 1)


def counted_index(body: Body, index: Value, length: int | None) -> Value:
    """The index from the front: negative ones count from the end. Raises CompilationError for one
    known beforehand that is beyond the length, or negative where that is not known."""
    if index.kind == REAL:
        raise CompilationError("an index is a whole number")
    index = body.convert(index, WHOLE)
    known = known_whole(index)
    if known is not None and not -(length or 0) <= known < (
        known + 1 if length is None else length
    ):
        raise CompilationError(
            f"index {known} is out of bounds" + ("" if length is None else f" of {length}")
        )
    if length is None and known is None and body.note_fault is not None:
        is_inside = compared(body, ast.GtE, index, whole(0)).operand
        return Value(WHOLE, (body.chosen(is_inside, index.operand, "0", _BEFORE),))
    if length is None or (known is not None and known >= 0):
        return index
    from_end = combined(body, ast.Add, index, whole(length))
    if known is not None:
        return from_end
    counted = selected(body, compared(body, ast.Lt, index, whole(0)), from_end, index)
    return counted if body.note_fault is None else _checked(body, counted, length)


def _checked(body: Body, index: Value, length: int) -> Value:
    """The index if there is such an element; else the first, and the line is noted."""
    is_inside = body.add(f"icmp ult i64 {index.operand}, {length}")
    return Value(WHOLE, (body.chosen(is_inside, index.operand, "0", _OUTSIDE),))


def loaded(body: Body, view: Value) -> Value:
    """The number, where a view is of one; else the view itself."""
    kind = view_of(view)
    if kind.shape or kind.dtype.fields is not None:
        return view
    number = _number_kind(kind.dtype)
    return Value(number, (body.add(f"load {number.llvm}, ptr {view.operand}{body.access}"),))


def store(body: Body, view: Value, value: Value) -> None:
    """Write a number there, in the kind that the record has."""
    kind = view_of(view)
    if kind.shape or kind.dtype.fields is not None:
        raise CompilationError("only single numbers can be assigned; write a loop")
    number = _number_kind(kind.dtype)
    operand = body.convert(value, number).operand
    body.do(f"store {number.llvm} {operand}, ptr {view.operand}{body.access}")


def _number_kind(dtype: "np.dtype[Any]") -> Scalar:
    if dtype == np.float64:
        return REAL
    if dtype == np.int64:
        return WHOLE
    raise CompilationError(f"records hold int64 and float64 only, no {dtype}")


def elements(body: Body, array: Value, count: int | None = None) -> list[Value]:
    """The elements of an array, `count` of them if its length is not known beforehand."""
    return [loaded(body, place) for place in places(body, array, count)]


def places(body: Body, array: Value, count: int | None = None) -> Iterator[Value]:
    """Views of the elements, written as they are asked for."""
    length = view_of(array).shape[0] if view_of(array).shape else None
    if length is None:
        length = count
    if length is None or count not in (None, length):
        raise CompilationError("the length does not fit or is not known beforehand")
    for i in range(length):
        yield element(body, array, [whole(i)])
