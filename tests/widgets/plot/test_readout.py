"""With how many digits the legend of a plot tells a value."""

import pytest

from widgets.plot.readout import legend_resolution
from widgets.plot.window import Span


@pytest.mark.parametrize(
    ("unit", "shown", "expected"),
    [
        pytest.param("m", Span(270.0, 282.0), 0.1, id="a barometer, armed"),
        pytest.param("m", Span(281.6, 282.9), 0.1, id="the same one at rest"),
        pytest.param("m", Span(0.0, 4000.0), 0.1, id="the same one in the mountains"),
        pytest.param("m", Span(-0.05, 0.05), 0.0002, id="an error in centimetres"),
        pytest.param("", Span(0.0, 1.0), 0.002, id="a share"),
        pytest.param("Pa", Span(90_000.0, 100_000.0), 20.0, id="a unit of unknown sensors"),
    ],
)
def test_a_legend_tells_what_the_sensor_knows_in_every_plot(
    unit: str, shown: Span, expected: float
) -> None:
    assert legend_resolution(unit, shown) == pytest.approx(expected)
