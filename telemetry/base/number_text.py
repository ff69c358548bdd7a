"""Number texts: numbers as people read them."""

import math
from typing import Final

_TICKS: Final = 4
_LARGEST_PLAIN = 1e15


def significant(value: float, digits: int) -> str:
    """A number with so many significant digits, and with all of those before its point: 99.7 of two
    digits is "100", never "1e+02". What is smaller than 0.0001 or enormous has an exponent."""
    text = f"{value:.{digits}g}"
    if "e+" in text and math.isfinite(value) and abs(value) < _LARGEST_PLAIN:
        return f"{value:.0f}"
    return text


def ticks(low: float, high: float) -> list[float]:
    """Round values within a span, about four of them."""
    rough = (high - low) / _TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    step = min((size * round_step for round_step in (1, 2, 5, 10)), key=lambda s: abs(s - rough))
    first, last = math.ceil(low / step), math.floor(high / step)
    return [round(number * step, 12) for number in range(first, last + 1)]
