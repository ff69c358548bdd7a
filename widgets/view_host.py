"""Where a widget of a plugin stands: whatever it raises stays here, and a card takes its place."""

import logging
import traceback
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from widgets.error_card import ErrorCard
from widgets.parts import make_label


def _nothing() -> None:
    pass


class ViewHost(QWidget):
    """Holds one widget, `view`, which is None while there is none or after it failed.

    `title` says what it is called now, `unharmed` what its failure does not touch. `try_again` is
    offered on the card, `report` told with details when it did not close cleanly.
    """

    def __init__(
        self,
        title: Callable[[], str],
        unharmed: str,
        log: logging.Logger,
        try_again: Callable[[], None] | None = None,
        report: Callable[[str, str], None] = lambda _text, _details: None,
    ) -> None:
        super().__init__()
        self.view: QWidget | None = None
        self._title, self._unharmed, self._log = title, unharmed, log
        self._try_again, self._report = try_again, report
        self._on_close: Callable[[], None] = _nothing
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def open(self, make: Callable[[], QWidget], on_close: Callable[[], None]) -> bool:
        """Show what `make` builds; `on_close` ends what that began. False if it failed."""
        self.close_view()
        self._on_close = on_close
        try:
            view = make()
        except Exception as error:  # noqa: BLE001  a plugin may fail in any way it likes
            self.fail(f"{self._title()} could not be opened ({error}).", traceback.format_exc())
            return False
        self.view = view
        self._column.addWidget(view)
        return True

    def call(self, name: str, *arguments: Any) -> Any:
        """Call one of the view's functions, if it has it."""
        function = getattr(self.view, name, None)
        return None if function is None else self.run_guarded(function, *arguments)

    def run_guarded(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the view or of a widget in it."""
        try:
            return function(*arguments)
        except Exception as error:  # noqa: BLE001  a plugin may fail in any way it likes
            trace = traceback.format_exc()
            self._log.error("%s\n%s", error, trace)
            reason = f"{type(error).__name__}: {error}"
            self.fail(f"{self._title()} has stopped ({reason}). {self._unharmed}", trace)
            return None

    def fail(self, text: str, details: str = "") -> None:
        """Put a card with this text in the place of the view."""
        self.close_view()
        self._column.addWidget(ErrorCard(text, details, self._try_again))

    def show_text(self, text: str) -> None:
        """Put a sentence in the place of the view: why there is none, and what to do."""
        self.close_view()
        label = make_label(text, tone="muted", wraps=True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setMargin(12)
        self._column.addWidget(label)

    def close_view(self) -> None:
        """End what the view began and free it. Closing twice is fine."""
        on_close, self._on_close = self._on_close, _nothing
        try:
            on_close()
        except Exception:  # noqa: BLE001  a plugin may fail in any way it likes
            self._report(f"{self._title()} did not close cleanly.", traceback.format_exc())
        self.view = None
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
