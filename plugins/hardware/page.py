"""Hardware page: the board's ports, what does not fit, and a group for everything plugged in."""

from PySide6.QtWidgets import QWidget

from plugins.api import PageContext
from plugins.hardware.board_view import BoardView
from plugins.hardware.section_view import make_section
from plugins.hardware.sections import SECTIONS, HardwareSection
from telemetry.configuration.hardware.boards import BoardKind, board_kind
from telemetry.configuration.hardware.check import check_hardware
from widgets.change_detector import ChangeDetector
from widgets.parts import PAGE_MARGINS, STRETCH, make_column, make_label
from widgets.settings.findings import FindingsView

_ABOUT = "The board takes ports and modules over when it restarts: save on board, then restart it."
_ALL_PORTS = HardwareSection("All ports", "The ports of every board.", "HwSettings")


class HardwarePage(QWidget):
    """Ports and modules of one aircraft."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings = context.configuration
        self._settings = settings
        self._context = context
        self._kind: BoardKind | None = None
        self._seen = ChangeDetector()
        self.board: BoardView | None = None
        self.findings = FindingsView()
        self.sections = [make_section(context, section) for section in (*SECTIONS, _ALL_PORTS)]
        self._about = make_label(_ABOUT, tone="muted", wraps=True)
        parts = (self._about, self.findings, *self.sections)
        self._column = make_column(*parts, STRETCH, margins=PAGE_MARGINS, spacing=8)
        self.setLayout(self._column)

    def refresh(self, t: float) -> None:
        """Follow the aircraft and what is staged."""
        self._take_board()
        if self.board is not None:
            self.board.refresh()
        for view in self.sections:
            view.setVisible(self._settings.has(view.name))
            view.refresh()
        self._check()

    def show_setting(self, name: str, path: str) -> None:
        """Bring a setting into view."""
        self.refresh(0.0)
        if name == "HwSettings" and self.board is not None and self.board.show_setting(path):
            return
        for view in self.sections:
            if view.name == name and view.show_setting(path):
                return

    def _take_board(self) -> None:
        kind = board_kind(self._settings.aircraft.board)
        if kind is self._kind:
            return
        self._kind = kind
        if self.board is not None:
            self.board.deleteLater()
            self.board = None
        if kind is not None:
            self.board = BoardView(self._settings, kind, self._context.theme)
            self._column.insertWidget(1, self.board)

    def _check(self) -> None:
        settings = self._settings
        names = ("HwSettings", "FlightBatterySettings", "TxPIDSettings", "CameraStabSettings")
        if self._seen.has_changed(
            settings.version, tuple(settings.aircraft.stamp(name) for name in names)
        ):
            self.findings.show_findings(check_hardware(self._kind, settings.values))
            if self.board is not None:
                self.board.update()
