"""Visible-first visit of every widget: those that show in short steps, the rest when they show."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QRegion, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from telemetry.base.clock import monotonic_s

STEP_S = 0.008
"""After this time input is answered."""
_PAINTED = 0.2
"""How much of a window is painted in one step."""


Visit = Callable[[QWidget], None]


class VisibleFirst(QObject):
    """Calls two functions with every widget of the application, each widget after its parent and
    the second function when the first is through.

    Children of a hidden widget wait until it shows. Popups (menus, the lists of combo boxes) take
    their size before they show: they come after all that is visible. Windows are painted when all
    that shows in them has been visited, a part in each step. Before that a widget whose painting
    takes long paints what it keeps, if it has `paint_ahead`, an iterator with a part in each step.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._prepare: Callable[[], None] | None = None
        self._visit: Visit = lambda _widget: None
        self._visit_again: Visit = lambda _widget: None
        self._visible: list[QWidget] = []
        self._visited: list[QWidget] = []
        self._ahead: list[tuple[QWidget, Iterator[None]]] = []
        self._unpainted: list[QWidget] = []
        self._popups: list[QWidget] = []
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    @property
    def is_busy(self) -> bool:
        """Whether anything that shows has not been visited and painted yet."""
        left = self._visible, self._visited, self._ahead, self._unpainted
        return bool(self._prepare or any(left))

    def start(self, prepare: Callable[[], None], visit: Visit, visit_again: Visit) -> None:
        """Begin anew: `prepare` is a step of its own, then every widget is visited, and again.

        Where no window shows, `prepare` is called at once.
        """
        self._prepare, self._visit, self._visit_again = prepare, visit, visit_again
        self._visible = [top for top in QApplication.topLevelWidgets() if top.parent() is None]
        self._unpainted = [top for top in self._visible if top.isVisible()]
        self._visited, self._ahead, self._popups = [], [], []
        for window in self._unpainted:
            window.setUpdatesEnabled(False)
        if not self._unpainted:
            self._step()
        self._timer.start(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Visit what was hidden, now that it shows."""
        if isinstance(event, QShowEvent) and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            below, visited = [watched], list[QWidget]()
            while below:
                self._take(below.pop(), below, visited)
            for widget in visited:
                self._take_again(widget)
        return False

    def _step(self) -> None:
        if self._prepare is not None:
            prepare, self._prepare = self._prepare, None
            prepare()
            return
        until_s = monotonic_s() + STEP_S
        while monotonic_s() < until_s:
            if self._visible:
                self._take(self._visible.pop(), self._visible, self._visited)
            elif self._visited:
                self._take_again_and_list(self._visited.pop(0))
            elif self._ahead:
                self._paint_ahead()
            elif self._unpainted:
                self._paint_part()
                return
            elif self._popups:
                self._take_popup(self._popups.pop())
            else:
                self._timer.stop()
                return

    def _take(self, widget: QWidget, below: list[QWidget], visited: list[QWidget]) -> None:
        if not isValid(widget):  # deleted since it was listed
            return
        if not widget.isHidden():
            self._visit(widget)
            visited.append(widget)
            below.extend(reversed(_children(widget)))
        elif widget.isWindow():
            self._popups.append(widget)
        else:
            widget.installEventFilter(self)

    def _take_again(self, widget: QWidget) -> None:
        if isValid(widget):
            self._visit_again(widget)

    def _take_again_and_list(self, widget: QWidget) -> None:
        self._take_again(widget)
        if isValid(widget) and hasattr(widget, "paint_ahead"):
            self._ahead.append((widget, widget.paint_ahead()))

    def _paint_ahead(self) -> None:
        widget, parts = self._ahead[-1]
        if not isValid(widget) or next(parts, self) is self:
            self._ahead.pop()

    def _take_popup(self, popup: QWidget) -> None:
        below = [popup]
        for widget in below:
            if isValid(widget):  # a visit may delete what was listed
                self._visit(widget)
                below.extend(_children(widget))
        for widget in below:
            self._take_again(widget)

    def _paint_part(self) -> None:
        """Let so many widgets paint again that they cover a part of their window, each together
        with what stands over it: that is painted with it in any case."""
        covered = 0.0
        while self._unpainted and covered < _PAINTED:
            widget = self._unpainted.pop()
            if not isValid(widget):
                continue
            share = _area(widget) / max(1, _area(widget.window())) if widget.isVisible() else 0.0
            inside = _children(widget) if share > _PAINTED else []
            if inside:
                widget.setAttribute(Qt.WidgetAttribute.WA_ForceUpdatesDisabled, False)
                widget.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, False)
                ground = QRegion(widget.rect())
                for child in filter(QWidget.isVisible, inside):
                    ground -= QRegion(child.geometry())
                widget.update(ground)  # what no child is painted together with
                self._unpainted += reversed(inside)  # those at the back first
            else:
                for one in (widget, *self._take_over(widget)):
                    one.setUpdatesEnabled(True)
                covered += share

    def _take_over(self, widget: QWidget) -> list[QWidget]:
        """What is not painted yet and stands over a widget, taken off the list."""
        if not widget.isVisible():
            return []
        place = _place(widget)
        self._unpainted = [one for one in self._unpainted if isValid(one)]
        over = [
            one
            for one in self._unpainted
            if one.isVisible() and one.window() is widget.window() and _place(one).intersects(place)
        ]
        self._unpainted = [one for one in self._unpainted if one not in over]
        return over


def _children(widget: QWidget) -> list[QWidget]:
    return [child for child in widget.children() if isinstance(child, QWidget)]


def _place(widget: QWidget) -> QRect:
    """Where it stands in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def _area(widget: QWidget) -> int:
    return widget.width() * widget.height()
