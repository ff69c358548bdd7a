"""Warnings panel: which rules there are, how they stand, trying them out, editing them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.warnings.rule_form import RuleForm
from plugins.warnings.rule_rows import RuleTable, make_rows
from telemetry.base.statement import Statement
from telemetry.base.text_formats import FormatError
from telemetry.review.analysis.field_paths import list_fields
from telemetry.warnings.centre import aircraft_key, warning_centre_of
from telemetry.warnings.rule import RuleComparison, WarningRule
from telemetry.warnings.rule_file import read_rules, write_rules
from telemetry.warnings.speech_worker import NO_VOICE
from telemetry.warnings.station_values import STATION_VALUES
from widgets.choices import make_check
from widgets.dialogs import ask_for_file, ask_where_to_save
from widgets.parts import make_button, make_column
from widgets.state_label import StateLabel
from widgets.wrapped_row import WrappedRow

_FILTER = "Warnings (*.json)"
_NEW = WarningRule(
    "", "New warning", "height_m", RuleComparison.ABOVE, "{value} above home", than=50.0
)


class WarningsPanel(QWidget):
    """The panel "warnings.rules"."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._centre = warning_centre_of(context.fleet)
        self.table = RuleTable(context.theme)
        self.form = RuleForm()
        self.form.hide()
        self.muted = make_check("Mute")
        self.replay = make_check("Also in replay", tip="Watch a flight from a file while it plays")
        self.voice = StateLabel()
        self._try = make_button("Try out", self.try_out)
        self._edit = make_button("Edit", self.edit)
        self._remove = make_button("Delete", self.remove)
        self._build()

    def refresh(self, _t: float) -> None:
        """Show how the rules stand now."""
        self.table.rules.show_rows(make_rows(self._centre, self._context.vehicle))
        self.muted.setChecked(self._centre.is_muted)
        self.replay.setChecked(self._centre.watches_replay)
        name = self._centre.speaker.voice_name
        words = "No voice on this computer: tones" if name == NO_VOICE else f"Voice: {name}"
        self.voice.state(Statement(words) if name else None)
        self._show_buttons()

    def try_out(self) -> None:
        """Say what the chosen rule would say."""
        rule = self.table.chosen_rule
        if rule is not None:
            said = self._centre.try_out(rule, self._context.vehicle)
            self._context.show_message(f"Says: {said}")

    def edit(self) -> None:
        """Open the form with the chosen rule."""
        rule = self.table.chosen_rule
        if rule is not None:
            self._open_form(rule)

    def add(self) -> None:
        """Open the form with a new rule."""
        self._open_form(replace(_NEW, id=self._centre.book.free_id()))

    def remove(self) -> None:
        """Delete the chosen rule of the user's; a shipped one comes back as it was."""
        rule = self.table.chosen_rule
        if rule is not None and self._centre.book.is_own(rule.id):
            self._centre.book.take_away(rule.id)
            self._tell_problem()
            self.form.hide()
            self.refresh(0.0)

    def import_from(self, path: Path) -> None:
        """Take over the rules of a file; those with an id that is there take its place."""
        try:
            rules = read_rules(path)
        except (OSError, FormatError) as error:
            self._context.show_message(f"{path.name} was not imported: {error}.")
            return
        if self._centre.book.put(*rules):
            self._context.show_message(f"{len(rules)} rules imported from {path.name}.")
        self._tell_problem()
        self.refresh(0.0)

    def export_to(self, path: Path) -> None:
        """Write the rules of the user's to a file; all there are, if there are none of those."""
        rules: Sequence[WarningRule] = self._centre.book.own or self._centre.book.rules
        try:
            write_rules(path, rules)
        except OSError as error:
            self._context.show_message(f"{path.name} was not written: {error.strerror or error}.")
            return
        self._context.show_message(f"{len(rules)} rules written to {path.name}.")

    def _build(self) -> None:
        top = WrappedRow(self.muted, self.replay, self.voice, spacing=12)
        files = (make_button("Import…", self._ask_import), make_button("Export…", self._ask_export))
        add = make_button("Add", self.add)
        buttons = WrappedRow(self._try, self._edit, add, self._remove, *files)
        column = make_column(top, (self.table, 2), buttons, (self.form, 3), margins=8, spacing=8)
        self.setLayout(column)
        self.setFocusProxy(self.table)
        self.muted.toggled.connect(self._centre.mute)
        self.replay.toggled.connect(self._watch_replay)
        self.table.rules.switched.connect(self._switch)
        self.table.chosen.connect(lambda _rule_id: self._show_buttons())
        self.table.doubleClicked.connect(lambda _index: self.edit())
        self.form.saved.connect(self._save)
        self.form.given_up.connect(self.form.hide)
        self._show_buttons()

    def _show_buttons(self) -> None:
        rule, book = self.table.chosen_rule, self._centre.book
        for button in (self._try, self._edit):
            button.setEnabled(rule is not None)
        self._remove.setEnabled(rule is not None and book.is_own(rule.id))
        is_shipped = rule is not None and book.is_shipped(rule.id)
        self._remove.setText("As shipped" if is_shipped else "Delete")

    def _open_form(self, rule: WarningRule) -> None:
        recording = self._context.recording
        fields = [entry.path for entry in list_fields(recording)] if recording is not None else []
        aircraft = aircraft_key(recording) if recording is not None else ""
        self.form.show_rule(rule, aircraft, [*STATION_VALUES, *fields])
        self.form.show()
        self.form.title.setFocus()

    def _save(self, rule: WarningRule) -> None:
        rule = self._centre.book.put_edited(rule)
        self._tell_problem()
        self.form.hide()
        self.refresh(0.0)
        self.table.choose(rule.id)

    def _switch(self, rule_id: str, is_on: bool) -> None:
        rule = next(rule for rule in self._centre.book.rules if rule.id == rule_id)
        self._centre.book.put(replace(rule, is_on=is_on))
        self._tell_problem()
        self.refresh(0.0)

    def _watch_replay(self, is_on: bool) -> None:
        self._centre.watches_replay = is_on

    def _tell_problem(self) -> None:
        if self._centre.book.problem:
            self._context.show_message(self._centre.book.problem)

    def _ask_import(self) -> None:
        ask_for_file(self, "Import warnings", _FILTER, self.import_from)

    def _ask_export(self) -> None:
        ask_where_to_save(self, "Export warnings", _FILTER, ".json", self.export_to)
