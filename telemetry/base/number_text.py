"""Number texts: numbers as people read them."""

import math

_LARGEST_PLAIN = 1e15


def significant(value: float, digits: int) -> str:
    """A number with so many significant digits, and with all of those before its point: 99.7 of two
    digits is "100", never "1e+02". What is smaller than 0.0001 or enormous has an exponent."""
    text = f"{value:.{digits}g}"
    if "e+" in text and math.isfinite(value) and abs(value) < _LARGEST_PLAIN:
        return f"{value:.0f}"
    return text
