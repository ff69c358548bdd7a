"""Plot menus: everything that can be done with a plot."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu, QWidget

from widgets.choices import mark_chosen
from widgets.plot.model import PlotModel
from widgets.plot.preset_menu import PresetActions
from widgets.plot.readers import (
    EXPRESSION_MARK,
    is_difference,
    is_expression,
    path_in_log,
    split_path,
)
from widgets.plot.saving import PlotSaving
from widgets.plot.time_view import TimeView
from widgets.plot.zooming import Zooming


class PlotActions(Protocol):
    """What a plot lets its menu do."""

    model: PlotModel
    zooming: Zooming
    saving: PlotSaving
    preset_actions: PresetActions
    is_linked: bool
    moved_log: str

    @property
    def shows_statistics(self) -> bool:
        """Whether the table of statistics is open."""

    def toggle_path(self, path: str) -> None:
        """Plot a field, or plot it no longer."""

    def remove_path(self, path: str) -> None:
        """Plot a field no longer."""

    def clear(self) -> None:
        """Remove all curves."""

    def open_picker(self) -> None:
        """Open the list of fields."""

    def ask_expression(self, path: str = "") -> None:
        """Have an expression typed, or changed."""

    def plot_expression(self, path: str, replaced: str = "") -> None:
        """Plot what is computed."""

    def ask_style(self, path: str, at: QPoint) -> None:
        """Have a curve's colour, width, axis and scale set."""

    def compare(self, log: str) -> None:
        """Plot the same curves of another log, or no longer."""

    def subtract(self, log: str) -> None:
        """Plot how far another log is from the flight, or no longer."""

    def move_log(self, log: str) -> None:
        """Have dragging move another log in time."""

    def touch(self) -> None:
        """Paint anew."""

    def toggle_statistics(self, is_shown: bool) -> None:
        """Show or hide the table of statistics."""

    def link_time(self, is_linked: bool) -> None:
        """Share the time shown with the other plots, or not."""

    def measure_all(self) -> None:
        """Measure over the time shown."""


WINDOWS: tuple[tuple[str, float | None], ...] = (
    ("10 s", 10.0),
    ("30 s", 30.0),
    ("60 s", 60.0),
    ("5 min", 300.0),
    ("All", None),
)


ARMED = "Armed"
FLIGHT_MODE = "FlightStatus.FlightMode"


def window_title(time: TimeView) -> str:
    """The window in a word: its length, or that it was moved by hand."""
    if not time.is_following:
        return "Free"
    if time.has_focus and not time.is_window_chosen:
        return ARMED
    window_s = time.window_s
    for title, length_s in WINDOWS:
        if length_s == window_s:
            return title
    if window_s is None:
        return "All"
    return f"{window_s:.0f} s" if window_s >= 9.5 else f"{window_s:.1f} s"


def fill_window_menu(menu: QMenu, plot: PlotActions) -> None:
    """Offer the lengths of window, the present one ticked, and to share it."""
    menu.clear()
    time = plot.model.time
    if time.has_focus:
        armed = menu.addAction(ARMED, time.show_focus)
        mark_chosen(armed, time.is_following and not time.is_window_chosen)
    for title, length_s in WINDOWS:
        action = menu.addAction(title, partial(time.set_window, length_s))
        mark_chosen(action, time.is_following and time.window_s == length_s)
    menu.addSeparator()
    _add_option(menu, "Same time in all plots", plot.is_linked, plot.link_time)


