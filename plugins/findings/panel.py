"""Findings panel: events, findings and markers, filtered, gone to, marked and edited."""

from PySide6.QtCore import QItemSelection
from PySide6.QtWidgets import QLineEdit, QWidget

from plugins.api import Json, VehicleContext
from plugins.findings.list_view import FindingView
from plugins.findings.rows import MARKER, FindingRow, RowFilter, make_rows
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.recording.timeline import LEAST_SELECTION_S
from telemetry.review.analysis.findings.search import finding_kinds
from telemetry.review.flights.findings_search import findings_search_of
from telemetry.review.flights.marker import with_words
from telemetry.review.flights.marker_editing import marking_of
from widgets.change_detector import ChangeDetector
from widgets.choices import make_check, make_choice
from widgets.labels import set_text
from widgets.parts import make_column, make_label
from widgets.wrapped_row import WrappedRow

_LEVELS = (("All levels", Level.UNKNOWN), ("Warnings", Level.WARNING), ("Errors", Level.ERROR))
_ALL_KINDS = "All kinds"
_EVENT_KINDS = (
    "Failsafe",
    "Link",
    "Device",
    "Setting",
    "Sticks",
    "Window",
    "Recording",
    "Warning",
)


class FindingsPanel(QWidget):
    """The panel "findings.list"."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._read = ChangeDetector()
        self.words = QLineEdit()
        self.words.setPlaceholderText("Filter")
        self.words.setAccessibleName("Filter by words")
        self.words.setClearButtonEnabled(True)
        self.level = make_choice("Least level", [title for title, _ in _LEVELS])
        titles = dict.fromkeys(kind.title for kind in finding_kinds())
        self.kind = make_choice("Kind", [_ALL_KINDS, MARKER, *titles, *_EVENT_KINDS])
        tip = "Also each change of an alarm, which a finding sums up"
        self.every_event = make_check("Every event", tip=tip)
        self.view = FindingView(context.theme)
        self.remedy = make_label(tone="muted", wraps=True)
        row = WrappedRow(self.level, self.kind, self.every_event)
        parts = (self.words, row, (self.view, 1), self.remedy)
        self.setLayout(make_column(*parts, margins=8, spacing=4))
        self.setFocusProxy(self.view)
        self._connect()
        self._show_remedy()

    def refresh(self, t: float) -> None:
        """Show what there is up to now, as seen at `t`."""
        vehicle = self._context.vehicle
        recording, flight = vehicle.recording, self._context.flight
        search = findings_search_of(vehicle)
        search.poll(recording, self._context.jobs, monotonic_s())
        changes = configuration_of(vehicle).changes.events
        state = (recording, recording.events(), search.findings, flight.markers, changes)
        if not self._read.has_changed(*state, search.is_done, self.wanted_rows, t):
            return
        wanted = self.wanted_rows
        events = (*recording.events(), *changes)
        rows = make_rows(search.findings, events, flight.markers, wanted.has_every_event)
        self.view.show_rows([row for row in rows if wanted.wants(row)], t)
        if not search.is_done:
            self.remedy.setText("Looking through the recording…")
        else:
            self._show_remedy()

    @property
    def wanted_rows(self) -> RowFilter:
        """Which rows the filter lets through."""
        kind = self.kind.currentText() if self.kind.currentIndex() > 0 else ""
        level = _LEVELS[max(0, self.level.currentIndex())][1]
        return RowFilter(level, kind, self.words.text(), self.every_event.isChecked())

    def save_state(self) -> Json:
        """The filter."""
        wanted = self.wanted_rows
        return {
            "level": int(wanted.level),
            "kind": wanted.kind,
            "words": wanted.words,
            "every_event": wanted.has_every_event,
        }

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        levels = [int(level) for _, level in _LEVELS]
        level = state.get("level")
        self.level.setCurrentIndex(levels.index(level) if level in levels else 0)
        self.kind.setCurrentIndex(max(0, self.kind.findText(str(state.get("kind", "")))))
        self.words.setText(str(state.get("words", "")))
        self.every_event.setChecked(state.get("every_event") is True)

    def start_search(self) -> None:
        """Go to the words of the filter."""
        self.words.setFocus()
        self.words.selectAll()

    def _connect(self) -> None:
        self.view.wanted.connect(self._go)
        self.view.deletion_wanted.connect(self._delete)
        self.view.undo_wanted.connect(self._undo)
        self.view.findings.edited.connect(self._edit)
        self.view.selectionModel().selectionChanged.connect(self._show_remedy)
        again = self._refresh_now
        self.words.textChanged.connect(lambda _text: again())
        for box in (self.level, self.kind):
            box.currentIndexChanged.connect(lambda _index: again())
        self.every_event.toggled.connect(lambda _is_on: again())

    def _refresh_now(self) -> None:
        self.refresh(self._context.timeline.t)

    def _show_remedy(
        self, _selected: QItemSelection | None = None, _before: QItemSelection | None = None
    ) -> None:
        """All of the row that is chosen with what to do about it, or that there is nothing."""
        rows = self.view.chosen_rows()
        text = f"{rows[-1].text}. {rows[-1].remedy}" if rows else ""
        if not self.view.findings.rows:
            text = "Nothing of that kind in this flight."
        set_text(self.remedy, text)

    def _go(self, row: FindingRow, chooses_stretch: bool) -> None:
        timeline = self._context.timeline
        if chooses_stretch:
            start, end = (row.t, row.end_s) if row.end_s > row.t else (timeline.t, row.t)
            if abs(end - start) >= LEAST_SELECTION_S:
                timeline.select(start, end)
        timeline.seek(row.t)

    def _edit(self, row: FindingRow, words: str) -> None:
        if row.marker is not None:
            changed = with_words(row.marker, words)
            marking_of(self._context.vehicle).change(row.marker, changed)
            self._refresh_now()

    def _delete(self, rows: list[FindingRow]) -> None:
        markers = [row.marker for row in rows if row.marker is not None]
        if markers:
            marking_of(self._context.vehicle).delete(markers)
            self._refresh_now()
        else:
            self._context.show_message("Only markers can be deleted.")

    def _undo(self, is_undo: bool) -> None:
        marking = marking_of(self._context.vehicle)
        if not (marking.undo() if is_undo else marking.redo()):
            self._context.show_message(f"No marker to {'undo' if is_undo else 'redo'}.")
        self._refresh_now()
