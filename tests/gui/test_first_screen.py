"""The first look at a log: where it opens, on what, and how much of the window the plots get.

Bars: at 1366x768 plots get most of Analyse, two thirds of its height (the interface's design).
"""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.station import StartOptions, Station, first_look
from plugins.plots.panel import PlotPanel
from plugins.testing import LENGTH_S, add, live_vehicle, replayed_vehicle
from telemetry.recording.recording import Recording
from tests.gui.conftest import MakeStation
from tests.gui.driving import page_of, run_ticks
from widgets.plot.window import Span
from widgets.seek_track import SeekTrack

LOG = "openpilot-14.06-quad-2014-07-17.opl"


def plots(station: Station) -> list[PlotPanel]:
    views = [dock.view for dock in page_of(station).hosts]
    return [view for view in views if isinstance(view, PlotPanel)]


def open_log(station: Station, qtbot: QtBot, path: Path) -> None:
    station.open_log(path)
    qtbot.waitUntil(lambda: station.fleet.active is not None and not station.work.is_busy)
    run_ticks(station)


@pytest.mark.slow
def test_a_log_opens_in_analyse_at_the_first_arming_fitted_to_the_time_armed(
    station: Station, qtbot: QtBot, shared_logs: Path
) -> None:
    """This log is armed from 11.1 s to 209.6 s, and has 464 s of silence of its 747 s."""
    open_log(station, qtbot, shared_logs / LOG)
    assert station.window.stack.current_id == "analyse"
    vehicle = station.fleet.active
    assert vehicle is not None
    assert vehicle.timeline.t == pytest.approx(11.1, abs=0.1)
    qtbot.waitUntil(lambda: sum(plot.view.model.span is not None for plot in plots(station)) == 2)
    for plot in plots(station):
        span = plot.view.model.span
        assert span is not None
        assert span.start < 11.1
        assert 209.6 < span.stop < 260.0
    (track,) = station.window.timeline_bar.findChildren(SeekTrack)
    assert track.window_s == pytest.approx((3.1, 217.5), abs=0.2)
    plots(station)[0].view.zooming.fit()
    qtbot.waitUntil(
        lambda: all((plot.view.model.span or Span(0, 1)).length > 740 for plot in plots(station))
    )


@pytest.mark.slow
def test_nobody_who_flies_is_led_away(station: Station, qtbot: QtBot, shared_logs: Path) -> None:
    recording = Recording()
    add(recording, 0.0, "FlightStatus", Armed="Armed", FlightMode="Stabilized1")
    station.fleet.add(live_vehicle("quad", recording))
    station.open_log(shared_logs / LOG)
    qtbot.waitUntil(lambda: len(station.fleet.vehicles) == 2)
    assert station.window.stack.current_id == "fly"


def test_a_log_without_arming_opens_at_its_beginning() -> None:
    vehicle = replayed_vehicle()
    vehicle.timeline.advance(0.0, 0.0, LENGTH_S)
    first_look(vehicle, None)
    assert (vehicle.timeline.t, vehicle.timeline.focus) == (5.0, (5.0, 18.0))
    first_look(vehicle, 7.0)
    assert vehicle.timeline.t == 7.0
    vehicle.recording = Recording()
    add(vehicle.recording, 2.0, "AttitudeState")
    vehicle.timeline.focus = None
    first_look(vehicle, None)
    assert vehicle.timeline.focus is None


@pytest.mark.slow
@pytest.mark.parametrize(("size", "least_px"), [((1366, 768), 250), ((1024, 640), 180)])
def test_plots_get_most_of_analyse(
    make_station: MakeStation, size: tuple[int, int], least_px: int
) -> None:
    """They had 110 px each, and 35 px in the small window."""
    station = make_station(StartOptions(workspace="analyse", size=size))
    station.fleet.add(replayed_vehicle())
    run_ticks(station)
    QCoreApplication.processEvents()
    page = page_of(station)
    shown = plots(station)
    assert len(shown) == 2
    assert min(plot.height() for plot in shown) >= least_px
    assert sum(plot.height() for plot in shown) >= 2 / 3 * page.height()
    widths = {dock.key: dock.width() for dock in page.hosts}
    assert widths["attitude"] > widths["browser"]
    assert widths["attitude"] > widths["map"]
    tools = page.group_of(page.host("browser"))
    assert tools is not None
    assert {"findings", "health"} <= set(tools.keys)
