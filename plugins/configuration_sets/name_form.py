"""Name form of a set: a line for name, purpose and note, in the page itself."""

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from widgets.parts import make_grid, make_label, make_row


class NameForm(QWidget):
    """Opens for one question at a time; `accept` gets what was typed, and closes it if it was
    taken (it returns an empty text) or says what is wrong."""

    def __init__(self) -> None:
        super().__init__()
        self._accept: Callable[[], str] = str
        self.name, self.purpose, self.note = QLineEdit(), QLineEdit(), QLineEdit()
        self.name.setPlaceholderText("Name, such as: Summer 2026, heavy battery")
        self.purpose.setPlaceholderText("Purpose, such as: survey flights")
        self.note.setPlaceholderText("Note")
        self._problem = make_label(tone="danger", wraps=True)
        self.ok, self.cancel = QPushButton(), QPushButton("Cancel")
        self.ok.setProperty("role", "primary")
        self.ok.clicked.connect(self._finish)
        self.cancel.clicked.connect(self.hide)
        for line in (self.name, self.purpose, self.note):
            line.returnPressed.connect(self._finish)
        buttons = make_row(self.ok, self.cancel)
        grid = make_grid(self)
        for column, line in enumerate((self.name, self.purpose, self.note)):
            grid.addWidget(line, 0, column)
        grid.addLayout(buttons, 0, 3)
        grid.addWidget(self._problem, 1, 0, 1, 4)
        self.hide()

    def ask(self, verb: str, accept: Callable[[], str], texts: tuple[str, str, str]) -> None:
        """Open with these texts; the button says `verb`."""
        self._accept = accept
        self._problem.clear()
        self.ok.setText(verb)
        for line, text in zip((self.name, self.purpose, self.note), texts, strict=True):
            line.setText(text)
        self.show()
        self.name.setFocus()

    def _finish(self) -> None:
        problem = self._accept()
        self._problem.setText(problem)
        self.setVisible(bool(problem))
