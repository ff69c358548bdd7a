"""Expressions of Python's syntax tree, as values of a function being written."""

import ast
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from simulation.compiler.arithmetic import combined, compared, denied, negative, selected, truth
from simulation.compiler.body import Body
from simulation.compiler.kinds import (
    TRUTH,
    WHOLE,
    CompilationError,
    Fixed,
    RecordView,
    TupleKind,
    Value,
    constant,
    items_of,
    known_whole,
    tuple_of,
    whole,
)
from simulation.compiler.library import FUNCTIONS
from simulation.compiler.memory import (
    Index,
    Stretch,
    counted_index,
    element,
    loaded,
    member,
    view_of,
)


def value_of(body: Body, node: ast.expr) -> Value:
    """The value of any expression that can be compiled."""
    if type(node) not in _EXPRESSIONS:
        raise CompilationError(f"{type(node).__name__} cannot be compiled")
    return _EXPRESSIONS[type(node)](body, node)


def condition(body: Body, node: ast.expr) -> Value:
    """Whether the expression is true: of numbers, whether they are not zero."""
    if isinstance(node, ast.BoolOp):
        return _chained(body, isinstance(node.op, ast.And), [_asked(body, n) for n in node.values])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return denied(body, condition(body, node.operand))
    return truth(body, value_of(body, node))


def _asked(body: Body, node: ast.expr) -> Callable[[], Value]:
    return lambda: condition(body, node)


def _chained(body: Body, is_and: bool, asked: Sequence[Callable[[], Value]]) -> Value:
    """`and` or `or` of truths, of which the later are asked only if the earlier leave it open."""
    after = body.block()
    ways = []
    for ask in asked[:-1]:
        answer, more = ask(), body.block()
        ways.append(f"[{'false' if is_and else 'true'}, %{body.here.label}]")
        body.branch(answer, *((more, after) if is_and else (after, more)))
        body.enter(more)
    answer = asked[-1]()
    ways.append(f"[{answer.operand}, %{body.here.label}]")
    body.jump(after)
    body.enter(after)
    return Value(TRUTH, (body.add(f"phi i1 {', '.join(ways)}"),))


def _bool_op(body: Body, node: ast.BoolOp) -> Value:
    def truth_only(asked: ast.expr) -> Value:
        value = value_of(body, asked)
        if value.kind != TRUTH:
            raise CompilationError("`and` and `or` give truths only: compare the numbers")
        return value

    asked = [lambda n=n: truth_only(n) for n in node.values]
    return _chained(body, isinstance(node.op, ast.And), asked)


def _compare(body: Body, node: ast.Compare) -> Value:
    last = value_of(body, node.left)

    def ask(operator: ast.cmpop, right: ast.expr) -> Value:
        nonlocal last
        left, last = last, value_of(body, right)
        return _compared(body, operator, left, last)

    pairs = zip(node.ops, node.comparators, strict=True)
    asked = [lambda o=o, r=r: ask(o, r) for o, r in pairs]
    return asked[0]() if len(asked) == 1 else _chained(body, True, asked)


def _compared(body: Body, operator: ast.cmpop, left: Value, right: Value) -> Value:
    if not isinstance(operator, ast.In | ast.NotIn):
        return compared(body, type(operator), left, right)
    found = constant(False)
    for item in items_of(right):
        equal = compared(body, ast.Eq, left, item)
        found = Value(TRUTH, (body.add(f"or i1 {found.operand}, {equal.operand}"),))
    return denied(body, found) if isinstance(operator, ast.NotIn) else found


def _constant(_body: Body, node: ast.Constant) -> Value:
    return constant(node.value)


def _name(body: Body, node: ast.Name) -> Value:
    return body.read(node.id) if body.is_variable(node.id) else body.find(node.id)


def _attribute(body: Body, node: ast.Attribute) -> Value:
    owner = value_of(body, node.value)
    if not isinstance(owner.kind, Fixed) or not hasattr(owner.kind.what, node.attr):
        raise CompilationError(f"there is no .{node.attr} in compiled code")
    return constant(getattr(owner.kind.what, node.attr))


def _tuple(body: Body, node: ast.Tuple) -> Value:
    return tuple_of([value_of(body, item) for item in node.elts])


def _bin_op(body: Body, node: ast.BinOp) -> Value:
    left = value_of(body, node.left)
    return combined(body, type(node.op), left, value_of(body, node.right))


