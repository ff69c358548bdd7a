"""Doubt list: what is sent only after a yes of its own, each with a box to tick."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QScrollArea, QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.doubt import Doubt
from telemetry.configuration.settings.snapshot import object_name
from widgets.parts import make_column, make_label, make_row
from widgets.settings.pending_list import shown_value

_MOST_PX = 190


class DoubtList(QScrollArea):
    """A row for each: *Send*, what it is, and why somebody is asked. What is ticked goes with the
    next *Apply*. Out of sight where nothing is in doubt.
    """

    def __init__(self, settings: Configuration) -> None:
        super().__init__()
        self._settings = settings
        self._shown: tuple[tuple[Doubt, str], ...] = ()
        self.boxes: dict[str, QCheckBox] = {}
        """By the name of what is in doubt."""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hide()

    def refresh(self, doubts: Sequence[Doubt]) -> None:
        """Show these, and what was said of them."""
        shown = tuple((doubt, self._words(doubt)) for doubt in doubts)
        if shown != self._shown:
            self._shown = shown
            self._rebuild()
        for doubt in doubts:
            box = self.boxes[doubt.name]
            with QSignalBlocker(box):
                box.setChecked(all(map(self._settings.draft.is_confirmed, doubt.keys)))
        self.setVisible(bool(shown))

    def words(self) -> str:
        """What the rows say, one a line."""
        return "\n".join(words for _, words in self._shown)

    def fit(self, width_px: int) -> None:
        """Be as high as the rows need at a width."""
        rows = self.widget()
        if rows is not None:
            self.setFixedHeight(min(rows.heightForWidth(width_px), _MOST_PX))

    def _rebuild(self) -> None:
        self.boxes = {}
        rows = QWidget()
        parts = [_lines("Apply sends of these only what is ticked:", tone="danger")]
        lines = [make_row(*self._row(doubt, words), spacing=8) for doubt, words in self._shown]
        rows.setLayout(make_column(*parts, *lines, margins=(12, 4, 12, 2), spacing=4))
        self.setWidget(rows)

    def _row(self, doubt: Doubt, words: str) -> tuple[QCheckBox, tuple[QWidget, int]]:
        box = QCheckBox("Send")
        box.setAccessibleName(f"Send {doubt.name}")
        box.setToolTip("Send this too with Apply, although it is advised against.")
        box.toggled.connect(lambda is_on: self._settings.confirm(doubt.keys, is_meant=is_on))
        self.boxes[doubt.name] = box
        return box, (_lines(words), 1)

    def _words(self, doubt: Doubt) -> str:
        if doubt.is_of_another:
            count = len(doubt.keys)
            return f"{doubt.name}, {count} value{'' if count == 1 else 's'} {doubt.text}."
        ((name, instance, path),) = doubt.keys
        value = self._settings.draft.get((name, instance), path)
        shown = shown_value(self._settings, (name, instance), path, value)
        return f"{object_name((name, instance))}: {path} = {shown}. {doubt.text}."


def _lines(words: str, tone: str = "") -> QLabel:
    """A text whose height is that of its lines at the width it has, not at a narrow one."""
    label = make_label(words, tone=tone, wraps=True)
    label.setMinimumSize(1, 1)
    return label
