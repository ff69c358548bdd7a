"""The line below the tree that keeps unsent changes in mind."""

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QWidget


class PendingBar(QWidget):
    """Says how many objects have unsent changes, and sends or forgets them all."""

    def __init__(self) -> None:
        super().__init__()
        self._text = QLabel()
        self._text.setWordWrap(True)
        self.revert_all = QPushButton("Revert all")
        self.send_all = QPushButton("Send all")
        self.send_all.setProperty("role", "primary")
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.revert_all)
        buttons.addWidget(self.send_all)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(12, 4, 8, 6)
        self._line.addWidget(self._text, 1)
        self._line.addLayout(buttons)
        self.hide()

    def set_narrow(self, is_narrow: bool) -> None:
        """Stand the buttons, with fewer words, below the text."""
        self.revert_all.setText("Revert" if is_narrow else "Revert all")
        self.send_all.setText("Send" if is_narrow else "Send all")
        direction = QBoxLayout.Direction
        self._line.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)

    def show_pending(self, count: int, least: int, *, can_send: bool) -> None:
        """Show while `least` objects or more have changes."""
        if self.isHidden() == (count >= least):
            self.setVisible(count >= least)
        if count < least:
            return
        several = "objects have changes that are" if count > 1 else "object has changes that are"
        self._text.setText(f"{count} {several} not sent.")
        self.send_all.setEnabled(can_send)
