"""View host of a plugin's widget: whatever it raises stays here, and an error card replaces it.

What takes long to build is built in slices, between which input is answered.
"""

import logging
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from telemetry.base.clock import monotonic_s
from widgets.error_card import ErrorCard
from widgets.parts import make_column, make_label

STEP_S = 0.004
"""After this time input is answered, once the slice is through."""

Slices = Iterator[QWidget | None]
"""Builds a view, each step a short time: the widget that it yields is the view, and what comes
after that fills it."""


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
        self._slices: Slices | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        self._column = make_column(spacing=0)
        self.setLayout(self._column)

    def open(self, make: Callable[[], QWidget], on_close: Callable[[], None]) -> bool:
        """Show what `make` builds; `on_close` ends what that began. False if it failed."""

        def whole() -> Slices:
            yield make()

        self.open_in_slices(whole(), on_close)
        self.finish()
        return self.view is not None

    def open_in_slices(self, slices: Slices, on_close: Callable[[], None]) -> None:
        """Show what `slices` build, a few between one event and the next; `on_close` ends what
        they begin. Until they are through the view is not called.
        """
        self.close_view()
        self._slices, self._on_close = slices, on_close
        self._timer.start(0)

    @property
    def is_building(self) -> bool:
        """Whether slices are left."""
        return self._slices is not None

    def finish(self) -> None:
        """Build what is left now: somebody needs it who cannot wait."""
        while self._slices is not None:
            self._build_slice(self._slices)

    def call(self, name: str, *arguments: Any) -> Any:
        """Call one of the view's functions, if it has it and is built."""
        if self.is_building:
            return None
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
        self._end_building()
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

    def _go_on(self) -> None:
        began_s = monotonic_s()
        while self._slices is not None:
            self._build_slice(self._slices)
            if monotonic_s() - began_s >= STEP_S:
                break

    def _build_slice(self, slices: Slices) -> None:
        try:
            view = next(slices)
        except StopIteration:
            self._end_building()
        except Exception as error:  # noqa: BLE001  a plugin may fail in any way it likes
            self.fail(f"{self._title()} could not be opened ({error}).", traceback.format_exc())
        else:
            if view is not None:
                self.view = view
                self._column.addWidget(view)

    def _end_building(self) -> None:
        self._slices = None
        self._timer.stop()
