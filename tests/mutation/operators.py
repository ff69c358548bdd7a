"""What can be changed in a statement: small changes of meaning, each as a piece of text put in
the place of another."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_NEGATED: Final = {
    ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_BOUNDARY: Final = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
_ARITHMETIC: Final = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.BitAnd: "|", ast.BitOr: "&",
    ast.LShift: ">>", ast.RShift: "<<", ast.Mod: "*", ast.FloorDiv: "*",
}  # fmt: skip
_SIGN: Final = re.compile(r"<<|>>|//|<=|>=|==|!=|is\s+not|not\s+in|is|in|[-+*/%&|<>]")
_SYMMETRIC: Final = {"min", "max", "hypot", "dist", "isclose", "maximum", "minimum", "array_equal"}
"""Functions whose result is the same with swapped arguments."""
_OF_TYPES: Final = {"isinstance", "issubclass", "getattr", "hasattr", "setattr", "cast", "TypeVar"}
_LOGGERS: Final = {"log", "logger", "logging", "_log", "_LOG", "warnings"}
_MUCH: Final = 1000
"""One more than so much is no change of meaning."""
_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


@dataclass(frozen=True)
class Change:
    """A change of one statement: `new` in the place of the bytes from `start` to `end`."""

    operator: str
    start: int
    end: int
    new: str


class Statement:
    """A statement with the bytes of its file, and where lines begin in them."""

    def __init__(self, source: bytes, node: ast.stmt) -> None:
        """`node` is a statement of `source`."""
        self._source = source
        self._lines = [0, *(match.end() for match in re.finditer(rb"\n", source))]
        self.node = node

    def changes(self) -> list[Change]:
        """All that can be changed in it: in its own expressions, not in statements inside it."""
        if _is_logging(self.node) or isinstance(self.node, ast.Assert):
            return []
        found = [*self._of_statement()]
        default = isinstance(self.node, ast.FunctionDef | ast.AsyncFunctionDef)
        for expression in _own_expressions(self.node):
            for change in self._of_expression(expression):
                name = f"default value: {change.operator}" if default else change.operator
                found.append(Change(name, change.start, change.end, change.new))
        return found

    def _span(self, node: ast.AST) -> tuple[int, int]:
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        return (
            self._lines[first - 1] + node.col_offset,  # type: ignore[attr-defined]
            self._lines[last - 1] + node.end_col_offset,  # type: ignore[attr-defined]
        )

    def _text(self, start: int, end: int) -> str:
        return self._source[start:end].decode()

    def _of_statement(self) -> Iterator[Change]:
        node = self.node
        if found := self._replaced(node):
            yield Change(found[0], *self._span(node), found[1])
        if isinstance(node, ast.If | ast.While):
            start, end = self._span(node.test)
            text = self._text(start, end)
            if not isinstance(node.test, ast.Compare | ast.UnaryOp | ast.Constant):
                yield Change("not", start, end, f"(not ({text}))")
        if isinstance(node, ast.AugAssign) and (new := _ARITHMETIC.get(type(node.op))):
            yield from self._operator(node.target, node.value, "arithmetic", new)

    def _replaced(self, node: ast.stmt) -> tuple[str, str] | None:
        """The operator, and what takes the place of the whole statement."""
        match node:
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                return "deleted statement", "pass"
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                return "deleted statement", "pass"
            case ast.Raise():
                return "deleted raise", "pass"
            case ast.Return(value=value) if value is not None and not _is_none(value):
                return "return None", "return None"
            case ast.Break():
                return "break and continue", "continue"
            case ast.Continue():
                return "break and continue", "break"
            case ast.If(orelse=[]) if self._is_guard(node):
                return "deleted guard", "pass"
        return None

    def _is_guard(self, node: ast.If) -> bool:
        is_elif = self._source[self._span(node)[0] :].startswith(b"elif")
        return isinstance(node.body[-1], _LEAVING) and not is_elif

    def _of_expression(self, node: ast.expr) -> Iterator[Change]:
        match node:
            case ast.Compare(left=left, ops=[sign], comparators=[right]):
                yield from self._operator(left, right, "comparison", _NEGATED[type(sign)])
                if other := _BOUNDARY.get(type(sign)):
                    yield from self._operator(left, right, "boundary", other)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _ARITHMETIC:
                if not _is_text(left) and not _is_text(right):
                    yield from self._operator(left, right, "arithmetic", _ARITHMETIC[type(sign)])
            case ast.Constant(value=bool() | int() | float() as value):
                yield from _numbers(value, self._span(node))
            case ast.Call():
                yield from self._swapped(node)
            case _:
                yield from self._of_condition(node)

    def _of_condition(self, node: ast.expr) -> Iterator[Change]:
        span = self._span(node)
        match node:
            case ast.BoolOp(op=sign, values=values):
                other = ast.Or() if isinstance(sign, ast.And) else ast.And()
                yield Change("and and or", *span, f"({ast.unparse(ast.BoolOp(other, values))})")
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield Change("not", *span, f"(bool({self._text(*self._span(operand))}))")
            case ast.UnaryOp(op=ast.USub(), operand=operand) if not _is_number(operand):
                yield Change("sign", *span, f"(+({self._text(*self._span(operand))}))")
            case ast.IfExp(test=test):
                start, end = self._span(test)
                yield Change("not", start, end, f"(not ({self._text(start, end)}))")

    def _operator(self, left: ast.AST, right: ast.AST, name: str, new: str) -> Iterator[Change]:
        start, end = self._span(left)[1], self._span(right)[0]
        if sign := _SIGN.search(self._text(start, end)):
            first = start + len(self._text(start, end)[: sign.start()].encode())
            yield Change(name, first, first + len(sign.group().encode()), new)

    def _swapped(self, call: ast.Call) -> Iterator[Change]:
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if name in _SYMMETRIC | _OF_TYPES:
            return
        for one, other in zip(call.args, call.args[1:], strict=False):
            starred = isinstance(one, ast.Starred) or isinstance(other, ast.Starred)
            if starred or ast.dump(one) == ast.dump(other):
                continue
            (start, middle), (right, end) = self._span(one), self._span(other)
            between = self._text(middle, right)
            if between.strip() != ",":  # brackets belong to one of both
                continue
            text = self._text(right, end) + between + self._text(start, middle)
            yield Change("swapped arguments", start, end, text)


def _numbers(value: float, span: tuple[int, int]) -> Iterator[Change]:
    if isinstance(value, bool):
        yield Change("constant", *span, str(not value))
        return
    if abs(value) < _MUCH:
        yield Change("constant", *span, repr(value + 1))
    if value:
        yield Change("constant", *span, repr(value * 2))
        yield Change("sign", *span, f"(-{value!r})")


def _own_expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement that are evaluated: no annotations, decorators and texts."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            roots = [one for one in [*node.args.defaults, *node.args.kw_defaults] if one]
        case ast.ClassDef() | ast.Import() | ast.ImportFrom():
            roots = []
        case ast.AnnAssign():
            roots = [node.value] if node.value else []
        case _:
            children = ast.iter_child_nodes(node)
            roots = [one for one in children if isinstance(one, ast.expr)]
            roots += [one.context_expr for one in getattr(node, "items", ())]
    for root in roots:
        yield from _within(root)


def _within(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.JoinedStr):  # a text; before Python 3.12 its places are wrong, too
        return
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.keyword):
            if child.arg == "strict":  # of zip: finds mistakes of ours, and does nothing else
                continue
            yield from _within(child.value)
        elif isinstance(child, ast.comprehension):
            for part in (child.iter, *child.ifs):
                yield from _within(part)
        elif isinstance(child, ast.arguments):
            continue
        elif isinstance(child, ast.expr):
            yield from _within(child)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def _is_logging(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name in _LOGGERS
    return False
