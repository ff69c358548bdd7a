"""Whether texts that show have the room that they take, by Qt's own measures of them."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionTab,
    QTabBar,
    QToolButton,
    QWidget,
)

from widgets.elided_choice import ElidedChoice
from widgets.fitted_text import FittedText
from widgets.gesture_tile import GestureTile

SPARE_PX = 1
"""Widths are rounded, each for itself."""
_LINE_EDIT_MARGIN_PX = 2  # QLineEdit leaves them on each side, and no function tells them
_ICON_GAP_PX = 4
_WRAPPED = int(Qt.TextFlag.TextWordWrap)


def clipped(root: QWidget) -> list[str]:
    """One line for each text below `root` that shows and is cut off."""
    found = []
    for widget in root.findChildren(QWidget):
        if widget.isVisible() and not _is_away(widget, root):
            found += [f"{_path(widget, root)}: {fault}" for fault in _faults(widget, root)]
    return found


def _faults(widget: QWidget, root: QWidget) -> Iterator[str]:
    for kind, look in _KINDS.items():
        if isinstance(widget, kind):
            faults = list(look(widget))
            yield from faults
            if not faults and _has_text(widget):
                yield from _cut_off(widget, root)
            return


def _label(label: QLabel) -> Iterator[str]:
    if not label.text():
        return
    if isinstance(label, FittedText):
        if label.shown() != label.text() and not label.toolTip():
            yield f"“{label.text()}” is elided without a tool tip"
    elif label.wordWrap():
        least = QSize(QLabel.minimumSizeHint(label).width(), label.heightForWidth(label.width()))
        yield from _compare(label.text(), least, label.size())
    else:
        yield from _compare(label.text(), QLabel.sizeHint(label), label.size())


def _button(button: QAbstractButton) -> Iterator[str]:
    text = button.text().replace("&", "")
    takes = _text_size(button.fontMetrics(), text)
    if isinstance(button, GestureTile):  # it wraps
        takes = button.fontMetrics().boundingRect(button.rect(), _WRAPPED, text).size()
    if isinstance(button, QToolButton):
        if button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonIconOnly and (
            not button.icon().isNull()
        ):
            return
        room = button.contentsRect().size() - QSize(4, 0)
    else:
        room = _button_room(button)
    if not button.icon().isNull() and isinstance(button, QPushButton | QToolButton):
        takes.setWidth(takes.width() + button.iconSize().width() + _ICON_GAP_PX)
    if text:
        yield from _compare(text, takes, room)


def _button_room(button: QAbstractButton) -> QSize:
    option = QStyleOptionButton()
    element = QStyle.SubElement.SE_PushButtonContents
    if isinstance(button, QCheckBox):
        element = QStyle.SubElement.SE_CheckBoxContents
    elif isinstance(button, QRadioButton):
        element = QStyle.SubElement.SE_RadioButtonContents
    if isinstance(button, QCheckBox | QRadioButton | QPushButton):
        button.initStyleOption(option)
        return button.style().subElementRect(element, option, button).size()
    return button.contentsRect().size()


def _choice(box: QComboBox) -> Iterator[str]:
    text = box.currentText()
    if isinstance(box, ElidedChoice) or box.isEditable() or not text:
        return
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box)
    yield from _compare(text, _text_size(box.fontMetrics(), text), room.size())


def _line(line: QLineEdit) -> Iterator[str]:
    text = line.placeholderText() if not line.text() else line.text()
    is_number = isinstance(line.parentWidget(), QAbstractSpinBox)
    if line.text() and not is_number:  # what was typed is scrolled
        return
    margins, content = line.textMargins(), line.contentsRect()
    room = content.width() - margins.left() - margins.right() - 2 * _LINE_EDIT_MARGIN_PX
    yield from _compare(
        text, _text_size(line.fontMetrics(), text), QSize(room, content.height() + SPARE_PX)
    )


def _tabs(bar: QTabBar) -> Iterator[str]:
    for number in range(bar.count()):
        text = bar.tabText(number).replace("&", "")
        if not text or not bar.isTabVisible(number):
            continue
        option = QStyleOptionTab()
        bar.initStyleOption(option, number)
        room = bar.style().subElementRect(QStyle.SubElement.SE_TabBarTabText, option, bar)
        yield from _compare(text, _text_size(bar.fontMetrics(), text), room.size())


def _header(header: QHeaderView) -> Iterator[str]:
    model, is_across = header.model(), header.orientation() == Qt.Orientation.Horizontal
    if model is None or not is_across:
        return
    for section in range(header.count()):
        text = model.headerData(section, header.orientation())
        if header.isSectionHidden(section) or not text:
            continue
        takes = header.sectionSizeFromContents(section)
        room = QSize(header.sectionSize(section), header.height())
        yield from _compare(str(text), takes, room)


def _group(group: QGroupBox) -> Iterator[str]:
    takes = _text_size(group.fontMetrics(), group.title())
    yield from _compare(group.title(), takes, group.size())


def _compare(text: str, takes: QSize, room: QSize) -> Iterator[str]:
    if text and takes.width() > room.width() + SPARE_PX:
        yield f"“{text}” is {takes.width()} px wide, its room {room.width()}"
    elif text and takes.height() > room.height() + SPARE_PX:
        yield f"“{text}” is {takes.height()} px high, its room {room.height()}"


def _text_size(metrics: QFontMetrics, text: str) -> QSize:
    return metrics.size(0, text)


def _cut_off(widget: QWidget, root: QWidget) -> Iterator[str]:
    """Whether it sticks out of what it stands in, and cannot be scrolled there."""
    rect, child, parent = _text_rect(widget), widget, widget.parentWidget()
    while child is not root and parent is not None:
        rect = QRect(child.mapTo(parent, rect.topLeft()), rect.size())
        out_x = rect.left() < -SPARE_PX or rect.right() > parent.width() - 1 + SPARE_PX
        out_y = rect.top() < -SPARE_PX or rect.bottom() > parent.height() - 1 + SPARE_PX
        area = parent.parentWidget()
        if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
            out_x &= area.horizontalScrollBar().maximum() == 0 or _is_off(area)
            out_y &= area.verticalScrollBar().maximum() == 0
            if not (out_x or out_y):
                return
        if out_x or out_y:
            what = f"“{_words(widget)}”" if _words(widget) else type(widget).__name__
            yield f"{what} at {rect.getRect()} sticks out of {type(parent).__name__} " + (
                f"of {parent.width()}x{parent.height()}"
            )
            return
        child, parent = parent, parent.parentWidget()


def _text_rect(widget: QWidget) -> QRect:
    """Where its text is, of a label, or all of it."""
    if not isinstance(widget, QLabel) or widget.wordWrap():
        return widget.rect()
    size = QLabel.sizeHint(widget).boundedTo(widget.size())
    direction, alignment = widget.layoutDirection(), widget.alignment()
    return widget.style().alignedRect(direction, alignment, size, widget.rect())


def _is_off(area: QAbstractScrollArea) -> bool:
    return area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff


def _is_away(widget: QWidget, root: QWidget) -> bool:
    """Whether it is folded away to nothing, or, as Qt parks docks behind others, left of all."""
    while widget is not root:
        if widget.size().isEmpty() or widget.geometry().right() < 0:
            return True
        widget = widget.parentWidget()
    return False


def _words(widget: QWidget) -> str:
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        return widget.text()
    return widget.currentText() if isinstance(widget, QComboBox) else ""


def _has_text(widget: QWidget) -> bool:
    return bool(_words(widget)) or isinstance(widget, QTabBar | QHeaderView)


def _path(widget: QWidget, root: QWidget) -> str:
    names, at = [], widget
    while at is not root and len(names) < 4:
        names.append(type(at).__name__)
        at = at.parentWidget()
    return " < ".join(names)


_KINDS: dict[type[QWidget], Callable[..., Iterator[str]]] = {
    QLabel: _label,
    QAbstractButton: _button,
    QComboBox: _choice,
    QLineEdit: _line,
    QTabBar: _tabs,
    QHeaderView: _header,
    QGroupBox: _group,
}
