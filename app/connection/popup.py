"""Connection popup: what is plugged in now, what was used before, or a typed address."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import cast

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from app.connection.connections import ConnectionPlace, Connections
from telemetry.base.statement import Statement
from telemetry.vehicle.vehicle import Fleet, LinkState
from widgets.parts import make_button, make_column, make_grid, make_label, make_row
from widgets.state_label import StateLabel

_WIDTH_PX, _LINE_PX = 440, 390
_LOOK_AGAIN_S = 0.4
_STAYS_AWAKE_S = 4.0
"""Less than after which a station without an aircraft looks at things only once a second."""


class ConnectionPopup(QFrame):
    """Hangs below the toolbar's connection button while it is open. Call `refresh` on the tick:
    it looks for devices again so often that they appear within a second, off the GUI thread.
    """

    def __init__(
        self,
        parent: QWidget,
        connections: Connections,
        fleet: Fleet,
        now: Callable[[], float],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("card", "plain")
        self.setFixedWidth(_WIDTH_PX)
        self._window = parent
        self._connections = connections
        self._fleet = fleet
        self._now = now
        self._search: Future[tuple[ConnectionPlace, ...]] | None = None
        self._look_at_s = 0.0
        self._wake = wake
        self._woken_s = 0.0
        self._places: tuple[ConnectionPlace, ...] = ()
        self._state = StateLabel(wraps=True, keeps_room=True, calm="")
        self._disconnect = make_button("Disconnect", self._disconnect_active)
        policy = self._disconnect.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the list below stays where it is
        self._disconnect.setSizePolicy(policy)
        self._list = QListWidget()
        self._list.setAccessibleName("Places to connect to")
        self._list.itemActivated.connect(lambda _item: self._connect())
        self._list.currentItemChanged.connect(lambda item, _before: self._take_item(item))
        self._list.installEventFilter(self)
        self._address = _AddressBox()
        self._address.setAccessibleName("Address")
        self._address.setPlaceholderText("Address, such as tcp:192.168.4.1:9000")
        self._address.returnPressed.connect(self._connect)
        self._connect_button = make_button("Connect", self._connect, "primary")
        self._arrange()
        self.hide()

    def open_below(self, anchor: QWidget) -> None:
        """Show it under a widget, its right edges in line."""
        corner = anchor.mapTo(self._window, anchor.rect().bottomRight())
        self._look_at_s = 0.0
        self.refresh()
        self.adjustSize()
        right = min(max(corner.x(), _WIDTH_PX), self._window.width() - 8)
        self.move(right - _WIDTH_PX, corner.y() + 4)
        self.show()
        self.raise_()
        self._list.setFocus()

    def refresh(self) -> None:
        """Show how the active vehicle is reached, and what has been plugged in or out."""
        self._show_state()
        if self._now() - self._woken_s > _STAYS_AWAKE_S:
            self._woken_s = self._now()
            self._wake()
        if self._search is None and self._now() >= self._look_at_s:
            self._search = self._connections.find_places()
        elif self._search is not None and self._search.done():
            places, self._search = self._search.result(), None
            self._look_at_s = self._now() + _LOOK_AGAIN_S
            if places != self._places:
                self._show_places(places)

    def hideEvent(self, event: QHideEvent) -> None:
        """Give the keys back to the window."""
        super().hideEvent(event)
        self._window.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc backs out."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is typed or pasted over the list is an address: it goes into the box."""
        is_press = isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress
        if watched is not self._list or not is_press or not _is_text(cast(QKeyEvent, event)):
            return super().eventFilter(watched, event)
        self._address.setFocus()
        self._address.selectAll()
        QApplication.sendEvent(self._address, event)
        return True

    def _arrange(self) -> None:
        top = make_row((self._state, 1), self._disconnect)
        top.setAlignment(self._disconnect, Qt.AlignmentFlag.AlignTop)
        self._list.setMinimumHeight(220)
        row = make_grid(margins=None)
        row.addWidget(self._address, 0, 0)
        row.addWidget(self._connect_button, 0, 1)
        examples = [kind.example for kind in self._connections.kinds if kind.example]
        hint = make_label(
            f"For example {', '.join(examples)}" if examples else "",
            tone="muted",
            size="small",
            wraps=True,
        )
        row.addWidget(hint, 1, 0, 1, 2)
        self.setLayout(make_column(top, (self._list, 1), row, margins=(12, 10, 12, 12), spacing=8))

    def _show_state(self) -> None:
        active = self._fleet.active
        address = self._connections.address_of(active)
        said = Statement("Not connected to an aircraft.")
        if active is not None and address:
            reason = f"\n{active.status.reason}" if active.status.reason else ""
            text = f"{address}: {active.status.word}{reason}"
            said = Statement(text, active.name, active.link_losses, active.end_s)
        self._state.state(said)
        is_up = active is not None and active.status.state is not LinkState.DISCONNECTED
        self._disconnect.setVisible(bool(address) and is_up)

    def _show_places(self, places: tuple[ConnectionPlace, ...]) -> None:
        chosen = self._address.text()
        self._places = places
        with QSignalBlocker(self._list):
            self._list.clear()
        group = ""
        for place in places:
            if place.group != group:
                group = place.group
                heading = QListWidgetItem(group)
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                self._list.addItem(heading)
            item = QListWidgetItem(self._line(place))
            item.setToolTip(place.address)
            item.setData(Qt.ItemDataRole.UserRole, place.address)
            self._list.addItem(item)
            if place.address == chosen:
                with QSignalBlocker(self._list):  # the box has it, and what is selected there
                    self._list.setCurrentItem(item)

    def _line(self, place: ConnectionPlace) -> str:
        """A row as wide as the list: of an address too long for it the middle is left out, as the
        end of a serial number tells two boards apart."""
        metrics = self._list.fontMetrics()
        title = f"   {place.title}"
        room_px = _LINE_PX - metrics.horizontalAdvance(title)
        if place.title == place.address:
            return metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, _LINE_PX)
        return title + metrics.elidedText(
            f"   {place.address}", Qt.TextElideMode.ElideMiddle, room_px
        )

    def _take_item(self, item: QListWidgetItem | None) -> None:
        address = item.data(Qt.ItemDataRole.UserRole) if item else None
        if address:
            self._address.setText(address)
            self._address.selectAll()

    def _connect(self) -> None:
        if self._address.text().strip():
            self.hide()
            self._connections.open(self._address.text())

    def _disconnect_active(self) -> None:
        if self._fleet.active is not None:
            self._connections.ask_to_disconnect(self._fleet.active)


class _AddressBox(QLineEdit):
    """The click that brings the focus selects all of it, so that what comes then replaces it;
    dragging selects what it is dragged over."""

    def __init__(self) -> None:
        super().__init__()
        self._is_first_click = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._is_first_click = event.reason() is Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._is_first_click and not self.hasSelectedText():
            self.selectAll()
        self._is_first_click = False


def _is_text(event: QKeyEvent) -> bool:
    """Whether a key writes or pastes something. Space chooses in the list."""
    if event.matches(QKeySequence.StandardKey.Paste):
        return True
    is_plain = event.modifiers() in (
        Qt.KeyboardModifier.NoModifier,
        Qt.KeyboardModifier.ShiftModifier,
    )
    return is_plain and event.text().isprintable() and bool(event.text().strip())
