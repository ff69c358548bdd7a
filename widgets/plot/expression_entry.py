"""Expression completion: what is offered while an expression is typed. No Qt."""

import re
from collections.abc import Sequence

from telemetry.recording.recording import Recording
from telemetry.review.analysis.expression.evaluation import Evaluation
from telemetry.review.analysis.expression.expression import parse_expression, usage
from telemetry.review.analysis.expression.functions import FUNCTIONS
from telemetry.review.analysis.expression.syntax import ExpressionError
from telemetry.review.analysis.field_paths import FieldEntry
from widgets.plot.fields import search_fields
from widgets.plot.readers import EXPRESSION_MARK

_WORD = re.compile(r"[A-Za-z_][\w.\[\]]*$")


def word_before(text: str, cursor: int) -> str:
    """The name that is being typed at the cursor."""
    found = _WORD.search(text[:cursor])
    return found[0] if found else ""


def offers(entries: Sequence[FieldEntry], text: str, cursor: int) -> list[FieldEntry]:
    """Functions that begin with the word at the cursor, as they are written, then fields."""
    word = word_before(text, cursor)
    functions = [
        FieldEntry(usage(name), function.words, is_setting=False)
        for name, function in FUNCTIONS.items()
        if name.startswith(word.lower())
    ]
    fields = search_fields(list(entries), word)
    return [*functions, *fields] if word else [*fields, *functions]


def completed(text: str, cursor: int, offer: str) -> tuple[str, int]:
    """The text with an offer in place of the word at the cursor, and where the cursor is then."""
    name, bracket, _ = offer.partition("(")
    start = cursor - len(word_before(text, cursor))
    return f"{text[:start]}{name}{bracket}{text[cursor:]}", start + len(name + bracket)


def judge(text: str, recording: Recording | None) -> tuple[bool, str]:
    """Whether an expression after its mark can be plotted, and a sentence about it."""
    try:
        expression = parse_expression(text.removeprefix(EXPRESSION_MARK))
    except ExpressionError as error:
        return False, str(error)
    if recording is None:
        return True, "Enter plots it; its fields are looked up when something is recorded."
    evaluation = Evaluation(expression, recording)
    evaluation.update()
    if evaluation.problem:
        return False, evaluation.problem
    unit = f"In {evaluation.unit}. " if evaluation.unit else ""
    return True, f"{unit}Enter plots it."
