"""Value texts as people and files write them: numbers, options in any letter case, hex."""

import math
from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from telemetry.configuration.settings.slots import Slot, held
from telemetry.protocol.objects.definition import FieldDefinition, FieldType
from telemetry.recording.sample import Value

_MOST_OPTIONS = 12
_LONGEST_WORD = 100


class OptionError(ValueError):
    """A word that is none of a field's options.

    What is like it is looked for when the text is read, which takes long.
    """

    def __init__(self, f: FieldDefinition, word: str) -> None:
        super().__init__(f, word)

    def __str__(self) -> str:
        f, word = self.args
        hint = near(word, f.options)
        if not hint:
            shown = ", ".join(f.options[:_MOST_OPTIONS])
            hint = f"; it takes {shown}" + (", …" if len(f.options) > _MOST_OPTIONS else "")
        return f"'{short(word)}' is not an option of {f.name}{hint}"


def value_from_text(slot: Slot, text: str) -> Value:
    """The value that a text means for a slot, as the board will hold it.

    An option may be written in any letter case, or as its number; a whole number also as 0x1F or
    50.0. A float may be nan: a board may hold one, though none is ever sent. Raises ValueError
    saying what is possible.
    """
    if slot.index is None:
        return held(slot, text)
    f = slot.field
    word = text.strip()
    if f.type is FieldType.ENUM:
        return _option(f, word)
    number = _number(f, word)
    return _float(f, number) if f.type is FieldType.FLOAT else held(slot, number)


def value_from_plain(slot: Slot, value: object) -> Value:
    """The same for a value that a format already knows to be a number or a text."""
    if isinstance(value, str):
        return value_from_text(slot, value)
    if isinstance(value, int | float) and slot.field.type is FieldType.ENUM:
        return _option(slot.field, str(value))  # true is the option True
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{slot.field.name} takes a single value, not {short(value)}")
    if slot.field.type is FieldType.FLOAT:
        return _float(slot.field, value)
    if not math.isfinite(value):
        raise ValueError(f"{slot.field.name} takes a whole number, not {value}")
    return held(slot, value)


def text_of(value: Value) -> str:
    """A value as text, floats with as few digits as tell them apart at 32 bits."""
    if isinstance(value, float):
        return str(shortest(value)).removesuffix(".0")
    return str(value)


def shortest(value: float) -> float:
    """The 64-bit number with the fewest digits that is the same at 32 bits."""
    return float(str(np.float32(value))) if math.isfinite(value) else value


def near(word: str, known: Sequence[str]) -> str:
    """The end of a refusal: what may have been meant; empty if nothing is like it."""
    by_fold = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold()[:_LONGEST_WORD], by_fold, n=3, cutoff=0.5)
    return f"; is it {' or '.join(by_fold[name] for name in found)}?" if found else ""


def short(value: object) -> str:
    """A value from elsewhere as a sentence can hold it."""
    text = str(value)
    return text if len(text) <= _LONGEST_WORD else f"{text[:_LONGEST_WORD]}…"


def _option(f: FieldDefinition, word: str) -> str:
    if word in f.options:
        return word
    folded = [option for option in f.options if option.casefold() == word.casefold()]
    if len(folded) == 1:
        return folded[0]
    if word.isdecimal() and len(word) < _LONGEST_WORD and int(word) <= 0xFF:
        return f.option_text(int(word))
    raise OptionError(f, word)


def _float(f: FieldDefinition, number: float) -> float:
    """A number as 32 bits hold it, no number included."""
    with np.errstate(over="ignore"):
        kept = float(np.float32(number))
    if math.isinf(kept) and math.isfinite(number):
        raise ValueError(f"{f.name} takes numbers up to 3.4e38, not {number:g}")
    return kept


def _number(f: FieldDefinition, word: str) -> float | int:
    is_hex = word.lower().removeprefix("-").startswith("0x")
    try:
        number = float(int(word, 16)) if is_hex else float(word)
    except ValueError:
        raise ValueError(f"{f.name} takes a number, not '{short(word)}'") from None
    except OverflowError:
        number = math.inf
    if f.type is FieldType.FLOAT:
        return number
    if not math.isfinite(number):
        raise ValueError(f"{f.name} takes a whole number, not '{short(word)}'")
    return int(number) if number == int(number) else number
