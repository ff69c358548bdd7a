"""Spectrum panel: fields, what is shown of them, the chart, and what it was made of."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from plugins.api import Json, VehicleContext
from plugins.spectrum.latest_job import LatestJob
from plugins.spectrum.spectrum_job import SpectrumMode, SpectrumRequest, SpectrumResult, work_out
from plugins.spectrum.spectrum_picture import WORKING, lacks_rate, picture_of, words_of
from telemetry.review.analysis.field_paths import list_fields
from widgets.choices import make_check, make_choice
from widgets.drop_filter import DropFilter
from widgets.parts import STRETCH, make_column, make_label, make_row, make_scrolled
from widgets.plot.drops import dropped_paths
from widgets.plot.expression_entry import judge
from widgets.plot.fields import short_labels
from widgets.plot.picker import FieldPicker
from widgets.plot.readers import is_expression
from widgets.settings.rate_offer import RateOffer
from widgets.spectrum.canvas import SpectrumCanvas

_WINDOWS_S = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
_MOST_PATHS = 6
_WORDS_SHARE = 0.2
_AROUND = (8, 2, 8, 4)


class SpectrumPanel(QWidget):
    """The panel "spectrum.spectrum". `paths` are the fields and expressions shown."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self.paths: tuple[str, ...] = ()
        self.result: SpectrumResult | None = None
        self._job: LatestJob[SpectrumResult] = LatestJob(context.jobs)
        self._picker: FieldPicker | None = None
        self.field = QToolButton()
        self.field.setAutoRaise(True)
        self.field.clicked.connect(self.open_picker)
        self.mode = make_choice("What is shown", [(mode.value, mode) for mode in SpectrumMode])
        windows: list[tuple[str, float | None]] = [("Automatic window", None)]
        windows += [(f"Windows of {window_s:g} s", window_s) for window_s in _WINDOWS_S]
        tip = "Long windows tell frequencies apart, short ones times."
        self.window_length = make_choice("Length of the windows", windows, tip=tip)
        self.log = make_check("Log", tip="Frequencies on a logarithmic scale.")
        self.canvas = SpectrumCanvas(context.theme)
        self.words = make_label(tone="muted", wraps=True)
        self.words.setMinimumWidth(100)
        row = make_row(
            *(self.field, self.mode, self.window_length, self.log, STRETCH),
            margins=(4, 2, 4, 2),
            spacing=4,
        )
        below = QWidget()
        below.setLayout(make_row((self.words, 1), margins=_AROUND))
        self._below = make_scrolled(below, keeps_width=True)
        below.setAutoFillBackground(False)
        self.rates = RateOffer()
        offer = make_row((self.rates, 1), margins=(8, 0, 8, 0))
        self.setLayout(make_column(row, (self.canvas, 1), offer, self._below, spacing=0))
        self.log.toggled.connect(lambda _is_on: self._show())
        self.canvas.seek_wanted.connect(self._seek)
        self.setFocusProxy(self.canvas)
        DropFilter(self, lambda drag: dropped_paths(drag, context.recording), self._show_fields)
        self._name_button()
        self._show()
        if context.settings:
            self.restore_state(context.settings)

    def refresh(self, t: float) -> None:
        """Take over what a job has worked out; start the next when something else is wanted."""
        found = self._job.finished()
        if found is not None:
            self.result = found
            self._show()
        lacks = self.result is not None and lacks_rate(self.result)
        self.rates.refresh(self._context.configuration, lacks_rate=lacks)
        self._ask()
        self.canvas.show_time(t)

    def _ask(self) -> None:
        recording = self._context.recording
        request = SpectrumRequest(
            self.paths,
            self.mode.currentData(),
            self.window_length.currentData(),
            self._context.timeline.selection,
        )
        self._job.want(
            (recording, request), recording.version, lambda: work_out(recording, request)
        )

    def _show(self) -> None:
        is_working = self.result is None and self.paths
        picture = WORKING if is_working else picture_of(self.result, is_log=self.log.isChecked())
        self.canvas.show_picture(picture)
        has_any = self.result is not None and bool(self.result.spectra)
        self.words.setText(words_of(self.result) if self.result and has_any else "")
        self._fit_words()

    def _fit_words(self) -> None:
        """The picture keeps most of the height, however much there is to say of it."""
        left, top, right, bottom = _AROUND
        needed_px = self.words.heightForWidth(self.width() - left - right) + top + bottom
        self._below.setVisible(bool(self.words.text()))
        self._below.setFixedHeight(min(needed_px, round(_WORDS_SHARE * self.height())))

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Words take other lines."""
        self._fit_words()

    def _seek(self, t: float) -> None:
        self._context.timeline.seek(t)
        self._context.wake()

    # Fields

    def set_paths(self, paths: tuple[str, ...]) -> None:
        """Show these fields and expressions."""
        self.paths = tuple(dict.fromkeys(paths))[:_MOST_PATHS]
        self._name_button()
        self._show()
        if self._picker is not None:
            self._picker.set_plotted(frozenset(self.paths))

    def takes_field(self, path: str) -> bool:
        """Whether the field at `path` can be shown here."""
        return True

    def take_field(self, path: str) -> None:
        """Show the field at `path` as well; in a map, instead."""
        is_power = self.mode.currentData() is SpectrumMode.POWER
        self.set_paths((*self.paths, path) if is_power else (path,))

    def open_picker(self) -> None:
        """Have fields or an expression chosen."""
        if self._picker is None:
            self._picker = FieldPicker(self, lambda text: judge(text, self._context.recording))
            self._picker.picked.connect(self._pick)
            self._picker.entered.connect(self._enter)
        entries = list_fields(self._context.recording)
        corner = self.field.mapToGlobal(QPoint(0, self.field.height()))
        text = next((path for path in self.paths if is_expression(path)), "")
        self._picker.open_at(corner, entries, frozenset(self.paths), text)

    def _pick(self, path: str) -> None:
        if path in self.paths:
            self.set_paths(tuple(other for other in self.paths if other != path))
        else:
            self.take_field(path)

    def _enter(self, path: str, old: str) -> None:
        """An expression in the place of the one it was made of, if any."""
        kept = tuple(path if other == old else other for other in self.paths)
        self.set_paths(kept if old in self.paths else (*kept, path))

    def _name_button(self) -> None:
        title, labels = short_labels(list(self.paths)) if self.paths else ("", [])
        named = f"{title} {', '.join(labels)}".strip()
        self.field.setText(f"Field: {named}" if len(named) <= 36 else f"Fields: {len(self.paths)}")
        if not self.paths:
            self.field.setText("Field…")
        self.field.setToolTip("\n".join(self.paths) or "Which field or expression is shown.")

    def _show_fields(self, paths: list[str]) -> None:
        self.set_paths(tuple(paths))

    # State

    def save_state(self) -> Json:
        """What is shown, and how."""
        return {
            "fields": list(self.paths),
            "mode": self.mode.currentData().name.lower(),
            "window_s": self.window_length.currentData(),
            "log": self.log.isChecked(),
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        paths = state.get("fields")
        if isinstance(paths, list):
            self.set_paths(tuple(path for path in paths if isinstance(path, str)))
        modes = {mode.name.lower(): mode for mode in SpectrumMode}
        mode = state.get("mode")
        if isinstance(mode, str) and mode in modes:
            self.mode.setCurrentIndex(self.mode.findData(modes[mode]))
        window_s = state.get("window_s")
        known = window_s in _WINDOWS_S if isinstance(window_s, int | float) else window_s is None
        if known:
            self.window_length.setCurrentIndex(self.window_length.findData(window_s))
        self.log.setChecked(state.get("log") is True)
