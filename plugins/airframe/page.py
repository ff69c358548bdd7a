"""Airframe page: the aircraft drawn, its outputs and levels, its curves and its mixer."""

from PySide6.QtWidgets import QPushButton, QWidget

from plugins.airframe.assignment import Assignment
from plugins.airframe.curves import CurveControls
from plugins.airframe.levels import LevelControls
from plugins.airframe.mixer_table import MixerTable
from plugins.airframe.preview import Preview
from plugins.airframe.swash import SwashControls
from plugins.api import PageContext
from telemetry.base.finding import Level
from telemetry.configuration.airframe.airframe import CUSTOM, airframe_names
from telemetry.configuration.airframe.drawing import drawing_of
from telemetry.configuration.settings.airframe_draft import FRAME_FIELD, MIXER, AirframeDraft
from widgets.airframe_view import AirframeView
from widgets.collapsible import CollapsibleGroup
from widgets.frame_picker import FramePicker
from widgets.labels import show_text
from widgets.parts import (
    PAGE_MARGINS,
    STRETCH,
    make_button,
    make_column,
    make_grid,
    make_heading,
    make_label,
    make_row,
)
from widgets.settings.findings import FindingsView
from widgets.settings.form import ObjectForm, reveal

_SYSTEM = "SystemSettings"
_SYSTEM_FIELDS = ("VehicleName", "ThrustControl", "AirSpeedMin", "AirSpeedMax")
_FRAME_S = 0.05
"""How much time passes between two refreshes: propellers turn by this much."""


