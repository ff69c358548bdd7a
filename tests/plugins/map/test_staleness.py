"""An aircraft whose place is old must not look as if it were there now."""

import pytest
from pytestqt.qtbot import QtBot

from plugins.api import PanelContext
from plugins.map.panel import MapPanel
from plugins.testing import LENGTH_S, add, live_vehicle
from telemetry.vehicle.vehicle import Fleet
from tests.immediate import ImmediateJobs
from widgets.map.symbols import age_text
from widgets.theme import load_theme


def test_silence_makes_the_aircraft_hollow_until_it_speaks_again(qtbot: QtBot) -> None:
    context = PanelContext(Fleet(), load_theme("light"), ImmediateJobs())
    panel = MapPanel(context)
    qtbot.addWidget(panel)
    panel.resize(400, 300)
    panel.show()
    vehicle = live_vehicle()
    context.fleet.add(vehicle)

    def mark_at(t: float) -> tuple[float | None, str]:
        panel.refresh(t)
        active = panel.canvas.scene.active
        assert active is not None
        centre = panel.canvas.view.place_px(active.place)
        pixels = panel.canvas.grab().toImage()
        ratio = pixels.devicePixelRatio()
        return active.age_s, pixels.pixelColor(
            round(centre[0] * ratio), round(centre[1] * ratio)
        ).name()

    fresh, silent = mark_at(LENGTH_S), mark_at(LENGTH_S + 8.4)
    theme = context.theme
    assert fresh == (None, theme.color("symbol").name())
    assert silent == (8.0, theme.color("map_background").name())
    add(vehicle.recording, LENGTH_S + 9.0, "PositionState", North=20.0, East=-20.0, Down=-20.0)
    assert mark_at(LENGTH_S + 9.0) == fresh
    context.close()


@pytest.mark.parametrize(
    ("age_s", "text"), [(5.0, "5\u2009s"), (130.0, "2\u2009min"), (7300.0, "2\u2009h")]
)
def test_ages_are_said_as_a_person_would(age_s: float, text: str) -> None:
    assert age_text(age_s) == text
