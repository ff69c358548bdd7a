"""Five-point curves of settings objects."""

from typing import Any

from simulation.compiler.decorators import njit_part
from simulation.mathematics.rotation import whole_within


@njit_part
def curve_value(curve: Any, thrust: float) -> float:
    """The curve's five points at 0, 25 .. 100 %, interpolated; odd in `thrust`."""
    position = min(abs(thrust), 1.0) * 4.0
    i = whole_within(position, 3)
    value = curve[i] + (position - i) * (curve[i + 1] - curve[i])
    return float(-value if thrust < 0.0 else value)
