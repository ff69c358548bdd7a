"""Throttle curves of five points: generated, and looked up as the firmware does."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from telemetry.configuration.airframe.airframe import AirframeError

POINTS: Final = 5


_SHAPES: Final[dict[str, Callable[[float, float], float]]] = {
    "Linear": lambda at, _: at,
    "Log": lambda at, power: (
        math.log(2 * power * at + 1) / math.log(2 * power + 1) if power else at
    ),
    "Exp": lambda at, power: math.expm1(at * power / 10) / math.expm1(power / 10) if power else at,
    "Flat": lambda _at, _: 0.0,
    "Step": lambda at, percent: 1.0 if at >= percent / 100 else 0.0,
}
"""How high each kind is at a position of the stick, both from 0 to 1, by its parameter."""
CURVE_KINDS: Final = tuple(_SHAPES)


def generate_curve(
    kind: str, minimum: float = 0.0, maximum: float = 1.0, parameter: float = 50.0
) -> tuple[float, ...]:
    """Five points from `minimum` to `maximum`, at 0, 25 .. 100 % of the stick.

    `parameter` from 0 to 100 is how bent Log and Exp are (0 is straight), and for Step the
    percent of the stick from where it is at the maximum; Linear, and Flat, which stays at the
    minimum, do not use it. Raises AirframeError for other kinds and numbers.
    """
    if kind not in _SHAPES:
        raise AirframeError(f"There is no curve '{kind}'; there are: {', '.join(CURVE_KINDS)}.")
    if not all(-1.0 <= end <= 1.0 for end in (minimum, maximum)):
        raise AirframeError("A curve goes from -1 to 1; give ends within.")
    if not 0.0 <= parameter <= 100.0:
        raise AirframeError(f"The curve's parameter cannot be {parameter:g}; give 0 to 100.")
    shape = _SHAPES[kind]
    reach = maximum - minimum
    positions = (point / (POINTS - 1) for point in range(POINTS))
    return tuple(minimum + shape(position, parameter) * reach for position in positions)


def curve_value(curve: Sequence[float], value: float) -> float:
    """The curve at `value` from -1 to 1, straight between its points; odd in `value`."""
    position = min(abs(value), 1.0) * (len(curve) - 1)
    index = min(int(position), len(curve) - 2)
    found = curve[index] + (position - index) * (curve[index + 1] - curve[index])
    return -found if value < 0.0 else found
