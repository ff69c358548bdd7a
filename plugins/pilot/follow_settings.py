"""Follow settings popup: the place from which another aircraft is followed."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QWidget

from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.flying.behaviours.follow import MOST_OFFSET_M, FollowOffset
from widgets.choices import make_choice
from widgets.forms.spin_boxes import NumberBox
from widgets.parts import make_column, make_label
from widgets.state_label import StateLabel
from widgets.theme import Theme, hand_theme

_FRAMES = ("North, east of it", "By where its nose points")
_TITLES = (("North", "East"), ("Ahead", "Right"))
_NEGATIVE = (
    "Negative is south and west.",
    "Negative is behind and left; where it turns, the place turns with it.",
)


class FollowSettings(QFrame):
    """Emits `changed` with a FollowOffset at every change, a refused one too."""

    changed = Signal(object)

    def __init__(self, offset: FollowOffset, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("card", "plain")
        self._offset = offset
        self.frame_box = make_choice("Offset counted", _FRAMES)
        self.frame_box.setCurrentIndex(int(offset.turns))
        self.ahead_box, self.right_box, self.up_box = (
            _metres(value) for value in (offset.ahead_m, offset.right_m, offset.up_m)
        )
        self._titles = [QLabel(), QLabel(), QLabel("Up")]
        self._sign = make_label(tone="muted", size="small", wraps=True)
        self.problem = StateLabel(wraps=True)
        form = QFormLayout()
        form.addRow("Counted", self.frame_box)
        boxes = (self.ahead_box, self.right_box, self.up_box)
        for title, box in zip(self._titles, boxes, strict=True):
            title.setBuddy(box)
            form.addRow(title, box)
        head = make_label("Place from which it is followed")
        self.setLayout(make_column(head, form, self._sign, self.problem, margins=12, spacing=8))
        self._show()
        hand_theme(self, theme)
        self.frame_box.currentIndexChanged.connect(lambda _index: self._take())
        for box in boxes:
            box.valueChanged.connect(lambda _value: self._take())

    def _take(self) -> None:
        self._offset = replace(
            self._offset,
            turns=bool(self.frame_box.currentIndex()),
            ahead_m=self.ahead_box.value(),
            right_m=self.right_box.value(),
            up_m=self.up_box.value(),
        )
        self._show()
        self.changed.emit(self._offset)

    def _show(self) -> None:
        for label, box, title in zip(
            self._titles,
            (self.ahead_box, self.right_box, self.up_box),
            (*_TITLES[self._offset.turns], "Up"),
            strict=True,
        ):
            label.setText(title)
            box.setAccessibleName(f"{title}, metres")
        self._sign.setText(_NEGATIVE[self._offset.turns])
        why_not = self._offset.why_not()
        self.problem.state(Statement(why_not, level=Level.WARNING) if why_not else None)


def _metres(value: float) -> NumberBox:
    box = NumberBox("", (-MOST_OFFSET_M, MOST_OFFSET_M), 0, "\u202fm")
    box.setValue(value)
    return box
