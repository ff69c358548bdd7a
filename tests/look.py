"""The look of the application, which one test has and the next one must not."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from widgets.visible_first import VisibleFirst


@contextmanager
def kept_look(app: QApplication) -> Iterator[None]:
    """Have it afterwards as it was. Widgets that wait for their end get it first: every one of
    them would be styled again."""
    style, sheet, palette, font = app.style().name(), app.styleSheet(), app.palette(), app.font()
    try:
        yield
    finally:
        for walk in app.findChildren(VisibleFirst):
            walk.deleteLater()  # it may be giving a look still
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if app.styleSheet() != sheet:
            app.setStyleSheet(sheet)
        if app.style().name() != style:
            app.setStyle(style)
        app.setPalette(palette)
        app.setFont(font)
