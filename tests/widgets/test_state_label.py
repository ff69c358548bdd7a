"""State labels: what is shown is the statement and nothing of one before."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from widgets.parts import make_button
from widgets.state_label import FittedStateLabel, StateLabel, show_statement

SAID = Statement("Link lost.", "quad", 1, 72.5, "it is heard again", Level.ERROR)


@pytest.mark.parametrize("make", [StateLabel, FittedStateLabel])
def test_words_tone_and_tip_come_and_go_with_the_statement(
    qtbot: QtBot, make: type[StateLabel] | type[FittedStateLabel]
) -> None:
    label = make(calm="muted")
    qtbot.addWidget(label)
    label.resize(300, 40)
    label.state(SAID)
    assert (label.text(), label.property("tone")) == ("Link lost.", "danger")
    assert label.toolTip() == "Link lost.\nquad, since 1:12.5. Until it is heard again."
    label.state(replace(SAID, since_s=99.0))
    assert label.statement == SAID, "it goes on being said"
    label.state(None)
    assert (label.text(), label.toolTip(), label.property("tone")) == ("", "", "muted")
    assert label.statement is None


def test_without_a_statement_a_label_is_hidden_unless_it_keeps_its_room(qtbot: QtBot) -> None:
    label, kept = StateLabel(), StateLabel(keeps_room=True)
    for one in (label, kept):
        qtbot.addWidget(one)
        one.show()
        one.state(SAID)
        one.state(None)
    assert not label.isVisible()
    assert kept.isVisible()


def test_a_statement_of_which_no_more_is_known_has_no_more_in_its_tip(qtbot: QtBot) -> None:
    label = FittedStateLabel()
    qtbot.addWidget(label)
    label.resize(300, 40)
    label.state(Statement("Click to add."))
    assert label.toolTip() == "", "there is room for all of it"
    button = make_button("", lambda: None)
    qtbot.addWidget(button)
    show_statement(button, SAID)
    assert (button.text(), button.property("tone")) == ("Link lost.", "danger")
    show_statement(button, None)
    assert button.text() == ""