def _unary_op(body: Body, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        return condition(body, node)
    value = value_of(body, node.operand)
    if isinstance(node.op, ast.USub):
        return negative(body, value)
    if isinstance(node.op, ast.UAdd):
        return value
    raise CompilationError(f"{type(node.op).__name__} cannot be compiled")


def _if_exp(body: Body, node: ast.IfExp) -> Value:
    then, other = body.block(), body.block()
    body.branch(condition(body, node.test), then, other)
    arrivals = []
    for block, expression in ((then, node.body), (other, node.orelse)):
        body.enter(block)
        value = value_of(body, expression)
        arrivals.append((body.here, value))
    return body.merge(arrivals, body.block())


def _call(body: Body, node: ast.Call) -> Value:
    function = value_of(body, node.func).kind
    if not isinstance(function, Fixed):
        raise CompilationError("only functions can be called")
    given = [value_of(body, argument) for argument in node.args]
    named = {word.arg or "": value_of(body, word.value) for word in node.keywords}
    if function.what in FUNCTIONS and not named:
        return FUNCTIONS[function.what](body, given)
    return body.call(body, function.what, given, named)


def place_of(body: Body, node: ast.Subscript) -> Value:
    """The view of what a subscript names, also where it is a number."""
    owner = value_of(body, node.value)
    if not isinstance(node.slice, ast.Slice | ast.Tuple):
        key = value_of(body, node.slice)
        if isinstance(key.kind, Fixed):
            return member(body, owner, key.kind.what)
        return element(body, owner, [key])
    nodes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    shape = view_of(owner).shape
    if len(nodes) > len(shape):
        raise CompilationError("more indices than axes")
    indices = [_index(body, n, length) for n, length in zip(nodes, shape, strict=False)]
    return element(body, owner, indices)


def _subscript(body: Body, node: ast.Subscript) -> Value:
    if isinstance(node.slice, ast.Slice | ast.Tuple):
        return loaded(body, place_of(body, node))
    owner = value_of(body, node.value)
    if isinstance(owner.kind, TupleKind):
        return _item(body, owner, value_of(body, node.slice))
    key = value_of(body, node.slice)
    if isinstance(owner.kind, RecordView) and isinstance(key.kind, Fixed):
        return loaded(body, member(body, owner, key.kind.what))
    return loaded(body, element(body, owner, [key]))


def _item(body: Body, group: Value, index: Value) -> Value:
    """Of a tuple; by a number known only later if all its items are numbers of one kind."""
    items, known = items_of(group), known_whole(index)
    index = counted_index(body, index, len(items))
    if known is not None:
        return items[known]
    chosen = items[0]
    for i, item in enumerate(items[1:], start=1):
        if item.kind != chosen.kind:
            raise CompilationError("items of several kinds need an index known beforehand")
        chosen = selected(body, compared(body, ast.Eq, index, whole(i)), item, chosen)
    return chosen


def _index(body: Body, node: ast.expr, length: int | None) -> Index:
    if not isinstance(node, ast.Slice):
        return value_of(body, node)
    if node.step is not None:
        raise CompilationError("a slice has no step")
    first = whole(0) if node.lower is None else body.convert(value_of(body, node.lower), WHOLE)
    begin, end = known_whole(first), _known_end(body, node)
    if begin is not None and length is not None and (end is not None or node.upper is None):
        begin, end, _ = slice(begin, end).indices(length)
        return Stretch(whole(begin), max(end - begin, 0))
    if (begin or 0) < 0 or (end or 0) < 0:
        raise CompilationError("a slice counts from an end that is not known beforehand")
    return Stretch(first, _stretch_length(body, node, begin, end))


def _known_end(body: Body, node: ast.Slice) -> int | None:
    return None if node.upper is None else known_whole(value_of(body, node.upper))


def _stretch_length(body: Body, node: ast.Slice, begin: int | None, end: int | None) -> int | None:
    match node.upper:
        case ast.BinOp(left=left, op=ast.Add(), right=length_node) if node.lower is not None:
            if ast.dump(left) == ast.dump(node.lower):  # [first : first + length]
                return known_whole(value_of(body, length_node))
    return None if begin is None or end is None else max(end - begin, 0)


_EXPRESSIONS: Final[Mapping[type, Callable[[Body, Any], Value]]] = MappingProxyType(
    {
        ast.Attribute: _attribute,
        ast.BinOp: _bin_op,
        ast.BoolOp: _bool_op,
        ast.Call: _call,
        ast.Compare: _compare,
        ast.Constant: _constant,
        ast.IfExp: _if_exp,
        ast.Name: _name,
        ast.Subscript: _subscript,
        ast.Tuple: _tuple,
        ast.UnaryOp: _unary_op,
    }
)
