"""Every settings object of the aircraft as a generated form: nothing is out of reach."""

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from plugins.api import PanelContext
from telemetry.settings.configuration import Configuration
from widgets.settings.form import ObjectForm


class AllSettingsPage(QWidget):
    """Chooses an object and shows its form."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        settings = context.configuration
        assert settings is not None
        self._settings: Configuration = settings
        self._context = context
        self._form: ObjectForm | None = None
        self._known: tuple[str, ...] = ()
        self.objects = QComboBox()
        self.objects.setMaxVisibleItems(24)
        self.objects.currentTextChanged.connect(self._open)
        self.defaults = QPushButton("Stage defaults")
        self.defaults.setToolTip("Stage what the definition says a board starts with.")
        self.defaults.clicked.connect(self._stage_defaults)
        self._about = QLabel()
        self._about.setProperty("tone", "muted")
        self._about.setWordWrap(True)
        top = QHBoxLayout()
        top.addWidget(self.objects, 1)
        top.addWidget(self.defaults)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 12)
        self._column.addLayout(top)
        self._column.addWidget(self._about)
        self._column.addStretch(1)

    def refresh(self, t: float) -> None:
        """Follow what the aircraft has and what is staged."""
        recording = self._context.recording
        names = tuple(recording.names()) if recording is not None else ()
        if names != self._known:
            self._known = names
            self._fill(names)
        if self._form is not None:
            self._form.refresh()

    def show_setting(self, name: str, path: str) -> None:
        """Open the object and focus the setting."""
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
            if definition is not None and definition.settings and definition.meta_of is None:
                self.objects.addItem(name)
        self.objects.setCurrentText(chosen or self.objects.itemText(0))
        self.objects.blockSignals(False)
        if self.objects.currentText() != chosen:
            self._open(self.objects.currentText())

    def _open(self, name: str) -> None:
        if self._form is not None:
            self._form.deleteLater()
            self._form = None
        definition = self._settings.definition(name)
        self._about.setText(definition.description if definition is not None else "")
        if definition is not None:
            self._form = ObjectForm(self._settings, name)
            self._column.insertWidget(2, self._form)

    def _stage_defaults(self) -> None:
        self._settings.stage_defaults(self.objects.currentText())
