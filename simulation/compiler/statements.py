"""Statements of Python's syntax tree, as instructions of a function being written."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from simulation.compiler.arithmetic import combined, compared
from simulation.compiler.body import Body, EnclosingLoop
from simulation.compiler.decorators import side_by_side
from simulation.compiler.expressions import condition, place_of, value_of
from simulation.compiler.kinds import (
    NOTHING,
    WHOLE,
    CompilationError,
    Fixed,
    TupleKind,
    Value,
    items_of,
    known_whole,
    tuple_of,
    whole,
)
from simulation.compiler.memory import elements, loaded, places, store

_SIDE_BY_SIDE: Final = (
    'vectorize.enable", i1 true',
    'vectorize.width", i32 4',
    'interleave.count", i32 1',
)


def write(body: Body, nodes: Sequence[ast.stmt]) -> None:
    """Write statements in a row, up to one that leaves."""
    for node in nodes:
        if body.here.is_closed:
            return
        body.line = node.lineno
        try:
            if type(node) not in _STATEMENTS:
                raise CompilationError(f"{type(node).__name__} cannot be compiled")
            _STATEMENTS[type(node)](body, node)
        except CompilationError as error:
            error.line = error.line or node.lineno
            raise


def _assign(body: Body, node: ast.Assign) -> None:
    value = value_of(body, node.value)
    for target in node.targets:
        _give(body, target, value)


def _ann_assign(body: Body, node: ast.AnnAssign) -> None:
    if node.value is not None:
        _give(body, node.target, value_of(body, node.value))


def _give(body: Body, target: ast.expr, value: Value) -> None:
    match target:
        case ast.Name(id="_"):
            return
        case ast.Name(id=name):
            body.assign(name, value)
        case ast.Subscript():
            store(body, place_of(body, target), value)
        case ast.Tuple(elts=targets):
            is_tuple = isinstance(value.kind, TupleKind)
            items = items_of(value) if is_tuple else elements(body, value, len(targets))
            if len(items) != len(targets):
                raise CompilationError(f"{len(items)} values for {len(targets)} names")
            for one, item in zip(targets, items, strict=True):
                _give(body, one, item)
        case _:
            raise CompilationError(f"{type(target).__name__} cannot be assigned to")


def _aug_assign(body: Body, node: ast.AugAssign) -> None:
    if isinstance(node.target, ast.Subscript):
        place = place_of(body, node.target)
        before = loaded(body, place)
        store(body, place, combined(body, type(node.op), before, value_of(body, node.value)))
        return
    before = value_of(body, node.target)
    after = combined(body, type(node.op), before, value_of(body, node.value))
    _give(body, node.target, after)


def _expression(body: Body, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):  # a docstring
        value_of(body, node.value)


def _if(body: Body, node: ast.If) -> None:
    then, other, after = body.block(), body.block(), body.block()
    body.branch(condition(body, node.test), then, other)
    for block, nodes in ((then, node.body), (other, node.orelse)):
        body.enter(block)
        write(body, nodes)
        body.jump(after)
    body.enter(after)


def _while(body: Body, node: ast.While) -> None:
    again, inside, after = body.block(), body.block(), body.block()
    body.jump(again)
    body.enter(again)
    body.branch(condition(body, node.test), inside, after)
    body.enter(inside)
    _write_inside(body, node, EnclosingLoop(again, after))
    body.jump(again)
    body.enter(after)


def _write_inside(body: Body, node: ast.For | ast.While, loop: EnclosingLoop) -> None:
    if node.orelse:
        raise CompilationError("a loop has no else")
    body.loops.append(loop)
    write(body, node.body)
    body.loops.pop()


def _for(body: Body, node: ast.For) -> None:
    if _is_call_of(body, node.iter, range):
        _count(body, node)
    elif _is_call_of(body, node.iter, side_by_side):
        body.apart = body.mark("distinct !{}") if body.note_fault is None else ""
        _count(body, node)
        body.apart = ""
    else:
        _unroll(body, node)


def _is_call_of(body: Body, node: ast.expr, function: Any) -> bool:
    """Whether the expression calls this function of Python's own."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return False
    return not body.is_variable(node.func.id) and body.find(node.func.id).kind == Fixed(function)


