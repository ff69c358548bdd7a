"""Controls of the firmware page, one below the other: no word that changes stands among them, so
that none moves."""

from typing import Final

from PySide6.QtWidgets import QCheckBox, QProgressBar, QPushButton, QSizePolicy, QWidget

from telemetry.configuration.firmware.before import WHY_OFF
from telemetry.configuration.firmware.boards import board_text, known_boards
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.links.address import short_name
from widgets.choices import make_check, make_choice
from widgets.elided_choice import ElidedChoice
from widgets.hold_button import HoldButton
from widgets.kept_focus import enable
from widgets.labels import set_text
from widgets.parts import STRETCH, LayoutPart, make_column, make_heading, make_label, make_row

_UPLOAD_HOLD_S: Final = 1.5
_ERASE_HOLD_S: Final = 3.0
_ABOUT: Final = "about"
"""The property with what a button does, while its tool tip says why it cannot."""


class FirmwareControls(QWidget):
    """All that can be done. The page connects it."""

    def __init__(self) -> None:
        super().__init__()
        self.board = ElidedChoice()
        self.board.setAccessibleName("Board")
        self.board.setMinimumContentsLength(12)
        self.connect_board = _button("Connect", "Connect to the firmware of this board.")
        self.rescue = _button(
            "Rescue",
            "Unplug the board and plug it in again: its bootloader is held before it starts "
            "firmware. For a board whose firmware does not answer.",
        )
        self.rescue.setCheckable(True)
        self.open = _button("Choose a file…", "Firmware: .opfw, or .bin of the board beside.")
        boards = [(f".bin: {board_text(board)}", board) for board in known_boards()]
        about_bin = "A .bin file does not say which board it is for: choose that before the file."
        entries = [("Board of a .bin", None), *boards]
        self.bin_board = make_choice("Board of a .bin file", entries, tip=about_bin)
        self.propellers = make_check("The propellers are off")
        self.battery = make_check("The battery is disconnected")
        self.without = make_check("It may lose its settings")
        self.upload = HoldButton("Erase and upload (hold)", "caution", hold_s=_UPLOAD_HOLD_S)
        self.cancel = _button(
            "Cancel", "Stop. It can be, until the erase begins and while a board is waited for."
        )
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.again = _button(
            "Begin again", "Put on the board what was interrupted, as soon as it is there."
        )
        self.forget = _button("Forget it", "Do not go on with what was interrupted.")
        self.start = _button("Start", "Start the firmware that is on the board.")
        self.safe = _button(
            "Safe boot",
            "Start it with default hardware settings, this once: for a board that does not start "
            "well with its ports and modules.",
        )
        self.erase = HoldButton("Erase settings and start (hold)", "danger", hold_s=_ERASE_HOLD_S)
        self.erase.setProperty(_ABOUT, "Have the firmware forget every setting, and start it.")
        self._lay_out()

    def name_board(self, name: str) -> None:
        """Say which board may lose its settings, by the last digits of its serial number."""
        kind, _, serial = name.rpartition(" ")
        short = f"{kind} …{serial[-4:]}" if kind and len(serial) > 4 else short_name(name)
        set_text(self.without, f"{short or 'The board'} may lose its settings")
        self.without.setToolTip(f"{name}: only its bootloader answers, so they cannot be kept.")

    @property
    def starts(self) -> dict[Boot, QPushButton]:
        """The buttons that start firmware, by how."""
        return {Boot.NORMAL: self.start, Boot.SAFE: self.safe, Boot.ERASE_SETTINGS: self.erase}

    @property
    def said(self) -> tuple[QCheckBox, ...]:
        """What is ticked before an upload, for that one only."""
        return (self.propellers, self.battery, self.without)

    def _lay_out(self) -> None:
        for check in self.said:
            check.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        parts: tuple[LayoutPart, ...] = (
            make_heading("Board"),
            self.board,
            make_row(self.connect_board, self.rescue, STRETCH),
            make_heading("File"),
            make_row(self.open, (self.bin_board, 1)),
            make_heading("Before"),
            make_label(WHY_OFF, tone="muted", wraps=True),
            *self.said,
            make_heading("Upload"),
            make_row((self.upload, 1), self.cancel),
            self.progress,
            make_row(self.again, self.forget, STRETCH),
            make_heading("Start the firmware"),
            make_row(self.start, self.safe, STRETCH),
            self.erase,
        )
        self.setLayout(make_column(*parts, STRETCH, spacing=5))


def offer(button: QPushButton, refusal: str, heir: QWidget) -> None:
    """Enable a button, or say why it is not; `heir` has the keyboard then."""
    enable(button, not refusal, heir)
    button.setToolTip(refusal or str(button.property(_ABOUT) or ""))


def _button(text: str, about: str) -> QPushButton:
    button = QPushButton(text)
    button.setProperty(_ABOUT, about)
    button.setToolTip(about)
    return button
