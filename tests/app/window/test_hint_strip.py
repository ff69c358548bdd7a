"""What a panel's title bar says of it, in the room there is."""

from pytestqt.qtbot import QtBot

from app.window.hint_strip import HintStrip
from widgets.fitted_text import FittedText


def test_a_hint_without_room_ends_with_a_whole_word_and_has_all_in_its_tool_tip(
    qtbot: QtBot,
) -> None:
    strip = HintStrip("Sky above, ground below. And more behind F1.", lambda: None)
    qtbot.addWidget(strip)
    strip.show()
    hint = strip.findChild(FittedText)
    whole_px = hint.fontMetrics().horizontalAdvance(hint.text())
    strip.resize(strip.width() - hint.width() + whole_px // 2, strip.height())
    words, mark, _ = hint.shown().partition("\u202f…")
    assert mark
    assert words in {"Sky", "Sky above", "Sky above, ground"}
    assert hint.toolTip() == "Sky above, ground below."
    strip.resize(strip.width() + whole_px, strip.height())
    assert hint.shown() == "Sky above, ground below."
    assert "F1" in strip.toolTip()
