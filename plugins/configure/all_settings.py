"""All-settings page: every settings object as a generated form: nothing is out of reach."""

from PySide6.QtWidgets import (
    QComboBox,
    QWidget,
)

from plugins.api import PageContext
from telemetry.configuration.settings.defaults import fields_not_default
from telemetry.protocol.objects.definition import ObjectDefinition
from widgets.change_detector import ChangeDetector
from widgets.choices import make_check
from widgets.parts import PAGE_MARGINS, STRETCH, make_button, make_column, make_label, make_row
from widgets.settings.form import ObjectForm


class AllSettingsPage(QWidget):
    """Chooses an object and shows its form."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings = context.configuration
        self._settings = settings
        self._context = context
        self._form: ObjectForm | None = None
        self._known = ChangeDetector()
        self.objects = QComboBox()
        self.objects.setMaxVisibleItems(24)
        self.objects.currentTextChanged.connect(self._open)
        tip = "List what is measured and commanded as well, to read."
        self.with_data = make_check("Data objects too", self._list_anew, tip)
        title = "Only what differs from the default"
        tip = "List only what this firmware does not start with by itself."
        self.not_default = make_check(title, self._list_anew, tip)
        self.defaults = make_button("Stage defaults", self._stage_defaults)
        self.defaults.setToolTip("Stage what the definition says a board starts with.")
        self._about = make_label(tone="muted", wraps=True)
        top = make_row((self.objects, 1), self.defaults)
        filters = make_row(self.not_default, self.with_data, STRETCH)
        self._column = make_column(top, filters, self._about, STRETCH, margins=PAGE_MARGINS)
        self.setLayout(self._column)

    def refresh(self, t: float) -> None:
        """Follow what the aircraft has and what is staged."""
        names = tuple(self._context.recording.names())
        if self._known.has_changed(names):
            self._fill(names)
        if self._form is not None:
            self._form.refresh()

    def show_setting(self, name: str, path: str) -> None:
        """Open the object and focus the setting."""
        definition = self._settings.definition(name)
        if definition is not None and not definition.settings:
            self.with_data.setChecked(True)
        self.not_default.setChecked(False)
        self.refresh(0.0)
        self.objects.setCurrentText(name)
        if self._form is not None:
            self._form.show_setting(path)

    def _fill(self, names: tuple[str, ...]) -> None:
        chosen = self.objects.currentText()
        definitions = [(name, self._settings.definition(name)) for name in names]
        self.objects.blockSignals(True)
        self.objects.clear()
        for name, definition in definitions:
            if definition is None or definition.meta_of is not None:
                continue
            if self._lists(name, definition):
                self.objects.addItem(name)
        self.objects.setCurrentText(chosen or self.objects.itemText(0))
        self.objects.blockSignals(False)
        if self.objects.currentText() != chosen:
            self._open(self.objects.currentText())

    def _lists(self, name: str, definition: ObjectDefinition) -> bool:
        if self.not_default.isChecked():
            return definition.settings and bool(self._fields_not_default(name, definition))
        return definition.settings or self.with_data.isChecked()

    def _fields_not_default(self, name: str, definition: ObjectDefinition) -> tuple[str, ...]:
        return fields_not_default(definition, self._settings.values(name))

    def _list_anew(self) -> None:
        shown = self.objects.currentText()
        self._known.forget()
        self.refresh(0.0)
        if self.objects.currentText() == shown:  # of which other fields are listed now
            self._open(shown)

    def _open(self, name: str) -> None:
        if self._form is not None:
            self._form.hide()  # it goes later, and the next one comes now
            self._form.deleteLater()
            self._form = None
        definition = self._settings.definition(name)
        nothing = "Nothing differs from the defaults of this firmware."
        about = nothing if self.not_default.isChecked() and not name else ""
        self._about.setText(definition.description if definition is not None else about)
        self.defaults.setEnabled(definition is not None and definition.settings)
        if definition is not None:
            is_part = self.not_default.isChecked()
            fields = self._fields_not_default(name, definition) if is_part else ()
            self._form = ObjectForm(self._settings, name, fields)
            self._column.insertWidget(self._column.count() - 1, self._form)

    def _stage_defaults(self) -> None:
        self._settings.stage_defaults(self.objects.currentText())
