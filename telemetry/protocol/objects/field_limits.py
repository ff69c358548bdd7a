"""Field limits of a definition: ranges and options, per element and board.

A limits text is a list of rules, `%` + optional board (4 hex digits) + operator + values split
at colons. Newer definitions split elements at ";" and boards at ",", older ones the other way
round; the reading in which no element gets two rules for the same board is the right one.
"""

from dataclasses import dataclass
from functools import lru_cache

from telemetry.base.number_text import significant
from telemetry.protocol.objects.definition import FieldDefinition


@dataclass(frozen=True, slots=True)
class Limits:
    """The advised range of one element; `allowed` and `forbidden` hold options or numbers."""

    minimum: float | None = None
    maximum: float | None = None
    allowed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    def complaint(self, value: float | int | str) -> str:
        """Why `value` is outside these limits, as a phrase; empty if it is within."""
        if isinstance(value, str):
            if value in self.forbidden or (self.allowed and value not in self.allowed):
                return f"{value} is not for this element or board"
            return ""
        if self.minimum is not None and value < self.minimum:
            return f"less than {significant(self.minimum, 6)}"
        if self.maximum is not None and value > self.maximum:
            return f"more than {significant(self.maximum, 6)}"
        return ""


@dataclass(frozen=True, slots=True)
class _Rule:
    board: int
    operator: str
    values: tuple[str, ...]


def limits_of(field: FieldDefinition, element: int = 0, board: int = 0) -> Limits:
    """The limits of one element. `board` (0x0903, ...) adds the rules for that hardware."""
    if not field.limits:
        return Limits()
    per_element = _split_elements(field.limits, field.elements)
    rules = per_element[element] if element < len(per_element) else ()
    limits = Limits()
    for rule in rules:
        if rule.board in (0, board):
            limits = _with_rule(limits, rule)
    return limits


@lru_cache(maxsize=1024)
def _split_elements(text: str, elements: int) -> tuple[tuple[_Rule, ...], ...]:
    plain = text.replace("\\", " ")
    for outer, inner in ((";", ","), (",", ";")):
        parts = [[_rules(piece) for piece in part.split(inner)] for part in plain.split(outer)]
        used = [number for number, pieces in enumerate(parts) if any(pieces)]
        if used and used[-1] < elements and not any(map(_has_repeated_board, parts)):
            return tuple(tuple(rule for rules in pieces for rule in rules) for pieces in parts)
    return ()


def _has_repeated_board(pieces: list[list[_Rule]]) -> bool:
    boards = [rules[0].board for rules in pieces if rules]
    return len(set(boards)) < len(boards)


def _rules(text: str) -> list[_Rule]:
    """The rules in a piece of text; several may follow each other without a separator."""
    rules = []
    for piece in text.split("%")[1:]:
        head, *values = (part.strip() for part in piece.rstrip(" :").split(":"))
        board, operator = head[:-2], head[-2:]
        if operator in ("EQ", "NE", "BE", "BI", "SM") and _is_board(board):
            rules.append(_Rule(int(board or "0", 16), operator, tuple(v for v in values if v)))
    return rules


def _is_board(text: str) -> bool:
    return not text or (len(text) == 4 and all(c in "0123456789abcdefABCDEF" for c in text))


def _with_rule(limits: Limits, rule: _Rule) -> Limits:
    low, high, allowed, forbidden = (
        limits.minimum,
        limits.maximum,
        limits.allowed,
        limits.forbidden,
    )
    if rule.operator == "EQ":
        allowed = rule.values
    elif rule.operator == "NE":
        forbidden += rule.values
    else:
        numbers = _numbers(rule.values)
        if rule.operator == "BE" and len(numbers) == 2:
            low, high = numbers
        elif rule.operator == "BI" and numbers:
            low = numbers[0]
        elif rule.operator == "SM" and numbers:
            high = numbers[0]
    return Limits(low, high, allowed, forbidden)


def _numbers(values: tuple[str, ...]) -> tuple[float, ...]:
    try:
        return tuple(float(value) for value in values)
    except ValueError:
        return ()
