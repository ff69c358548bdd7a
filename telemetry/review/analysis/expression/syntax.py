"""Expression parser: a text as a syntax tree, of which nothing is ever run as Python.

sum     = product { ("+" | "-") product }
product = sign { ("*" | "/") sign }
sign    = ["-" | "+"] sign | power
power   = atom [ ("^" | "**") sign ]
atom    = number | text | field | name [ "(" [ sum { "," sum } ] ")" ] | "(" sum ")"
"""

import math
import re
from dataclasses import dataclass

LONGEST = 500
"""Characters that an expression may have."""
DEEPEST = 40
"""Brackets, signs and powers within each other."""
MOST_FIELDS = 24
_LARGEST_NUMBER_CHARACTERS = 30

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<field>[A-Za-z_]\w*(?:\[\d{1,5}\])?\.\w+(?:\.\w+)?)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<text>"[^"]{0,30}")
  | (?P<mark>\*\*|[-+*/^(),])
    )""",
    re.VERBOSE | re.ASCII,
)


class ExpressionError(ValueError):
    """What is wrong with an expression, as a sentence; `start` to `stop` is the place in it."""

    def __init__(self, sentence: str, start: int, stop: int) -> None:
        super().__init__(sentence)
        self.start, self.stop = start, stop


@dataclass(frozen=True, slots=True)
class NumberNode:
    """A number as it is written."""

    value: float
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TextNode:
    """A word in quotes, such as a unit."""

    value: str
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PathNode:
    """A field by its path."""

    path: str
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class NameNode:
    """A name alone, which means nothing: a function without brackets, or an object."""

    name: str
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CallNode:
    """A function of values; operators are called "+", "-", "*", "/", "^" and "negative"."""

    name: str
    arguments: tuple["Node", ...]
    place: tuple[int, int]


Node = NumberNode | TextNode | PathNode | NameNode | CallNode
_CONSTANTS = {"pi": math.pi, "e": math.e}


def parse(text: str) -> Node:
    """The tree of an expression. Raises ExpressionError."""
    if len(text) > LONGEST:
        raise ExpressionError(
            f"An expression has at most {LONGEST} characters, this has {len(text)}.",
            LONGEST,
            len(text),
        )
    return _Parser(text).whole()


def fields_of(node: Node) -> tuple[PathNode, ...]:
    """All fields, in the order in which they are written."""
    if isinstance(node, PathNode):
        return (node,)
    if isinstance(node, CallNode):
        return tuple(field for argument in node.arguments for field in fields_of(argument))
    return ()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    place: tuple[int, int]


def _tokens(text: str) -> list[_Token]:
    found, at = [], 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise ExpressionError(
                f"'{text[at]}' at character {at + 1} has no meaning here.", at, at + 1
            )
        found.append(_Token(match.lastgroup, match[match.lastgroup], match.span(match.lastgroup)))
        at = match.end()
    return [*found, _Token("end", "", (end, end))]


class _Parser:
    """Reads tokens from left to right; each method reads one rule of the grammar."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        if self._next.kind == "end":
            raise ExpressionError("An expression is missing: name a field.", 0, 0)
        node = self._sum()
        if self._next.kind != "end":
            raise self._unexpected("an operator such as + or * is missing before it")
        return node

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *marks: str) -> _Token | None:
        """The next token, if it is one of these marks."""
        token = self._next
        if token.kind != "mark" or token.text not in marks:
            return None
        self._at += 1
        return token

    def _unexpected(self, why: str) -> ExpressionError:
        token = self._next
        if token.kind == "end":
            return ExpressionError(f"The expression ends too early: {why}.", *token.place)
        where = f"'{token.text[:40]}' at character {token.place[0] + 1} is not expected: {why}."
        return ExpressionError(where, *token.place)

    def _sum(self) -> Node:
        node = self._product()
        while (mark := self._take("+", "-")) is not None:
            node = CallNode(mark.text, (node, self._product()), mark.place)
        return node

    def _product(self) -> Node:
        node = self._sign()
        while (mark := self._take("*", "/")) is not None:
            node = CallNode(mark.text, (node, self._sign()), mark.place)
        return node

    def _sign(self) -> Node:
        self._deeper()
        mark = self._take("-", "+")
        if mark is None:
            node = self._power()
        else:
            operand = self._sign()
            node = operand if mark.text == "+" else CallNode("negative", (operand,), mark.place)
        self._depth -= 1
        return node

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(
                f"The expression is nested deeper than {DEEPEST} brackets.", *self._next.place
            )

    def _power(self) -> Node:
        node = self._atom()
        mark = self._take("^", "**")
        return node if mark is None else CallNode("^", (node, self._sign()), mark.place)

    def _atom(self) -> Node:
        token = self._next
        if self._take("(") is not None:
            node = self._sum()
            self._close()
            return node
        if token.kind in ("end", "mark"):
            raise self._unexpected("a field, a number or a function is missing here")
        self._at += 1
        if token.kind == "number":
            return _number(token)
        if token.kind == "text":
            return TextNode(token.text[1:-1], token.place)
        if token.kind == "field":
            return PathNode(token.text, token.place)
        return self._named(token)

    def _named(self, token: _Token) -> Node:
        if self._take("(") is None:
            if token.text in _CONSTANTS:
                return NumberNode(_CONSTANTS[token.text], token.place)
            return NameNode(token.text, token.place)
        arguments: list[Node] = []
        if self._take(")") is not None:
            return CallNode(token.text, (), token.place)
        arguments.append(self._sum())
        while self._take(",") is not None:
            arguments.append(self._sum())
        self._close()
        return CallNode(token.text, tuple(arguments), token.place)

    def _close(self) -> None:
        if self._take(")") is None:
            raise self._unexpected("a closing bracket is missing")


def _number(token: _Token) -> NumberNode:
    value = float(token.text) if len(token.text) <= _LARGEST_NUMBER_CHARACTERS else math.inf
    if not math.isfinite(value):
        raise ExpressionError(
            f"The number at character {token.place[0] + 1} is too large.", *token.place
        )
    return NumberNode(value, token.place)
