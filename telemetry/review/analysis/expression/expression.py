"""Checked expression: one that is known to make sense, whatever recording it is read from."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from telemetry.review.analysis.expression.functions import (
    FUNCTIONS,
    MOST_ARGUMENTS,
    OPERATORS,
    ExpressionFunction,
)
from telemetry.review.analysis.expression.syntax import (
    MOST_FIELDS,
    CallNode,
    ExpressionError,
    NameNode,
    Node,
    NumberNode,
    TextNode,
    fields_of,
    parse,
)

_LONGEST_WORD = 60


@dataclass(frozen=True, slots=True)
class Expression:
    """A checked expression. `fields` are the paths in it, each once; the first one's samples are
    those of the result."""

    text: str
    tree: Node
    fields: tuple[str, ...]


def parse_expression(text: str) -> Expression:
    """Raises ExpressionError, whose sentence names the place and what may have been meant."""
    tree = parse(text)
    _check(tree)
    fields = tuple(dict.fromkeys(field.path for field in fields_of(tree)))
    if not fields:
        raise ExpressionError(
            "An expression needs a field, such as AttitudeState.Roll.", 0, len(text)
        )
    if len(fields) > MOST_FIELDS:
        raise ExpressionError(f"An expression has at most {MOST_FIELDS} fields.", 0, len(text))
    return Expression(text, tree, fields)


def function_of(call: CallNode) -> ExpressionFunction:
    """What is called. Raises ExpressionError for an unknown name."""
    found = OPERATORS.get(call.name) or FUNCTIONS.get(call.name)
    if found is None:
        start, stop = call.place
        raise ExpressionError(
            f"No function is called '{call.name[:_LONGEST_WORD]}', at character {start + 1}"
            f"{meant(call.name, FUNCTIONS)}.",
            start,
            stop,
        )
    return found


def usage(name: str) -> str:
    """How a function is written: "lowpass(x, Hz)"."""
    return f"{name}({', '.join(FUNCTIONS[name].takes)})"


def meant(word: str, known: Iterable[str]) -> str:
    """The end of a refusal: what may have been meant."""
    by_small_letters = {name.lower(): name for name in known}
    near = get_close_matches(word.lower()[:_LONGEST_WORD], by_small_letters, n=3, cutoff=0.5)
    return f"; is it {' or '.join(by_small_letters[name] for name in near)}?" if near else ""


def _check(node: Node) -> None:
    """Look at every function and its arguments."""
    if isinstance(node, TextNode):
        raise ExpressionError(
            f"The word in quotes at character {node.place[0] + 1} is not expected: only convert "
            "takes a unit in quotes.",
            *node.place,
        )
    if isinstance(node, NameNode):
        raise ExpressionError(
            f"'{node.name[:_LONGEST_WORD]}', at character {node.place[0] + 1}, is neither a field "
            f"(Object.Field) nor a function with its brackets{meant(node.name, FUNCTIONS)}.",
            *node.place,
        )
    if not isinstance(node, CallNode):
        return
    function = function_of(node)
    _check_count(node, function)
    values = node.arguments
    if function.takes_text:
        _check_text(node)
        values = values[:-1]
    elif function.numbers:
        _check_numbers(node, function)
        values = values[: -function.numbers]
    for value in values:
        _check(value)


def _check_count(call: CallNode, function: ExpressionFunction) -> None:
    given, takes = len(call.arguments), function.takes
    is_open = takes[-1] == "..."
    is_right = 1 <= given <= MOST_ARGUMENTS if is_open else given == len(takes)
    if not is_right:
        wanted = f"1 to {MOST_ARGUMENTS}" if is_open else str(len(takes))
        raise ExpressionError(
            f"{call.name} at character {call.place[0] + 1} takes {wanted} "
            f"argument{'' if wanted == '1' else 's'}, not {given}: {usage(call.name)}.",
            *call.place,
        )


def _check_text(call: CallNode) -> None:
    last = call.arguments[-1]
    if not isinstance(last, TextNode):
        raise ExpressionError(
            f"{call.name} at character {call.place[0] + 1} takes a unit in quotes: "
            f'{call.name}(x, "km/h").',
            *call.place,
        )


def _check_numbers(call: CallNode, function: ExpressionFunction) -> None:
    for name, argument in zip(
        function.takes[-function.numbers :], call.arguments[-function.numbers :], strict=True
    ):
        if not isinstance(argument, NumberNode) or not 0.0 < argument.value <= function.most:
            most = "" if math.isinf(function.most) else f" and up to {function.most:g}"
            raise ExpressionError(
                f"{call.name} at character {call.place[0] + 1} takes a number larger than 0"
                f"{most} as {name}: {usage(call.name)}.",
                *call.place,
            )
