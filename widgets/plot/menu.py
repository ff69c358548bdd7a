"""A plot's menus: everything that can be done with it."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from widgets.plot.model import PlotModel

if TYPE_CHECKING:
    from widgets.plot.view import PlotView

WINDOWS: tuple[tuple[str, float | None], ...] = (
    ("10 s", 10.0),
    ("30 s", 30.0),
    ("60 s", 60.0),
    ("5 min", 300.0),
    ("All", None),
)


def window_title(model: PlotModel) -> str:
    """The window in a word: its length, or that it was moved by hand."""
    if not model.is_following:
        return "Free"
    window_s = model.window_s
    for title, length_s in WINDOWS:
        if length_s == window_s:
            return title
    if window_s is None:
        return "All"
    return f"{window_s:.0f} s" if window_s >= 9.5 else f"{window_s:.1f} s"


def fill_window_menu(menu: QMenu, view: "PlotView") -> None:
    """Offer the lengths of window, the present one ticked."""
    menu.clear()
    model = view.model
    for title, length_s in WINDOWS:
        action = menu.addAction(title, partial(model.set_window, length_s))
        action.setCheckable(True)
        action.setChecked(model.is_following and model.window_s == length_s)


def build_menu(view: "PlotView", path: str) -> QMenu:
    """Make the menu for the plot, or for one curve of it; it deletes itself when closed."""
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if path:
        menu.addAction(f"Remove {path}", lambda: view.remove_path(path))
        menu.addSeparator()
    menu.addAction("Add fields…\tA", view.open_picker)
    if view.model.curves:
        if not path:
            remove = menu.addMenu("Remove")
            for plotted in view.model.paths:
                remove.addAction(plotted, partial(view.remove_path, plotted))
        menu.addAction("Clear", view.clear)
    menu.addSeparator()
    fill_window_menu(menu.addMenu("Time shown"), view)
    menu.addAction("Fit\t0", view.canvas.double_clicked.emit)
    _add_options(menu, view)
    menu.addSeparator()
    menu.addAction("Copy image", view.copy_image)
    menu.addAction("Save image…", view.ask_image)
    export = menu.addAction("Export visible samples…", view.ask_csv)
    export.setEnabled(bool(view.model.curves))
    return menu


def _add_options(menu: QMenu, view: "PlotView") -> None:
    model = view.model

    def set_events(is_shown: bool) -> None:
        model.shows_events = is_shown

    options = (
        ("Fit values to the data", model.is_autoscaled, model.set_autoscaled),
        ("Normalise curves", model.is_normalised, model.set_normalised),
        ("Show arming and modes", model.shows_events, set_events),
        ("Statistics of the visible range", view.shows_statistics, view.toggle_statistics),
    )
    for title, is_on, apply in options:
        action = menu.addAction(title)
        action.setCheckable(True)
        action.setChecked(is_on)
        action.toggled.connect(apply)
        action.toggled.connect(lambda _is_on: view.touch())
