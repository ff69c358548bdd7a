"""The pilot's views at every size of text: no word of what is pressed is cut."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from plugins.pilot import PLUGIN
from plugins.pilot.actions_view import ActionsView
from plugins.pilot.guided_view import GuidedView
from plugins.pilot.input_box import InputBox
from plugins.pilot.station_offer import StationOffer
from plugins.pilot.sticks_view import SticksView
from plugins.pilot.view import ControlsView
from telemetry.base.statement import Statement
from telemetry.flying.situation import Situation
from telemetry.flying.switches import Switches
from telemetry.missions.guided_actions import GUIDED_ACTIONS
from tests.telemetry.flying.fakes import POSITIONS
from widgets.fitted_text import FittedText
from widgets.theme import apply_theme, hand_theme, load_theme

SMALL_LAPTOP = {1.0: (543, 225), 1.5: (543, 185), 2.0: (543, 144)}
"""What *Controls* gets in *Fly* on a screen of 1366x768, by the size of text."""
SWITCHES = Switches(POSITIONS, vario=1, refusal=None)
STATES = {
    "before": Situation(refusal=None, switches=SWITCHES, armed="Disarmed"),
    "in flight": Situation(refusal=None, switches=SWITCHES, armed="Armed", is_flying=True),
}
LONG = "PositionHold. The input device says nothing. Nothing is sent to the aircraft."


pytestmark = pytest.mark.usefixtures("kept_look")


def show(view: QWidget, theme: str, scale: float, size: tuple[int, int], qtbot: QtBot) -> None:
    qtbot.addWidget(view)
    hand_theme(view, load_theme(theme, scale))
    view.resize(*size)
    view.show()
    QApplication.processEvents()


def cut(view: QWidget) -> list[str]:
    """The words that are wider than what they stand on."""
    found = [(b, b.text()) for b in view.findChildren(QAbstractButton)]
    found += [(box, box.currentText()) for box in view.findChildren(QComboBox)]
    return [
        text
        for part, text in found
        if part.isVisible() and part.fontMetrics().horizontalAdvance(text) > part.width() - 2
    ]


@pytest.mark.parametrize("theme", ["light", "sunlight"])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_no_word_of_the_controls_is_cut(
    qapp: QApplication, qtbot: QtBot, scale: float, theme: str
) -> None:
    apply_theme(qapp, load_theme(theme, scale))
    offer = StationOffer(lambda _words: None, QWidget())
    view = ControlsView(offer)
    show(view, theme, scale, SMALL_LAPTOP[scale], qtbot)
    for situation in STATES.values():
        view.show_situation(situation)
        view.say(Statement(LONG))
        QApplication.processEvents()
        assert cut(view) == []


@pytest.mark.parametrize("theme", ["light", "sunlight"])
def test_no_word_of_the_cards_is_cut_at_their_least_sizes(
    qapp: QApplication, qtbot: QtBot, theme: str
) -> None:
    apply_theme(qapp, load_theme(theme))
    offer = StationOffer(lambda _words: None, QWidget())
    least = {panel.id: panel.least_size for panel in PLUGIN.panels}
    actions, sticks = ActionsView(offer), SticksView()
    for view, kind in ((actions, "actions"), (sticks, "sticks")):
        show(view, theme, 1.0, least[kind], qtbot)
        assert (view.width(), view.height()) == least[kind]
    for situation in STATES.values():
        actions.show_situation(situation)
        QApplication.processEvents()
        assert cut(actions) == []
    assert cut(sticks) == []
    (box,) = sticks.findChildren(InputBox)
    assert box.shown == box.currentText()


@pytest.mark.parametrize(("scale", "columns"), [(1.0, 2), (2.0, 1)])
def test_guided_actions_stand_below_each_other_where_it_is_narrow(
    qapp: QApplication, qtbot: QtBot, scale: float, columns: int
) -> None:
    apply_theme(qapp, load_theme("light", scale))
    view = GuidedView()
    view.show_offer(tuple(action.id for action in GUIDED_ACTIONS))
    show(view, "light", scale, (543, 100), qtbot)
    hold, take_off = (
        next(b for b in view.findChildren(QAbstractButton) if b.accessibleName() == name)
        for name in ("Hold", "Take off")
    )
    at = [button.mapTo(view, button.rect().topLeft()) for button in (take_off, hold)]
    assert (at[0].y() == at[1].y()) == (columns == 2)
    assert cut(view) == []


def test_a_text_without_room_says_so_and_has_all_of_it_in_its_tool_tip(qtbot: QtBot) -> None:
    note = FittedText(LONG)
    qtbot.addWidget(note)
    note.show()
    note.resize(900, 40)
    assert (note.shown(), note.toolTip()) == (LONG, "")
    note.resize(120, 2 * note.fontMetrics().height())
    shown = note.shown()
    assert shown.endswith("…")
    assert LONG.startswith(shown.removesuffix("\u202f…"))
    assert note.toolTip() == LONG
