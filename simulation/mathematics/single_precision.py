"""Single precision: what firmware's `float` makes of a number, where that can be felt."""

from simulation.compiler.decorators import njit_part

_SPLITTER = 2.0**29 + 1.0
"""Leaves the 24 bits of a float of the 53 of a double (Veltkamp; Dekker 1971)."""


@njit_part
def to_single(value: float) -> float:
    """`value` rounded to the nearest number of 24 bits; for what does not overflow."""
    scaled = _SPLITTER * value
    return scaled - (scaled - value)
