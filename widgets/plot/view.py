"""Plot view: curves, the legend above or beside them, a menu for everything else."""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QMenu,
    QToolButton,
    QWidget,
)

from telemetry.recording.recording import Recording
from telemetry.review.analysis.field_paths import list_fields
from widgets.change_detector import ChangeDetector
from widgets.claimed_keys import claims_key
from widgets.drop_filter import DropFilter
from widgets.parts import make_column, make_row
from widgets.plot.canvas import PlotCanvas
from widgets.plot.compose import color_of, compose_picture, compose_traces
from widgets.plot.curve import CurveStyle
from widgets.plot.curve_settings import CurveSettings
from widgets.plot.drops import dropped_paths
from widgets.plot.expression_entry import judge
from widgets.plot.fields import expand_paths, short_labels
from widgets.plot.legend import PlotLegend
from widgets.plot.menu import build_menu, fill_window_menu, window_title
from widgets.plot.model import OtherLog, PlotFrame, PlotModel
from widgets.plot.overlays import EmptyNotice, PlotTools, StatisticsTable
from widgets.plot.picker import FieldPicker
from widgets.plot.preset_menu import PresetActions
from widgets.plot.readers import EXPRESSION_MARK, is_expression
from widgets.plot.readout import cursor_entries, measured_entries
from widgets.plot.saving import PlotSaving
from widgets.plot.time_view import Moment, TimeView
from widgets.plot.window import Span
from widgets.plot.zooming import Zooming
from widgets.popup import open_popup
from widgets.theme import Theme

LEAST_SIZE_PX = (160, 80)
_STATISTICS_EVERY = 10
_LONGEST_STEP_S = 0.25
"""A live flight is shown anew at least so often, however much time a pixel stands for."""
_LEGEND_SHARE = 0.4
_MOST_ABOVE = 6
"""The legend of more curves stands beside them, where a plot is not narrow."""
_LEAST_BESIDE_PX = 420
_SMALL_PX = (340, 190)
"""Below one of these, width and height at a scale of 1, a plot is small: its buttons show under the
pointer, and the legend is one line."""


