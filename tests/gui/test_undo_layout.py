"""What the user does to workspaces can be taken back."""

import pytest
from PySide6.QtWidgets import QPushButton

from app.station import Station
from plugins.testing import live_vehicle
from telemetry.flying.controls import controls_of
from tests.gui.driving import page_of, run_ticks


def keys(station: Station) -> set[str]:
    return {dock.key for dock in page_of(station).hosts}


def press(station: Station, text: str) -> None:
    station.window.take_messages(station.messages.take())
    buttons = station.window.message_bar.findChildren(QPushButton)
    next(button for button in buttons if button.text() == text).click()


@pytest.mark.slow
def test_a_closed_panel_comes_back_where_it_was_with_what_it_showed(station: Station) -> None:
    run_ticks(station)
    page = page_of(station)
    stood = page.describe()
    attitude = next(dock for dock in page.hosts if dock.key == "attitude")
    attitude.rename("Roll")
    page.close_panel(attitude)
    page.add_panel("plots.plot")
    station.shell.run("undo-layout")
    station.shell.run("undo-layout")
    run_ticks(station)
    now = page_of(station).describe()
    assert now.layout is not None
    assert {place.key for place in now.panels} == {place.key for place in stood.panels}
    back = next(place for place in now.panels if place.key == "attitude")
    assert back.title == "Roll"
    station.shell.run("undo-layout")
    assert keys(station) == {place.key for place in stood.panels}, "nothing is left to take back"


@pytest.mark.slow
def test_a_deleted_workspace_comes_back(station: Station) -> None:
    stack = station.window.stack
    stack.copy_current("Race day")
    run_ticks(station)
    page_of(station).add_panel("plots.plot", {}, "Mine")
    had = keys(station)
    stack.delete()
    assert "race-day" not in stack.ids
    press(station, "Undo")
    assert stack.current_id == "race-day"
    assert stack.titles()[-1] == "Race day"
    run_ticks(station)
    assert keys(station) == had


@pytest.mark.slow
def test_a_reset_is_taken_back(station: Station) -> None:
    run_ticks(station)
    page_of(station).close_panel(page_of(station).hosts[0])
    had = keys(station)
    station.shell.run("reset-workspace")
    run_ticks(station)
    assert keys(station) != had
    press(station, "Undo")
    assert keys(station) == had


@pytest.mark.slow
def test_taking_back_a_layout_never_lets_go_of_the_sticks(station: Station) -> None:
    """The page that goes leaves the pilot's controls after the one that comes has sat down."""
    vehicle = live_vehicle()
    station.fleet.add(vehicle)
    run_ticks(station)
    controls = controls_of(vehicle)
    ended: list[bool] = []
    close = controls.close
    controls.close = lambda: (ended.append(True), close())[1]  # type: ignore[method-assign, func-returns-value]
    page_of(station).close_panel(next(d for d in page_of(station).hosts if d.key == "map"))
    station.shell.run("undo-layout")
    run_ticks(station)
    station.window.stack.dispose()
    assert ended == [True], "only with the last page"