def _count(body: Body, node: ast.For) -> None:
    """A loop over a range."""
    assert isinstance(node.iter, ast.Call)
    given = [body.convert(value_of(body, n), WHOLE) for n in node.iter.args]
    first, end = (whole(0), given[0]) if len(given) == 1 else given[:2]
    step = known_whole(given[2]) if len(given) > 2 else 1
    if not step:
        raise CompilationError("the step of a range is known beforehand")
    counter = f"range.{node.lineno}"
    again, inside, following, after = (body.block() for _ in range(4))
    body.assign(counter, first)
    body.jump(again)
    body.enter(again)
    goes_on = compared(body, ast.Lt if step > 0 else ast.Gt, body.read(counter), end)
    body.branch(goes_on, inside, after)
    body.enter(inside)
    _give(body, node.target, body.read(counter))
    _write_inside(body, node, EnclosingLoop(following, after))
    body.jump(following)
    body.enter(following)
    body.assign(counter, combined(body, ast.Add, body.read(counter), whole(step)))
    body.jump(again, _at_a_time(body))
    body.enter(after)


def _at_a_time(body: Body) -> str:
    """The mark of a loop, if its rounds are apart."""
    if not body.apart:
        return ""
    hints = [body.mark(f'!{{!"llvm.loop.{hint}}}') for hint in _SIDE_BY_SIDE]
    hints.append(body.mark(f'!{{!"llvm.loop.parallel_accesses", {body.apart}}}'))
    own = f"!{len(body.marks)}"  # a loop's mark begins with itself
    return f", !llvm.loop {body.mark(f'distinct !{{{own}, ' + ', '.join(hints) + '}')}"


def _unroll(body: Body, node: ast.For) -> None:
    """A loop over a tuple or an array, perhaps enumerated: written once for each item."""
    after = body.block()
    for value in _items(body, node.iter):
        following = body.block()
        _give(body, node.target, value)
        _write_inside(body, node, EnclosingLoop(following, after))
        body.jump(following)
        body.enter(following)
    body.jump(after)
    body.enter(after)


def _items(body: Body, node: ast.expr) -> Iterator[Value]:
    if _is_call_of(body, node, enumerate):
        assert isinstance(node, ast.Call)
        if len(node.args) != 1 or node.keywords:
            raise CompilationError("enumerate counts from 0 here: it takes one argument")
        for i, value in enumerate(_items(body, node.args[0])):
            yield tuple_of([whole(i), value])
        return
    value = value_of(body, node)
    if isinstance(value.kind, TupleKind):
        yield from items_of(value)
        return
    for place in places(body, value):
        yield loaded(body, place)  # as it is then: the loop may have changed it


def _return(body: Body, node: ast.Return) -> None:
    body.give_back(Value(NOTHING, ()) if node.value is None else value_of(body, node.value))


def _continue(body: Body, _node: ast.Continue) -> None:
    body.jump(body.loops[-1].again)


def _break(body: Body, _node: ast.Break) -> None:
    body.jump(body.loops[-1].after)


def _pass(_body: Body, _node: ast.Pass) -> None:
    """Write nothing."""


_STATEMENTS: Final[Mapping[type, Callable[[Body, Any], None]]] = MappingProxyType(
    {
        ast.AnnAssign: _ann_assign,
        ast.Assign: _assign,
        ast.AugAssign: _aug_assign,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.Expr: _expression,
        ast.For: _for,
        ast.If: _if,
        ast.Pass: _pass,
        ast.Return: _return,
        ast.While: _while,
    }
)