class PlotView(QWidget):
    """Plots fields of a recording over time.

    Give several views one `TimeView` (`share_time`), and they show the same time.
    `seek_wanted` asks to move the cursor; `seek_undone` says that the click before was half of
    a double click. `log_shifted` names another log that was dragged by so many seconds of the
    flight. `message` is one sentence for the status line.
    """

    seek_wanted = Signal(float)
    seek_undone = Signal()
    log_shifted = Signal(str, float)
    message = Signal(str)

    def __init__(self, theme: Theme, jobs: Executor) -> None:
        super().__init__()
        self._theme = theme
        self._recording: Recording | None = None
        self._ticks = 0
        self._is_dirty = True
        self._shown_s = 0.0
        self._shown = ChangeDetector()
        self._read = ChangeDetector()
        self._counted = ChangeDetector()
        self._has_statistics = False
        self.detail = 1.0
        """The share of the pixel columns that curves are drawn for."""
        self.model = PlotModel()
        self.model.has_bands = True
        self._own_time = self._shared_time = self.model.time
        self.is_linked = True
        self.saving = PlotSaving(self, self.model, jobs, self.message.emit)
        self.canvas = PlotCanvas(theme)
        self.zooming = Zooming(self.canvas, self.model, self.touch)
        self.preset_actions = PresetActions(
            self, self.model, self._curves_changed, self.message.emit
        )
        self.moved_log = self._held_log = ""
        self.legend = PlotLegend(theme)
        self._window_button = QToolButton()
        self._add_button = QToolButton()
        self._tools = PlotTools(theme, self._window_button, self._add_button)
        self._is_small = self._is_legend_beside = False
        self._notice = EmptyNotice(self.canvas, self.open_picker)
        self._statistics = StatisticsTable(self.canvas)
        self._picker: FieldPicker | None = None
        self._lay_out()
        self._connect()
        DropFilter(self, lambda drag: dropped_paths(drag, self._recording), self.add_paths)
        self.setAccessibleName("Plot")
        self.setFocusProxy(self.canvas)
        self.apply_theme(theme)

    # Showing

    def show_moment(self, recording: Recording | None, moment: Moment) -> None:
        """Show `recording` at the cursor; nothing is painted unless something has moved."""
        self.saving.take_outcome()
        self._ticks += 1
        if recording is not self._recording:
            self._recording = recording
            self.model.attach(recording)
            self._is_dirty = True
        self._agree_on_margins()
        self._refresh_statistics()
        if self._looks_the_same(moment):
            return
        self._shown_s = moment.t
        frame = self.model.frame(moment, round(self.canvas.columns * self.detail))
        self._notice.setVisible(not self.model.curves)
        self._window_button.setText(window_title(self.model.time))
        picture = compose_picture(frame, self.model, moment, self._theme)
        if frame.points is None and picture == self.canvas.picture and not self._is_dirty:
            return
        self._is_dirty = False
        self.canvas.show_picture(picture, compose_traces(frame, self._theme))
        self._show_legend(frame, moment)

    def _agree_on_margins(self) -> None:
        """Have an instant in one line in all plots that show the same time."""
        beside_px = self.width() - self.canvas.width()
        margins = self.model.time.share_margins(self, self.canvas.margins, self.width(), beside_px)
        if margins != self.canvas.kept_margins:
            self.canvas.keep_margins(margins)
            self.touch()

    def hideEvent(self, _event: QHideEvent) -> None:
        """Leave others the room that the axes took."""
        self.model.time.leave_margins(self)

    def _looks_the_same(self, moment: Moment) -> bool:
        """Whether nothing has moved, or a live flight by less than a pixel since it was shown."""
        model, time, span = self.model, self.model.time, self.model.span
        options = (
            self.detail,
            self.canvas.columns,
            model.values,
            model.is_normalised,
            model.shows_events,
            moment.markers,
            self.model.others,
        )
        window = (time, time.window_s, time.is_following, time.measured, moment.is_live)
        is_same = not self._shown.has_changed(self._recording, *options, *window)
        recording = self._recording
        flown = (recording.version, recording.events()) if recording is not None else None
        is_at_rest = not self._read.has_changed(moment, flown, span)
        if self._is_dirty or not is_same or not model.is_complete:
            return False
        if not (moment.is_live and time.is_following):
            return is_at_rest
        step_s = span.length / self.canvas.columns if span is not None else 0.0
        return 0.0 <= moment.t - self._shown_s < min(step_s, _LONGEST_STEP_S)

    def _show_legend(self, frame: PlotFrame, moment: Moment) -> None:
        curves, values = self.model.curves, frame.values
        if self.model.is_normalised:
            values = Span(-1000.0, 1000.0)
        measured = self.model.time.measured
        if measured is None:
            title, entries = cursor_entries(curves, self._theme, values, moment.t)
        else:
            title, entries = measured_entries(curves, self._theme, values, measured)
        self.legend.show_entries(title, entries)
        self._place_legend()

    def _refresh_statistics(self) -> None:
        """Have the table tell what is shown now, twice a second at most."""
        if not self.shows_statistics or (self._ticks % _STATISTICS_EVERY and self._has_statistics):
            return
        counts = tuple((curve.path, curve.is_shown, curve.count) for curve in self.model.curves)
        if self._counted.has_changed(self.model.span, counts, self._theme):
            self._show_statistics()

    def _show_statistics(self) -> None:
        span = self.model.span
        if span is None:
            return
        _, labels = short_labels(list(self.model.paths))
        self._has_statistics = any(curve.count > 0 for curve in self.model.curves)
        rows = [
            (label, color_of(curve, self._theme), curve.unit, curve.statistics(span))
            for label, curve in zip(labels, self.model.curves, strict=True)
            if curve.is_shown and not curve.is_enum
        ]
        self._statistics.show_rows(rows)

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme
        self._statistics.setFont(theme.font("small"))
        side = theme.target_px()
        self._add_button.setMaximumSize(side, side)
        self._window_button.setMaximumSize(round(side * 2.3), side)
        self._fit()
        self.update()
        self.model.units = theme.units
        self.model.build_anew()
        self.touch()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what lies behind the legend. A palette would not outlast a style sheet."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("plot_background"))

    def touch(self) -> None:
        """Paint anew with the next moment: curves or options have changed."""
        self._is_dirty = True

    # Time

    def share_time(self, time: TimeView) -> None:
        """Show the time that `time` says, as long as the plot is linked."""
        self._shared_time = time
        self.link_time(self.is_linked)

    def link_time(self, is_linked: bool) -> None:
        """Share the time shown with the other plots, or go on alone from there."""
        self.is_linked = is_linked
        self.model.time = self._shared_time if is_linked else self._own_time
        self.touch()

    def measure_all(self) -> None:
        """Measure over the time shown."""
        if self.model.span is not None:
            self.model.time.measure(self.model.span.start, self.model.span.stop)

    # Curves

    def add_paths(self, paths: Sequence[str]) -> None:
        """Plot fields."""
        for path in paths:
            self.model.add(path)
        self._curves_changed()

    def toggle_path(self, path: str) -> None:
        """Plot a field, or plot it no longer."""
        if not self.model.add(path):
            self.model.remove(path)
        self._curves_changed()

    def remove_path(self, path: str) -> None:
        """Plot a field no longer."""
        self.model.remove(path)
        self._curves_changed()

    def clear(self) -> None:
        """Remove all curves."""
        self.model.clear()
        self._curves_changed()

    def _curves_changed(self) -> None:
        self.touch()
        if self._picker is not None:
            self._picker.set_plotted(frozenset(self.model.paths))

    def open_picker(self) -> None:
        """Open the list of fields below the add button."""
        self._open_picker("", "")

    def ask_expression(self, path: str = "") -> None:
        """Have an expression typed: a new one, or in the place of a curve."""
        is_old = is_expression(path)
        text = path if is_old else f"{EXPRESSION_MARK}{path}"
        self._open_picker(text, path if is_old else "")

    def _open_picker(self, text: str, replaced: str) -> None:
        if self._picker is None:
            self._picker = FieldPicker(self, lambda text: judge(text, self._recording))
            self._picker.picked.connect(self.toggle_path)
            self._picker.entered.connect(self.plot_expression)
        entries = list_fields(self._recording) if self._recording else []
        corner = self._add_button.mapToGlobal(QPoint(0, self._add_button.height()))
        plotted = frozenset(self.model.paths)
        self._picker.open_at(corner, entries, plotted, text, replaced)

    def plot_expression(self, path: str, replaced: str = "") -> None:
        """Plot what is computed, in the place of another curve if one is named."""
        if replaced:
            self.model.replace(replaced, path)
        else:
            self.model.add(path)
        self._curves_changed()

    def ask_style(self, path: str, at: QPoint) -> None:
        """Have a curve's colour, width, axis and scale set, in a popup at a global position."""
        curve = self.model.curve(path)
        if curve is None:
            return
        settings = CurveSettings(self, curve, self._theme)
        settings.changed.connect(partial(self._set_style, path))
        open_popup(settings, at)

    def _set_style(self, path: str, series: int, style: CurveStyle) -> None:
        self.model.set_style(path, series, style)
        self.touch()

    # Other logs

    def show_others(self, others: tuple[OtherLog, ...]) -> None:
        """Have these logs at hand to compare with."""
        self.model.others = others

    def compare(self, log: str) -> None:
        """Plot the same curves of another log, or no longer."""
        self.model.compare(log)
        self._curves_changed()

    def subtract(self, log: str) -> None:
        """Plot how far another log is from the flight, or no longer."""
        self.model.subtract(log)
        self._curves_changed()

    def move_log(self, log: str) -> None:
        """Have dragging move another log in time until Esc; "" ends it."""
        self.moved_log = log
        self.canvas.shifts_logs = bool(log)
        if log:
            self.message.emit(f"Drag {log} to where it belongs; Esc ends.")

    def _begin_shift(self, t: float, value: float) -> None:
        """Take hold of the other log whose curve is nearest."""
        self._held_log = self.moved_log or self._log_near(t, value)

    def _log_near(self, t: float, height: float) -> str:
        drawn = [
            (abs(scale.height(at) - height), curve.log)
            for curve, scale in zip(self.model.shown, self.model.scales, strict=False)
            if curve.log and (at := curve.value_at(t)) is not None
        ]
        return (
            min(drawn)[1]
            if drawn
            else next((curve.log for curve in self.model.shown if curve.log), "")
        )

    def _shift_log(self, by_s: float) -> None:
        if self._held_log:
            self.log_shifted.emit(self._held_log, by_s)

    def toggle_statistics(self, is_shown: bool) -> None:
        """Show or hide the table of statistics over the visible range."""
        self._statistics.setVisible(is_shown)
        if is_shown:
            self._counted.forget()
            self._show_statistics()

    @property
    def shows_statistics(self) -> bool:
        """Whether the table is open."""
        return not self._statistics.isHidden()

    # Hands

    def takes_field(self, path: str) -> bool:
        """Whether the field at `path` is in the flight shown."""
        return self._recording is not None and bool(expand_paths(self._recording, path))

    def take_field(self, path: str) -> None:
        """Plot the field at `path`."""
        if self._recording is not None:
            self.add_paths(expand_paths(self._recording, path))

    def event(self, event: QEvent) -> bool:
        """Take Ctrl+Z from whoever else has it, while there is a zoom to take back."""
        return claims_key(event, self.zooming.wants) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A adds fields, 0 fits, + and - zoom, Ctrl+Z takes that back, Esc ends measuring."""
        if event.key() == Qt.Key.Key_A and not event.modifiers():
            self.open_picker()
        elif event.key() == Qt.Key.Key_Escape and self.moved_log:
            self.move_log("")
        elif event.key() == Qt.Key.Key_Escape and self.model.time.measured is not None:
            self.model.time.stop_measuring()
        elif not self.zooming.press(event, self.canvas.picture.cursor or 0.0):
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """A comfortable size in a fresh window."""
        return QSize(480, 260)

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Keep what lies over the curves in place, and most of the height for the curves."""
        self._fit()
        self.touch()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Have at hand what was put away."""
        super().enterEvent(event)
        if self._is_small:
            self._tools.lay_over(self)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._tools.setVisible(not self._is_small)

    # Inside

    def _lay_out(self) -> None:
        self._window_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._window_button.setToolTip("How much time is shown")
        menu = QMenu(self._window_button)
        menu.aboutToShow.connect(lambda: fill_window_menu(menu, self))
        self._window_button.setMenu(menu)
        self._add_button.setToolTip("Add fields (A)")
        self._add_button.setAccessibleName("Add fields")
        self._add_button.setText("+")
        for button in (self._window_button, self._add_button):
            button.setAutoRaise(True)
        self._header, self._side = make_row(spacing=2), make_column(spacing=0)
        below = make_row((self.canvas, 1), self._side, spacing=0)
        self.setLayout(make_column(self._header, (below, 1), spacing=0))
        self._seat_legend()
        self.setMinimumSize(*LEAST_SIZE_PX)

    def _fit(self) -> None:
        """Most of the height is for the curves."""
        width, height = (px * self._theme.scale for px in _SMALL_PX)
        is_small = self.width() < width or self.height() < height
        if is_small != self._is_small:
            self._is_small = is_small
            self.legend.take_one_line(is_small)
            self.canvas.is_narrow = is_small
            self._seat_legend()
        self.legend.limit_height(0 if is_small else round(_LEGEND_SHARE * self.height()))
        self.legend.limit_width(round(_LEGEND_SHARE * self.width()))
        self._place_legend()
        if is_small and self.underMouse():
            self._tools.lay_over(self)
        self._notice.place()

    def _place_legend(self) -> None:
        """Beside many curves, of which it would take most of the height; above a few."""
        is_wide = self.width() >= _LEAST_BESIDE_PX * self._theme.scale and not self._is_small
        is_beside = is_wide and len(self.model.curves) > _MOST_ABOVE
        if is_beside != self._is_legend_beside:
            self._is_legend_beside = is_beside
            self.legend.take_column(is_beside)
            self._seat_legend()

    def _seat_legend(self) -> None:
        """Legend and buttons in the place that they have now: small, the buttons have none, and lie
        over the plot when the pointer is there."""
        for part in (self.legend, self._tools):
            self._header.removeWidget(part)
            self._side.removeWidget(part)
        place = self._side if self._is_legend_beside else self._header
        place.addWidget(self.legend, 1)
        if not self._is_small:
            corner = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
            place.insertWidget(0 if self._is_legend_beside else 1, self._tools, 0, corner)
        self._tools.setVisible(not self._is_small)

    def _connect(self) -> None:
        self._add_button.clicked.connect(self.open_picker)
        self.legend.toggled.connect(self._toggle_curve)
        self.legend.menu_wanted.connect(self._open_menu)
        self.canvas.menu_wanted.connect(partial(self._open_menu, ""))
        self.canvas.seek_wanted.connect(self.seek_wanted)
        self.canvas.double_clicked.connect(self._double_click)
        self.canvas.measured.connect(self._measure)
        self.canvas.shift_begun.connect(self._begin_shift)
        self.canvas.shifted.connect(self._shift_log)

    def _open_menu(self, path: str, at: QPoint) -> None:
        build_menu(self, self, path).popup(at)

    def _toggle_curve(self, path: str) -> None:
        self.model.toggle(path)
        self.touch()

    def _measure(self, start: float, stop: float) -> None:
        self.model.time.measure(start, stop)

    def _double_click(self) -> None:
        self.seek_undone.emit()
        self.zooming.fit()
