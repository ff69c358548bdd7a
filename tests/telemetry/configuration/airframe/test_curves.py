import math

import pytest

from telemetry.configuration.airframe.airframe import AirframeError
from telemetry.configuration.airframe.curves import CURVE_KINDS, curve_value, generate_curve

POSITIONS = (0, 0.25, 0.5, 0.75, 1)


def test_generators_follow_their_formulas() -> None:
    p = 40.0
    assert generate_curve("Linear", 0.1, 0.9) == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])
    assert generate_curve("Flat", 0.3, 0.9) == (0.3,) * 5
    assert generate_curve("Step", 0.2, 0.8, 50) == pytest.approx([0.2, 0.2, 0.8, 0.8, 0.8])
    assert generate_curve("Exp", 0.1, 0.9, p) == pytest.approx(
        [0.1 + (math.exp(s * p / 10) - 1) / (math.exp(p / 10) - 1) * 0.8 for s in POSITIONS]
    )
    assert generate_curve("Log", 0.1, 0.9, p) == pytest.approx(
        [0.1 + math.log(2 * p * s + 1) / math.log(2 * p + 1) * 0.8 for s in POSITIONS]
    )


@pytest.mark.parametrize("kind", CURVE_KINDS)
@pytest.mark.parametrize("parameter", [0, 1, 100])
def test_every_curve_stays_within_its_ends(kind: str, parameter: float) -> None:
    curve = generate_curve(kind, -0.5, 0.7, parameter)
    assert len(curve) == 5
    assert all(-0.5 <= value <= 0.7 + 1e-12 for value in curve)
    assert list(curve) == sorted(curve)


@pytest.mark.parametrize(
    "wish",
    [("Cubic", 0, 1, 0), ("Exp", 0, 1, -1), ("Log", math.nan, 1, 1), ("Step", 0, 2, 1),
     ("Exp", 0, 1, math.nan)],
)  # fmt: skip
def test_other_curves_are_refused(wish: tuple[str, float, float, float]) -> None:
    with pytest.raises(AirframeError):
        generate_curve(*wish)


def test_lookup_is_straight_between_points_and_odd() -> None:
    curve = (0.0, 0.1, 0.5, 0.7, 0.9)
    assert [curve_value(curve, x) for x in POSITIONS] == pytest.approx(curve)
    assert curve_value(curve, 0.375) == pytest.approx(0.3)
    assert curve_value(curve, -0.375) == pytest.approx(-0.3)
    assert curve_value(curve, 7.0) == pytest.approx(0.9)
