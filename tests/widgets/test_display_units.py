"""Values in the units that the user has chosen; files keep their own.

Expected figures: the international foot (0.3048 m), mile (1609.344 m) and nautical mile (1852 m).
"""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from plugins.testing import short_flight
from tests.immediate import ImmediateJobs
from widgets.display_units import ALL_UNITS, AVIATION, IMPERIAL, METRIC, DisplayUnits
from widgets.instruments.tapes import CLIMB_SCALES, TAPE_SCALES
from widgets.map.graticule import scale_bar
from widgets.plot.curve import Curve
from widgets.plot.time_view import Moment
from widgets.plot.view import PlotView
from widgets.plot.window import Span
from widgets.theme import load_theme
from widgets.values.tile import TileSpec, ValueLimits, read_tile


@pytest.mark.parametrize(
    ("units", "recorded", "unit", "shown", "shown_unit"),
    [
        (METRIC, 100.0, "m", 100.0, "m"),
        (AVIATION, 100.0, "m", 328.084, "ft"),
        (AVIATION, 10.0, "m/s", 19.4384, "kt"),
        (AVIATION, 101325.0, "Pa", 1013.25, "hPa"),
        (IMPERIAL, 10.0, "m/s", 22.3694, "mph"),
        (IMPERIAL, -40.0, "°C", -40.0, "°F"),
        (IMPERIAL, 20.0, "°C", 68.0, "°F"),
        (IMPERIAL, 90.0, "°", 90.0, "°"),
        (AVIATION, 5.0, "no unit at all", 5.0, "no unit at all"),
    ],
)
def test_values_are_converted(
    units: DisplayUnits, recorded: float, unit: str, shown: float, shown_unit: str
) -> None:
    assert units.value(recorded, unit) == pytest.approx(shown, rel=1e-5)
    assert units.shown(unit)[2] == shown_unit


def test_vertical_speeds_have_a_unit_of_their_own() -> None:
    assert AVIATION.climb_shown(2.54) == pytest.approx(500.0)
    assert IMPERIAL.climb_shown(3.048) == pytest.approx(10.0)
    assert METRIC.climb_shown(None) is None


def test_distances_are_told_as_people_say_them() -> None:
    assert AVIATION.distance_text(30.48) == "100\u2009ft"
    assert AVIATION.distance_text(1852.0) == "1\u2009NM"
    assert IMPERIAL.distance_text(24_140.16) == "15\u2009mi"
    for units, text in ((METRIC, "50\u2009m"), (AVIATION, "200\u2009ft")):
        length_px, told = scale_bar(1.0, 99.0, units)
        assert told == text
        assert length_px == pytest.approx(50.0 if units is METRIC else 60.96)


@pytest.mark.parametrize("units", ALL_UNITS.values())
def test_tapes_are_divided_for_every_unit(units: DisplayUnits) -> None:
    for unit in (units.speed, units.height):
        assert TAPE_SCALES[unit].span > 0
    assert CLIMB_SCALES[units.climb].full > 0


def test_plots_show_units_and_tables_keep_theirs(qtbot: QtBot, tmp_path: Path) -> None:
    metric = load_theme("light")
    view = PlotView(metric, ImmediateJobs())
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show()
    view.add_paths(["PositionState.North", "=derivative(PositionState.North)"])
    flight = short_flight()

    def shown() -> list[tuple[str, str]]:
        for _ in range(2):
            view.show_moment(flight, Moment(10.0, Span(0.0, 20.0)))
            QApplication.processEvents()
        return [(entry.value, entry.unit) for entry in view.legend.entries]

    before = shown()
    assert [unit for _, unit in before] == ["m", "m/s"]
    view.apply_theme(replace(metric, units=AVIATION))
    (north, feet), (speed, knots) = shown()
    assert (feet, knots) == ("ft", "kt")
    # 10 m and 1 m/s: 32.8 ft and 1.944 kt, told to what sensors tell apart.
    assert (float(north), float(speed)) == (33.0, 1.9)
    assert [axis.unit for axis in view.canvas.picture.axes] == ["ft", "kt"]
    assert view.canvas.traces[0].y[-1] == pytest.approx(20 / 0.3048, rel=1e-4)
    view.saving.save_csv(tmp_path / "plot.csv")
    last = (tmp_path / "plot.csv").read_text().splitlines()[-1].split(",")
    assert (float(last[1]), float(last[2])) == pytest.approx((20.0, 1.0), rel=1e-3)
    view.apply_theme(metric)
    assert shown() == before


def test_a_tile_tells_its_limits_in_the_units_shown() -> None:
    curve = Curve("PositionState.North", 0)
    curve.attach(short_flight())
    spec = TileSpec("PositionState.North", limits=ValueLimits(danger_high=10.0))
    reading = read_tile(spec, curve, 20.0, AVIATION)
    assert (reading.text, reading.unit) == ("66", "ft")
    assert reading.word == "Very high, above 32.808"
