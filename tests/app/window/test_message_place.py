"""The place of messages is as wide as the window allows, whatever is told."""

import pytest
from pytestqt.qtbot import QtBot

from app.window.message_place import MessagePlace
from widgets.alarm_strip import AlarmStrip
from widgets.theme import load_theme

SENTENCE = "The plan that was not saved when the station closed last is here again: 12 waypoints."


@pytest.mark.parametrize(
    ("window_px", "low_px", "high_px"), [(1024, 220, 230), (1366, 290, 310), (2560, 700, 900)]
)
def test_a_wide_window_leaves_a_sentence_its_room(
    qtbot: QtBot, window_px: int, low_px: int, high_px: int
) -> None:
    theme = load_theme("dark")
    place, strip = MessagePlace(theme), AlarmStrip(theme)
    qtbot.addWidget(place)
    qtbot.addWidget(strip)
    place.fit(window_px)
    assert low_px <= place.width() <= high_px
    before = place.width()
    place.tell(SENTENCE)
    assert place.width() == before
    sentence_px = place.news.fontMetrics().horizontalAdvance(SENTENCE)
    assert (sentence_px < place.width()) is (window_px == 2560)
    strip.resize(window_px - place.width(), strip.height())
    assert strip.alarm_rect().width() >= 240.0