class AirframePage(QWidget):
    """Shows and stages SystemSettings.AirframeType and MixerSettings."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings = context.configuration
        self.draft = AirframeDraft(settings)
        self._is_fresh = False
        self.title = make_label(size="title")
        self.choose = QPushButton("Choose another frame")
        self.choose.setCheckable(True)
        self.picker = FramePicker()
        self.picker.hide()
        self.choose.toggled.connect(self.picker.setVisible)
        self.picker.chosen.connect(self._take_frame)
        self.proof = make_label(tone="muted", wraps=True)
        self._note = make_label(tone="caution", wraps=True)
        self.findings = FindingsView()
        self._beside_table = FindingsView()
        self._fine = make_label("✔  Nothing in the mixer contradicts the frame.", tone="ok")
        self.view = AirframeView()
        self.preview = Preview(self.draft)
        self.assignment = Assignment(self.draft)
        self.levels = LevelControls(self.draft)
        self.swash = SwashControls(self.draft)
        self.curves = CurveControls(self.draft)
        self.table = MixerTable(self.draft)
        self.take_over = make_button("Stage what the frame generates", self.draft.stage_generated)
        self._standing = make_label(wraps=True)
        self.form = ObjectForm(settings, _SYSTEM, _SYSTEM_FIELDS)
        self._curve_fold = CollapsibleGroup("Throttle and collective curves", self.curves)
        self._body = QWidget()
        self._form_fold = CollapsibleGroup("Name, thrust and airspeed", self.form, is_open=False)
        self._lay_out()

    def refresh(self, t: float) -> None:
        """Follow what is staged and on board, and let the propellers turn."""
        if self.draft.refresh() or not self._is_fresh:
            self._is_fresh = True
            self._show()
        self.preview.refresh()
        self.view.set_values(self.preview.values)
        self.view.advance(_FRAME_S)
        self.form.refresh()

    def show_setting(self, name: str, path: str) -> None:
        """Bring a setting into view."""
        self.refresh(0.0)
        if name == _SYSTEM:
            self._show_system_setting(path)
            return
        found = self.levels.widget_of(path) or self.curves.widget_of(path)
        if found is not None:
            self._curve_fold.set_open(True)
            reveal(found, path)
        elif self.table.show_setting(path):
            reveal(self.table)

    def incomplete(self) -> str:
        """What keeps this mixer from flying."""
        draft = self.draft
        if draft.definition is None:
            return ""
        if not draft.mixer.motors and (draft.frame.motors or draft.frame.family == CUSTOM):
            return "No motor has an output yet."
        dangers = [
            finding.text
            for finding in draft.findings
            if finding.level is Level.ERROR or finding.code == "no-thrust"
        ]
        return dangers[0] if dangers else ""

    def _lay_out(self) -> None:
        head = make_row((self.title, 1), self.take_over, self.choose)
        shown = (self.findings, self._fine, self._body, self._form_fold)
        parts = (head, self.proof, self.picker, self._note, *shown, STRETCH)
        self.setLayout(make_column(*parts, margins=PAGE_MARGINS, spacing=8))
        self._lay_out_body()

    def _lay_out_body(self) -> None:
        """What there is to see once the mixer is known."""
        both = make_grid(spacing=(16, -1))
        both.addWidget(self.view, 0, 0)
        both.addWidget(self.preview, 0, 1)
        both.addWidget(self.assignment, 1, 0)
        right = make_column(self.swash, self.levels)
        both.addLayout(right, 1, 1)
        both.setColumnStretch(0, 2)
        both.setColumnStretch(1, 3)
        heading = make_heading("Mixer")
        row = make_row(heading, (self._standing, 1))
        parts = (both, row, self._beside_table, self.table, self._curve_fold)
        self._body.setLayout(make_column(*parts, spacing=8))

    def _show(self) -> None:
        draft = self.draft
        is_known = draft.definition is not None
        self.title.setText(draft.frame.title if is_known else "Airframe and mixer")
        self.proof.setText(draft.frame.proof if is_known else "")
        self.proof.setVisible(is_known)
        self.choose.setEnabled(is_known)
        self._body.setVisible(is_known)
        self.picker.show_frames(
            draft.frame_names, draft.frame_name, is_read_only=draft.is_read_only
        )
        note = self._note_text()
        show_text(self._note, note)
        self.findings.show_findings(draft.findings)
        # The table is a screen further down, and what its cells break must show there too.
        grave = [finding for finding in draft.findings if finding.level > Level.INFO]
        self._beside_table.show_findings(grave)
        self._fine.setVisible(not draft.findings and is_known)
        self.view.show_drawing(drawing_of(draft.setup, draft.mixer))
        for part in (self.assignment, self.levels, self.swash, self.curves):
            part.refresh()
        self.table.cells.refresh()
        self._show_standing()

    def _show_standing(self) -> None:
        draft = self.draft
        count = len(draft.differing)
        if draft.frame.family == CUSTOM:
            text = "A custom mixer: it is what the table says, and nothing is generated."
        elif not count:
            text = "It is what the frame generates, and follows the choices above."
        else:
            values = "1 value is" if count == 1 else f"{count} values are"
            text = (
                f"{values} not what the frame would generate, which stands in brackets. "
                "It is left as it is unless you press the button at the top."
            )
        self._standing.setText(text)
        self.take_over.setVisible(draft.frame.family != CUSTOM)
        can_stage = not draft.is_read_only and not draft.trouble
        self.take_over.setEnabled(bool(count) and can_stage)

    def _note_text(self) -> str:
        draft = self.draft
        is_known = draft.settings.aircraft.is_complete
        if draft.definition is None:
            return draft.settings.aircraft.why_absent(MIXER)
        if draft.frame_name and draft.frame_name not in airframe_names():
            return (
                f"This firmware calls the frame {draft.frame_name}, which is not known here. "
                "Its mixer is shown as it is on board."
            )
        if draft.trouble:
            return draft.trouble
        if draft.ends is None and is_known:
            return "No ActuatorSettings with the ends of all outputs, so pulses are not shown."
        return ""

    def _show_system_setting(self, path: str) -> None:
        if path == FRAME_FIELD:
            self.choose.setChecked(True)
            reveal(self.picker.tiles.get(self.draft.frame_name, self.choose))
        elif not self._show_in_form(path):
            reveal(self.assignment.focus_first() or self.choose)

    def _show_in_form(self, path: str) -> bool:
        if path not in self.form.editors:
            return False
        self._form_fold.set_open(True)
        return self.form.show_setting(path)

    def _take_frame(self, name: str) -> None:
        if name != self.draft.frame_name:
            self.draft.choose_frame(name)
        self.choose.setChecked(False)