def build_menu(parent: QWidget, plot: PlotActions, path: str) -> QMenu:
    """Make the menu for the plot, or for one curve of it; it deletes itself when closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    curves, paths = plot.model.curves, plot.model.paths
    if path:
        _add_for_curve(menu, plot, path)
    menu.addAction("Add fields…\tA", plot.open_picker)
    menu.addAction("Add an expression…", plot.ask_expression)
    if curves:
        if not path:
            remove = menu.addMenu("Remove")
            for plotted in paths:
                remove.addAction(plotted, partial(plot.remove_path, plotted))
        menu.addAction("Clear", plot.clear)
    if plot.preset_actions.presets is not None:
        plot.preset_actions.fill(menu.addMenu("Presets"))
    _add_comparing(menu, plot)
    menu.addSeparator()
    fill_window_menu(menu.addMenu("Time shown"), plot)
    menu.addAction("Fit\t0", plot.zooming.fit)
    undo = menu.addAction("Undo zoom\tCtrl+Z", plot.zooming.undo)
    undo.setEnabled(plot.model.time.history.can_undo)
    _add_measuring(menu, plot)
    _add_options(menu, plot)
    menu.addSeparator()
    menu.addAction("Copy image", plot.saving.copy_image)
    menu.addAction("Save image…", plot.saving.ask_image)
    export = menu.addAction("Export visible samples…", plot.saving.ask_csv)
    export.setEnabled(bool(curves))
    return menu


COMPUTED = (
    ("Change per second", "derivative({})"),
    ("Sum over time", "integral({})"),
    ("Low-pass of 5 Hz", "lowpass({}, 5)"),
    ("High-pass of 1 Hz", "highpass({}, 1)"),
    ("Mean of 1 s", "mean({}, 1)"),
    ("Median of 1 s", "median({}, 1)"),
    ("Size without sign", "abs({})"),
)
"""What is often computed from a curve, and the expression for it."""


def _add_for_curve(menu: QMenu, plot: PlotActions, path: str) -> None:
    """What can be done with one curve."""
    at = QCursor.pos()
    menu.addAction("Colour, width, axis, scale…", partial(plot.ask_style, path, at))
    what, log = split_path(path)
    if not is_difference(path):
        compute = menu.addMenu("Compute from it")
        for title, form in COMPUTED:
            text = f"{EXPRESSION_MARK}{form.format(what.removeprefix(EXPRESSION_MARK))}"
            compute.addAction(title, partial(plot.plot_expression, path_in_log(text, log)))
    if not log:
        title = "Edit expression…" if is_expression(path) else "Expression…"
        compute.addAction(title, partial(plot.ask_expression, path))
    menu.addAction(f"Remove {path}", partial(plot.remove_path, path))
    menu.addSeparator()


def _add_comparing(menu: QMenu, plot: PlotActions) -> None:
    """The flight's other logs: the same curves of them, and where they lie in time."""
    if not plot.model.others:
        return
    compare = menu.addMenu("Compare with")
    subtract = menu.addMenu("Difference from")
    plotted = {curve.log for curve in plot.model.curves}
    kinds = {(curve.log, curve.is_difference) for curve in plot.model.curves}
    for name in (other.name for other in plot.model.others):
        _add_option(compare, name, (name, False) in kinds, _ignoring(plot.compare, name))
        _add_option(subtract, name, (name, True) in kinds, _ignoring(plot.subtract, name))
    if plotted - {""}:
        move = menu.addMenu("Move in time by dragging")
        for log in sorted(plotted - {""}):
            action = _add_option(move, log, log == plot.moved_log, lambda _is_on: None)
            action.toggled.connect(lambda is_on, log=log: plot.move_log(log if is_on else ""))


def _ignoring(act: Callable[[str], None], name: str) -> Callable[[bool], None]:
    return lambda _is_on: act(name)


def _add_measuring(menu: QMenu, plot: PlotActions) -> None:
    if plot.model.time.measured is None:
        begin = menu.addAction("Measure\tShift+drag", plot.measure_all)
        begin.setEnabled(bool(plot.model.curves))
    else:
        menu.addAction("End measuring\tEsc", plot.model.time.stop_measuring)


def _add_options(menu: QMenu, plot: PlotActions) -> None:
    model = plot.model

    def set_events(is_shown: bool) -> None:
        model.shows_events = is_shown

    def toggle_mode(_is_shown: bool) -> None:
        plot.toggle_path(FLIGHT_MODE)

    options = (
        ("Show the flight mode below", FLIGHT_MODE in model.paths, toggle_mode),
        ("Fit values to the data", model.is_autoscaled, model.set_autoscaled),
        ("Normalise curves", model.is_normalised, model.set_normalised),
        ("Show arming and modes", model.shows_events, set_events),
        ("Statistics of the visible range", plot.shows_statistics, plot.toggle_statistics),
    )
    for title, is_on, apply in options:
        _add_option(menu, title, is_on, apply).toggled.connect(lambda _is_on: plot.touch())


def _add_option(menu: QMenu, title: str, is_on: bool, apply: Callable[[bool], None]) -> QAction:
    action = mark_chosen(menu.addAction(title), is_on)
    action.toggled.connect(apply)
    return action
