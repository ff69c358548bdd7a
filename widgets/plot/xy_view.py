"""XY plot view: one field or expression over another, for the time of the plots beside it."""

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from telemetry.recording.recording import Recording
from telemetry.review.analysis.field_paths import list_fields
from widgets.change_detector import ChangeDetector
from widgets.claimed_keys import claims_key
from widgets.drop_filter import DropFilter
from widgets.parts import STRETCH, make_column, make_row
from widgets.plot.drops import dropped_paths
from widgets.plot.expression_entry import judge
from widgets.plot.fields import name_end, short_labels
from widgets.plot.peaks import Floats
from widgets.plot.picker import FieldPicker
from widgets.plot.readers import is_expression
from widgets.plot.time_view import Moment, TimeView
from widgets.plot.window import LEAST_SPANS, Span, fit_values
from widgets.plot.xy_canvas import XyCanvas, XyPicture
from widgets.plot.xy_data import XyPoints, XySource
from widgets.plot.zoom_history import ZoomHistory
from widgets.theme import Theme

ROLES = ("x", "y", "color")
_LONGEST_LABEL = 16
_TITLES = {"x": "Across", "y": "Up", "color": "Colour"}


class XyView(QWidget):
    """Shows `paths["y"]` over `paths["x"]`, coloured by `paths["color"]` if that is not empty."""

    message = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.paths = dict.fromkeys(ROLES, "")
        self.time = TimeView()
        self.is_fitted = True
        self._recording: Recording | None = None
        self._source: XySource | None = None
        self._seen = ChangeDetector()
        self._said = ""
        self._points: XyPoints | None = None
        self._history = ZoomHistory()
        self._picker: FieldPicker | None = None
        self._asked = "x"
        self.canvas = XyCanvas(theme)
        self._buttons = {role: QToolButton() for role in ROLES}
        for role, button in self._buttons.items():
            button.setAutoRaise(True)
            button.clicked.connect(partial(self.open_picker, role))
        row = make_row(*self._buttons.values(), STRETCH, margins=(4, 2, 4, 0), spacing=2)
        self.setLayout(make_column(row, (self.canvas, 1), spacing=0))
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # it is this one's
        self.canvas.panned.connect(self._pan)
        self.canvas.pan_begun.connect(self._remember)
        self.canvas.zoomed.connect(self._zoom)
        self.canvas.double_clicked.connect(self.fit)
        self.setFocusProxy(self.canvas)
        DropFilter(self, lambda drag: dropped_paths(drag, self._recording), self._take_fields)
        self.setAccessibleName("XY plot")
        self._name_buttons()

    def show_moment(self, recording: Recording | None, moment: Moment) -> None:
        """Show the stretch of time that linked plots show, and the cursor in it."""
        if recording is not self._recording:
            self._recording, self._source = recording, None
        if recording is None:
            self.canvas.show_picture(XyPicture(Span(0.0, 1.0), Span(0.0, 1.0)))
            return
        if self._source is None and self.paths["x"] and self.paths["y"]:
            self._source = XySource(recording, *(self.paths[role] for role in ROLES))
        self.time.attach(recording)
        span = self.time.follow(moment)
        counts: tuple[int, ...] = ()
        if self._source is not None:
            self._source.update()
            counts = self._source.counts
        is_new = self._seen.has_changed(span, self._source, counts, self._theme)
        if is_new:
            self._points = self._source.points(span) if self._source is not None else None
            self._tell_problem()
        mark = self._points.at(moment.t) if self._points is not None else None
        if is_new or mark != self.canvas.picture.mark:
            self._show(mark)

    def _tell_problem(self) -> None:
        problem = self._source.problem if self._source is not None else ""
        if problem and problem != self._said:
            self.message.emit(problem)
        self._said = problem

    def _show(self, mark: tuple[float, float] | None) -> None:
        before, names = self.canvas.picture, self._names()
        x, y = before.x, before.y
        if self.is_fitted and self._points is not None:
            units = self._source.units if self._source is not None else ("", "")
            x, y = (
                _fitted(values, shown, unit)
                for values, shown, unit in zip(
                    (self._points.x, self._points.y), (x, y), units, strict=False
                )
            )
            if units[0] and units[0] == units[1]:
                x, y = self._with_one_scale(x, y)
        self.canvas.show_picture(XyPicture(x, y, self._points, mark, names))

    def _with_one_scale(self, x: Span, y: Span) -> tuple[Span, Span]:
        """A metre is as long up as across."""
        area = self.canvas.area
        per_px = max(x.length / max(1.0, area.width()), y.length / max(1.0, area.height()))
        return _widened(x, per_px * area.width()), _widened(y, per_px * area.height())

    def _names(self) -> tuple[str, str, str]:
        """Of x, y and the colour, with their units."""
        units = dict(zip(ROLES, self._source.units, strict=False)) if self._source else {}
        told = []
        for role in ROLES:
            label = self._label(role) if self.paths[role] else ""
            told.append(f"{label} in {units[role]}" if label and units.get(role) else label)
        x, y, color = told
        return x, y, color

    def _label(self, role: str) -> str:
        """What a field is called, without the name of its object; "none" for no field."""
        _, (label,) = short_labels([self.paths[role]])
        return label or self.paths[role] or "none"

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self._theme = theme

    # What is shown

    def set_path(self, role: str, path: str) -> None:
        """Show a field or expression, "" for none, across, up, or by colour."""
        self.paths[role] = path
        self._source = None
        self.is_fitted = True
        self._name_buttons()

    def open_picker(self, role: str, _is_checked: bool = False) -> None:
        """Have a field or expression chosen."""
        self._asked = role
        if self._picker is None:
            self._picker = FieldPicker(self, lambda text: judge(text, self._recording))
            self._picker.picked.connect(self._pick)
            self._picker.entered.connect(lambda path, _old: self._pick(path))
        entries = list_fields(self._recording) if self._recording else []
        button, path = self._buttons[role], self.paths[role]
        corner = button.mapToGlobal(QPoint(0, button.height()))
        text = path if is_expression(path) else ""
        self._picker.open_at(corner, entries, frozenset({path}), text)

    def _pick(self, path: str) -> None:
        self.set_path(self._asked, "" if path == self.paths[self._asked] else path)
        if self._picker is not None:
            self._picker.close()

    def _name_buttons(self) -> None:
        for role, button in self._buttons.items():
            button.setText(f"{_TITLES[role]}: {name_end(self._label(role), _LONGEST_LABEL)}")
            button.setToolTip(f"{_TITLES[role]}: {self.paths[role] or 'none'}")

    def takes_field(self, path: str) -> bool:
        """Whether the field at `path` can be shown here."""
        return self._recording is not None

    def take_field(self, path: str) -> None:
        """Show a field where the first is missing, else by colour."""
        role = next((role for role in ROLES if not self.paths[role]), "color")
        self.set_path(role, path)

    def _take_fields(self, paths: list[str]) -> None:
        for path in paths:
            self.take_field(path)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Say what can be done here."""
        menu = QMenu(self)
        for role in ROLES:
            menu.addAction(f"{_TITLES[role]}…", partial(self.open_picker, role))
        if self.paths["color"]:
            menu.addAction("No colour", partial(self.set_path, "color", ""))
        menu.addAction("Swap across and up", self.swap)
        menu.addAction("Fit\t0", self.fit)
        menu.popup(event.globalPos())

    def swap(self) -> None:
        """Exchange the axes."""
        x, y = self.paths["x"], self.paths["y"]
        self.set_path("x", y)
        self.set_path("y", x)

    # Zoom

    def fit(self) -> None:
        """Show all that the stretch of time holds."""
        self._remember()
        self.is_fitted = True
        self._seen.forget()

    def _pan(self, across: float, up: float) -> None:
        picture = self.canvas.picture
        self._look_at(
            picture.x.moved(across * picture.x.length), picture.y.moved(up * picture.y.length)
        )

    def _zoom(self, factor: float, across: float, up: float) -> None:
        self._remember()
        x, y = self.canvas.picture.x, self.canvas.picture.y
        self._look_at(_zoomed(x, factor, across), _zoomed(y, factor, up))

    def _look_at(self, x: Span, y: Span) -> None:
        self.is_fitted = False
        picture = self.canvas.picture
        self.canvas.show_picture(XyPicture(x, y, picture.points, picture.mark, picture.names))

    def _remember(self) -> None:
        self._history.remember(self)

    def zoom_state(self) -> object:
        """What part is shown."""
        return self.is_fitted, self.canvas.picture.x, self.canvas.picture.y

    def restore_zoom(self, state: Any) -> None:
        """Show what `zoom_state` returned."""
        is_fitted, x, y = state
        self._look_at(x, y)
        self.is_fitted = is_fitted
        self._seen.forget()

    def event(self, event: QEvent) -> bool:
        """Take Ctrl+Z from whoever else has it, while there is a zoom to take back."""
        return claims_key(event, self._step_of) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """0 fits, Ctrl+Z takes a zoom back."""
        step = self._step_of(event)
        if step is not None:
            step()
        elif event.text() == "0":
            self.fit()
        else:
            super().keyPressEvent(event)

    def _step_of(self, event: QKeyEvent) -> Any:
        history = self._history
        if event.matches(QKeySequence.StandardKey.Undo) and history.can_undo:
            return history.undo
        if event.matches(QKeySequence.StandardKey.Redo) and history.can_redo:
            return history.redo
        return None


def _fitted(values: Floats, shown: Span, unit: str) -> Span:
    known = values[np.isfinite(values)]
    if not len(known):
        return shown
    return fit_values(shown, float(known.min()), float(known.max()), LEAST_SPANS.get(unit, 0.0))


def _widened(span: Span, length: float) -> Span:
    middle = (span.start + span.stop) / 2
    return Span(middle - length / 2, middle + length / 2)


def _zoomed(span: Span, factor: float, share: float) -> Span:
    start = span.start + share * (1.0 - factor) * span.length
    return Span(start, start + factor * span.length)
