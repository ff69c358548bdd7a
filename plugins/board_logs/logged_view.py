"""Logged view: when there is a log, presets, and the table over all objects, staged as settings."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget

from plugins.api import VehicleContext
from plugins.board_logs.choice_table import ChoiceTable
from plugins.board_logs.object_model import WIDEST, LoggedObjectModel
from plugins.board_logs.table_files import TableFiles
from telemetry.configuration.board_logs.log_duration import duration_of, duration_text
from telemetry.configuration.board_logs.log_presets import LOG_PRESETS, LogPreset
from telemetry.configuration.board_logs.log_table_file import LogTable
from telemetry.configuration.board_logs.logged_objects import (
    HAS_PERIOD,
    LOG_SETTINGS,
    LOG_STATUS,
    MODE_TITLES,
    WHEN_TITLES,
    LoggedObject,
    LoggedObjects,
    has_entry_log,
    slots_on_board,
)
from telemetry.protocol.objects.definition import UpdateMode
from widgets.change_detector import ChangeDetector
from widgets.choices import fill_choice, make_check, make_choice
from widgets.fitted_text import FittedText
from widgets.forms.spin_boxes import indent_text
from widgets.labels import set_look, set_text
from widgets.parts import make_button, make_column, make_label
from widgets.theme import Theme
from widgets.wheel_filter import wheel_needs_focus
from widgets.wrapped_row import WrappedRow

_PERIODS_MS = (1, 65535)
_USUAL_MS = 100
_CHOOSE = "Preset …"
_STAGED = "{} values are staged; they are sent when you apply them in Configure."
_AS_ON_BOARD = "As on board."
_NO_LOG = "This board keeps no log of its own."
_OTHERWISE = (
    "Logged as they are sent, periodically or throttled: {}. Firmware would log or send them "
    "without pause otherwise."
)
_DURATION_LINES = 3
_UNKNOWN = (None, None)
_NAMED = 5


class LoggedView(QWidget):
    """The part *What is logged*."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self._seen = ChangeDetector()
        self._objects: tuple[LoggedObject, ...] = ()
        titles = [(title, option) for option, title in WHEN_TITLES.items()]
        self.when = make_choice("When there is a log", titles, self._stage_when)
        presets = [(_CHOOSE, None), *((preset.title, preset) for preset in LOG_PRESETS)]
        self.preset = make_choice("Preset", presets, self._stage_preset)
        for row, preset in enumerate(LOG_PRESETS, start=1):
            self.preset.setItemData(row, preset.about, Qt.ItemDataRole.ToolTipRole)
        self.duration = FittedText()
        self.words = QLineEdit()
        self.words.setPlaceholderText("Filter")
        self.words.setAccessibleName("Filter by words")
        self.words.setClearButtonEnabled(True)
        self.only_logged = make_check("Only what is logged", lambda _is_on: self._show_rows())
        self.model = LoggedObjectModel(context.theme)
        self.table = ChoiceTable(self.model, "What is logged", WIDEST)
        self.mode = make_choice(
            "How the chosen objects are logged",
            [(title, mode) for mode, title in MODE_TITLES.items()],
            lambda _mode: self._offer(),
            chosen=UpdateMode.PERIODIC,
        )
        self.period = QSpinBox()
        indent_text(self.period)
        self.period.setRange(*_PERIODS_MS)
        self.period.setValue(_USUAL_MS)
        self.period.setSuffix("\u2009ms")
        self.period.setAccessibleName("Period")
        self.set_chosen = make_button("Set for chosen objects", self._set_chosen)
        self.files = TableFiles(context.jobs, self._take_table, context.show_message)
        self.load = make_button(
            "Load …", lambda: self.files.ask_to_load(self), tip="Stage what a file says is logged."
        )
        self.save = make_button(
            "Save …",
            lambda: self.files.ask_to_save(self, self.table_now()),
            tip="Keep this table in a file, which stations of this family read.",
        )
        self.staged = FittedText()
        set_look(self.staged, "tone", "muted")
        self._lay_out()

    def refresh(self) -> None:
        """Follow the aircraft and what is staged."""
        self.files.poll()
        logged = self._logged
        settings, recording = logged.settings, self._context.recording
        aircraft = settings.aircraft
        stamp = (
            *(settings.version, settings.refusal, aircraft.is_log, len(recording.tracks())),
            *(aircraft.stamp(LOG_SETTINGS), aircraft.stamp(LOG_STATUS)),
            *(self._context.timeline.t if aircraft.is_log else 0, int(recording.last_s / 5)),
        )
        if self._seen.has_changed(self._context.vehicle, stamp):
            self._objects = logged.objects()
            titles = [(title, option) for option, title in WHEN_TITLES.items()]
            fill_choice(self.when, titles, logged.when)
            self._show_duration(logged)
            self._show_rows()
            count = logged.staged_count()
            set_text(self.staged, settings.refusal or _staged_words(count))
            self._offer()

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours and sizes."""
        self.model.apply_theme(theme)
        self.table.fit_columns(theme)
        self.duration.keep_lines(_DURATION_LINES, theme)
        self.staged.keep_lines(1, theme)

    @property
    def _logged(self) -> LoggedObjects:
        return LoggedObjects(self._context.vehicle)

    def _lay_out(self) -> None:
        wheel_needs_focus(self.when, self.preset, self.mode, self.period)
        self.words.textChanged.connect(lambda _text: self._show_rows())
        self.table.selectionModel().selectionChanged.connect(lambda _is, _was: self._offer())
        when = make_label("There is a log")
        above = WrappedRow(when, self.when, self.preset, self.only_logged, self.words)
        below = WrappedRow(self.mode, self.period, self.set_chosen, self.load, self.save)
        parts = (above, self.duration, (self.table, 1), below, self.staged)
        self.setLayout(make_column(*parts, margins=(0, 8, 0, 0), spacing=6))

    def _show_duration(self, logged: LoggedObjects) -> None:
        used, free = slots_on_board(logged.settings) or _UNKNOWN
        all_slots = None if used is None or free is None else used + free
        lasts = duration_of(self._objects, free, all_slots)
        text = duration_text(lasts, logged.when) if has_entry_log(logged.settings) else _NO_LOG
        set_text(self.duration, text)

    def _show_rows(self) -> None:
        words = self.words.text().casefold().split()
        self.model.show_objects(
            [
                one
                for one in self._objects
                if all(word in one.name.casefold() for word in words)
                and (one.entries_per_s != 0.0 or not self.only_logged.isChecked())
            ]
        )
        self._offer()

    def _offer(self) -> None:
        logged = self._logged
        can_write = not logged.settings.refusal and has_entry_log(logged.settings)
        self.when.setEnabled(can_write)
        self.preset.setEnabled(can_write)
        self.load.setEnabled(can_write)
        self.save.setEnabled(bool(self._objects))
        self.period.setEnabled(self.mode.currentData() in HAS_PERIOD)
        self.set_chosen.setEnabled(can_write and bool(self.table.chosen))

    def _stage_when(self, option: str) -> None:
        self._logged.stage_when(option)
        self.refresh()

    def _stage_preset(self, preset: LogPreset | None) -> None:
        self.preset.setCurrentIndex(0)
        if preset is not None:
            self._logged.stage_preset(preset)
            self.refresh()

    def _set_chosen(self) -> None:
        names = [one.name for one in self.table.chosen]
        others = self._logged.stage(names, self.mode.currentData(), self.period.value())
        if others:
            self._context.show_message(_OTHERWISE.format(", ".join(others[:_NAMED])))
        self.refresh()

    def table_now(self) -> LogTable:
        """What is shown, as a table."""
        return LogTable(self._logged.when, {one.name: one.policy for one in self._objects})

    def _take_table(self, table: LogTable) -> str:
        absent = self._logged.stage_table(table.when, table.policies)
        self.refresh()
        if not absent:
            return "Staged what the file says is logged."
        more = " …" if len(absent) > _NAMED else ""
        lacking = f"{', '.join(absent[:_NAMED])}{more}"
        return f"Staged what the file says is logged; this aircraft lacks {lacking}."


def _staged_words(count: int) -> str:
    return _STAGED.format(count) if count else _AS_ON_BOARD
