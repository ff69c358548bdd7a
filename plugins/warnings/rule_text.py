"""Premises of a warning rule as they are typed: "armed is Armed; height_m below 10"."""

from collections.abc import Sequence

from telemetry.base.text_formats import FormatError
from telemetry.warnings.rule import Premise, RuleComparison

_WORDS = (RuleComparison.IS_NOT, RuleComparison.IS, RuleComparison.BELOW, RuleComparison.ABOVE)


def premises_text(premises: Sequence[Premise]) -> str:
    """As they are typed."""
    return "; ".join(f"{p.value} {p.comparison} {than_text(p.than)}" for p in premises)


def premises_of(text: str) -> list[list[object]]:
    """As rules have them in JSON. Raises FormatError."""
    return [_premise(part) for part in text.split(";") if part.strip()]


def than_text(than: float | str) -> str:
    """A threshold as it is typed."""
    return f"{than:g}" if isinstance(than, float | int) else than


def than_of(text: str) -> float | str:
    """A number, or else the word."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return text.strip()


def _premise(text: str) -> list[object]:
    for comparison in _WORDS:
        value, found, than = f" {text.strip()} ".partition(f" {comparison} ")
        if found:
            return [value.strip(), comparison.value, than_of(than)]
    raise FormatError(f"'{text.strip()[:40]}' is no condition; write: armed is Armed")
