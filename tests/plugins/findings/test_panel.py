"""The list of events, findings and markers: what is in it, going there, marking and editing."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from plugins.api import VehicleContext
from plugins.findings.list_view import FindingView
from plugins.findings.panel import FindingsPanel
from plugins.testing import LENGTH_S, add, live_vehicle, replayed_vehicle
from telemetry.base.finding import Level
from telemetry.recording.events import Event
from telemetry.review.flights.flight import flight_of
from telemetry.review.flights.marker import Marker, with_words, words_of
from telemetry.review.flights.marker_editing import marking_of
from telemetry.vehicle.vehicle import Fleet, Vehicle
from tests.immediate import ImmediateJobs
from tests.widgets.test_theme import contrast
from widgets.theme import load_theme


class Listing:
    """A panel on a flight with a failsafe event and two markers."""

    def __init__(self, qtbot: QtBot, vehicle: Vehicle) -> None:
        self.vehicle, self.jobs, self.told = vehicle, ImmediateJobs(), list[str]()
        fleet = Fleet()
        fleet.add(vehicle)
        self.line = vehicle.timeline
        self.line.advance(0.0, 0.0, LENGTH_S)
        vehicle.recording.add_event(Event(9.0, "failsafe", Level.ERROR, "The failsafe acts"))
        self.marking = marking_of(vehicle)
        self.marking.add(12.0, "dust", "look at this")
        self.marking.add(3.0)
        context = VehicleContext(fleet, load_theme("light"), self.jobs)
        context.show_message = self.told.append
        self.panel = FindingsPanel(context)
        qtbot.addWidget(self.panel)
        self.panel.resize(700, 400)
        self.panel.show()
        self.refresh()

    def refresh(self) -> None:
        for _ in range(2):
            self.panel.refresh(self.line.t)

    def rows(self) -> list[tuple[float, str]]:
        return [(row.t, row.text) for row in self.panel.view.findings.rows]

    def index(self, words: str) -> int:
        (found,) = [n for n, (_, text) in enumerate(self.rows()) if words in text]
        return found

    def click(self, qtbot: QtBot, words: str, modifier: Qt.KeyboardModifier) -> None:
        view = self.panel.view
        place = view.visualRect(view.findings.index(self.index(words), 2)).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, place)


@pytest.fixture
def listing(qtbot: QtBot) -> Listing:
    return Listing(qtbot, replayed_vehicle())


def test_findings_events_and_markers_stand_in_one_list(listing: Listing) -> None:
    assert listing.rows() == [
        (3.0, "Marker 1"),
        (5.0, "Armed for 13 s"),
        (5.0, "Stabilized1 for 13 s"),
        (5.0, "In the air for 13 s, up to 13 m"),
        (8.0, "Battery: Warning, for 12 s"),
        (9.0, "The failsafe acts"),
        (12.0, "look at this: dust"),
        (18.0, "Disarmed 13 m above where it took off"),
    ]
    listing.panel.every_event.setChecked(True)
    assert (8.0, "Battery: Warning") in listing.rows()


def test_the_filter_keeps_what_is_asked_for(listing: Listing) -> None:
    panel = listing.panel
    panel.words.setText("battery")
    assert [t for t, _ in listing.rows()] == [8.0]
    panel.words.clear()
    panel.level.setCurrentText("Errors")
    assert [text for _, text in listing.rows()] == [
        "Marker 1",
        "The failsafe acts",
        "look at this: dust",
        "Disarmed 13 m above where it took off",
    ], "what somebody marked is never below a level"
    panel.kind.setCurrentText("Landing")
    assert listing.rows() == []
    assert panel.remedy.text() == "Nothing of that kind in this flight."


def test_a_click_goes_there_and_with_shift_chooses_the_stretch(
    listing: Listing, qtbot: QtBot
) -> None:
    none, shift = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
    listing.click(qtbot, "failsafe", none)
    assert (listing.line.t, listing.line.selection) == (9.0, None)
    listing.click(qtbot, "dust", shift)
    assert (listing.line.t, listing.line.selection) == (12.0, (9.0, 12.0))
    listing.click(qtbot, "Armed for", shift)
    assert listing.line.selection == (5.0, 18.0)
    qtbot.keyClick(listing.panel.view, Qt.Key.Key_Down)
    qtbot.keyClick(listing.panel.view, Qt.Key.Key_Return)
    assert listing.line.t == 5.0


def test_what_to_do_about_a_finding_is_told(listing: Listing, qtbot: QtBot) -> None:
    listing.click(qtbot, "Disarmed 13 m", Qt.KeyboardModifier.NoModifier)
    assert "failsafe" in listing.panel.remedy.text()
    listing.click(qtbot, "Marker 1", Qt.KeyboardModifier.NoModifier)
    assert listing.panel.remedy.text().strip() == "Marker 1."


def test_markers_are_edited_deleted_and_brought_back(listing: Listing, qtbot: QtBot) -> None:
    view, flight = listing.panel.view, flight_of(listing.vehicle)
    listing.click(qtbot, "Marker 1", Qt.KeyboardModifier.NoModifier)
    qtbot.keyClick(view, Qt.Key.Key_F2)
    (editor,) = view.findChildren(QLineEdit)
    qtbot.keyClicks(editor, "gust: from the left")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    gust = Marker(3.0, "from the left", "gust")
    qtbot.waitUntil(lambda: flight.markers[0] == gust)
    listing.click(qtbot, "from the left", Qt.KeyboardModifier.NoModifier)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert [marker.t for marker in flight.markers] == [12.0]
    qtbot.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [marker.t for marker in flight.markers] == [3.0, 12.0]
    assert (3.0, "gust: from the left") in listing.rows()
    listing.click(qtbot, "failsafe", Qt.KeyboardModifier.NoModifier)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert listing.told == ["Only markers can be deleted."]


def test_a_live_flight_is_looked_through_again_but_not_at_once(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("plugins.findings.panel.monotonic_s", lambda: now[0])
    listing = Listing(qtbot, live_vehicle())
    add(listing.vehicle.recording, 21.0, "FlightStatus", Armed="Armed", FlightMode="Stabilized1")
    add(listing.vehicle.recording, 24.0, "FlightStatus", Armed="Disarmed", FlightMode="Stabilized1")
    listing.refresh()
    assert not any(t == 21.0 for t, _ in listing.rows())
    now[0] += 6.0
    listing.refresh()
    assert (21.0, "Armed for 3.0 s") in listing.rows()


def test_words_before_a_colon_are_the_category() -> None:
    for words, marker in {
        "gust: from the left": Marker(1.0, "from the left", "gust"),
        "gust:": Marker(1.0, "", "gust"),
        "at 3:15 it shook": Marker(1.0, "at 3:15 it shook"),
        "": Marker(1.0),
    }.items():
        assert with_words(Marker(1.0, "old", "old"), words) == marker
        assert with_words(marker, words_of(marker)) == marker


@pytest.mark.parametrize("name", ["dark", "light", "sunlight"])
def test_what_is_to_come_is_painted_to_be_read(qtbot: QtBot, name: str) -> None:
    listing = Listing(qtbot, replayed_vehicle())
    listing.line.seek(10.0)
    listing.refresh()
    theme = load_theme(name)
    view = listing.panel.view
    ground, text = (theme.color(token).name() for token in ("surface", "text"))
    view.setStyleSheet(f"QAbstractItemView {{ background: {ground}; color: {text}; }}")
    view.apply_theme(theme)
    passed, to_come = (painted_contrast(view, listing.index(w)) for w in ("failsafe", "dust"))
    assert passed > to_come >= 4.5


def painted_contrast(view: FindingView, row: int) -> float:
    """Of the pixel that differs most from the ground of a row's words."""
    words = view.visualRect(view.findings.index(row, 2)).adjusted(26, 2, -200, -2)
    image = view.viewport().grab(words).toImage()
    across, down = range(image.width()), range(image.height())
    pixels = Counter(image.pixel(x, y) for x in across for y in down)
    ((ground, _),) = pixels.most_common(1)
    return max(contrast(QColor(pixel), QColor(ground)) for pixel in pixels)
