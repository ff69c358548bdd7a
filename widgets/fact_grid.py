"""Fact grid in two columns, name and value; only what changed is written anew."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel

from telemetry.base.fact import Fact
from telemetry.base.finding import Level
from widgets.labels import set_text
from widgets.level_mark import LEVEL_SIGNS, LEVEL_TOKENS
from widgets.parts import STRETCH, make_column, make_grid, make_heading


class FactGrid(QFrame):
    """A card with a title and facts. Values can be selected and copied."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.facts: tuple[Fact, ...] = ()
        self._rows: list[tuple[QLabel, QLabel]] = []
        self.setProperty("card", "plain")
        heading = make_heading(title)
        self._grid = make_grid(spacing=(12, 4), shares={1: 1})
        self.setLayout(make_column(heading, self._grid, STRETCH, margins=(12, 8, 12, 8)))

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Show these instead of those before."""
        if tuple(facts) == self.facts:
            return
        self.facts = tuple(facts)
        while len(self._rows) < len(facts):
            self._add_row()
        for number, (name, value) in enumerate(self._rows):
            is_used = number < len(facts)
            name.setVisible(is_used)
            value.setVisible(is_used)
            if is_used:
                _write(name, value, facts[number])

    def _add_row(self) -> None:
        name, value = QLabel(), QLabel()
        name.setProperty("tone", "muted")
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        value.setWordWrap(True)
        row = len(self._rows)
        self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, row, 1)
        self._rows.append((name, value))


def _write(name: QLabel, value: QLabel, fact: Fact) -> None:
    name.setText(fact.name)
    is_bad = fact.level >= Level.WARNING
    text = f"{LEVEL_SIGNS[fact.level] + ' ' if is_bad else ''}{fact.value}"
    tone = "" if fact.level is Level.OK else LEVEL_TOKENS[fact.level]
    set_text(value, f"{text}  {fact.why}" if is_bad and fact.why else text, tone)
    value.setToolTip(fact.why)
