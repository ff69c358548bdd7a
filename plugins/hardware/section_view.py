"""One group of the page: its form, built when it is first unfolded, and what is measured."""

from PySide6.QtWidgets import QWidget

from plugins.api import PageContext
from plugins.hardware.sections import HardwareSection
from telemetry.configuration.settings.configuration import Configuration
from widgets.fold import Fold
from widgets.forms.formats import THIN_SPACE, format_value, shown_units
from widgets.parts import make_column, make_label
from widgets.settings.form import ObjectForm


class SectionView(QWidget):
    """A fold with a form. Its heading says how many changes wait in it."""

    def __init__(
        self, context: PageContext, settings: Configuration, section: HardwareSection
    ) -> None:
        super().__init__()
        self.section = section
        self.form: ObjectForm | None = None
        self._context = context
        self._settings = settings
        self._body = QWidget()
        about = make_label(section.about, tone="muted", wraps=True)
        self._live = make_label(wraps=True)
        self._column = make_column(about, self._live, margins=(26, 0, 0, 8))
        self._body.setLayout(self._column)
        self.fold = Fold(section.title, self._body, is_open=False)
        self.setLayout(make_column(self.fold))

    def refresh(self) -> None:
        """Show what is staged, on board and measured."""
        self._show_note()
        if not self.fold.is_open:
            return
        self._build()
        assert self.form is not None
        self.form.refresh()
        live = self._measured()
        if live != self._live.text():
            self._live.setText(live)
        self._live.setVisible(bool(live))

    def show_setting(self, path: str) -> bool:
        """Unfold and focus a setting; False if it is not in here."""
        fields = self.section.fields
        if fields and path.partition(".")[0] not in fields:
            return False
        self.fold.set_open(True)
        self._build()
        return self.form is not None and self.form.show_setting(path)

    def _build(self) -> None:
        if self.form is None:
            self.form = ObjectForm(self._settings, self.section.name, self.section.fields)
            self._column.addWidget(self.form)

    def _show_note(self) -> None:
        staged = self._settings.draft.of((self.section.name, 0))
        fields = self.section.fields
        count = sum(not fields or path.partition(".")[0] in fields for path in staged)
        self.fold.set_note(f"{count} not sent" if count else "")

    def _measured(self) -> str:
        vehicle = self._context.vehicle
        parts = []
        for path in self.section.live:
            name, _, field = path.partition(".")
            sample = vehicle.recording.latest(name, vehicle.timeline.t)
            f_name = field.partition(".")[0]
            if sample is None or not sample.definition.has_field(f_name):
                continue
            try:
                value = sample[field]
            except KeyError:
                continue
            f = sample.definition.field_named(f_name)
            if isinstance(value, tuple):
                continue
            units = shown_units(f)
            suffix = f"{THIN_SPACE}{units}" if units else ""
            parts.append(f"{field} {format_value(f, value, is_measured=True)}{suffix}")
        return "Now: " + ",  ".join(parts) if parts else ""
