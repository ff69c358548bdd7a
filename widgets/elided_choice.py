"""Elided combo box: says by … where its choice goes on for which there is no room."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QToolTip


class ElidedChoice(QComboBox):
    """With a style sheet Qt cuts a long choice off in the middle of a letter. It is left out in the
    middle: names of one kind often differ at their ends."""

    def event(self, event: QEvent) -> bool:
        """Tell the whole of what is left out before what is told anyway."""
        is_asked = event.type() is QEvent.Type.ToolTip and self.shown != self.currentText()
        if not (is_asked and isinstance(event, QHelpEvent)):
            return super().event(event)
        told = "\n".join(filter(None, (self.currentText(), self.toolTip())))
        QToolTip.showText(event.globalPos(), told, self)
        return True

    @property
    def shown(self) -> str:
        """As much of the choice as there is room for."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        return self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideMiddle, room.width()
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown
        painter = QStylePainter(self)
        with painter:
            painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
            painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
