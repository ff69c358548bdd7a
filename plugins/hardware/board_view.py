"""Board drawing with its ports: what each is for, drawn where the choices are made.

The drawing is a plan, not a picture: it shows which ports there are, not where they sit.
"""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy

from telemetry.configuration.hardware.boards import BoardKind
from telemetry.configuration.settings.configuration import Configuration
from widgets.parts import make_grid
from widgets.settings.editor import SettingEditor
from widgets.settings.form import reveal
from widgets.theme import RADIUS_PX, PaintedWidget, Theme

_BOARD_PX, _LINE_PX, _ROW_PX = 190, 48, 44


class BoardView(PaintedWidget):
    """A line from each port of the board to the choice of its use."""

    def __init__(self, settings: Configuration, kind: BoardKind, theme: Theme) -> None:
        super().__init__()
        self.editors: dict[str, SettingEditor] = {}
        self._settings = settings
        self._kind = kind
        self._theme: Theme = theme
        grid = make_grid(self, margins=(_BOARD_PX + _LINE_PX, 8, 0, 8), spacing=(-1, 4))
        for row, port in enumerate(kind.ports):
            label = QLabel(port.title)
            editor = self.editors[port.field] = SettingEditor(settings, "HwSettings", port.field)
            editor.setMinimumWidth(220)
            grid.addWidget(label, row, 0)
            grid.addWidget(editor, row, 1)
            grid.setRowMinimumHeight(row, _ROW_PX)
        grid.setColumnStretch(2, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def refresh(self) -> None:
        """Show what is staged and on board."""
        for editor in self.editors.values():
            editor.refresh()

    def show_setting(self, path: str) -> bool:
        """Focus a port; False if it is not one."""
        if path not in self.editors:
            return False
        reveal(self.editors[path])
        return True

    def paint(self, painter: QPainter, theme: Theme) -> None:
        board = QRectF(1, 8, _BOARD_PX - 2, self.height() - 16)
        painter.setPen(QPen(theme.color("line"), 1.5))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(board, RADIUS_PX, RADIUS_PX)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("body", bold=True))
        title = f"{self._kind.title}\n0x{self._settings.aircraft.board:04X}"
        painter.drawText(board, Qt.AlignmentFlag.AlignCenter, title)
        for editor in self.editors.values():
            self._draw_port(painter, editor, board.right())

    def _draw_port(self, painter: QPainter, editor: SettingEditor, edge: float) -> None:
        y = editor.geometry().center().y()
        role = self._settings.value(editor.name, editor.path)
        is_used = role not in ("Disabled", None)
        color = self._theme.color("accent" if is_used else "line")
        painter.setPen(QPen(color, 2.5 if is_used else 1.0))
        painter.drawLine(int(edge), y, int(edge) + _LINE_PX - 8, y)
        painter.setBrush(color)
        painter.drawRect(QRectF(edge - 10, y - 7, 16, 14))
