"""One object's settings below the calibrations: a form, built when it is first unfolded."""

from PySide6.QtWidgets import QWidget

from plugins.calibration.groups import Group
from telemetry.configuration.settings.configuration import Configuration
from widgets.fold import Fold
from widgets.parts import make_column, make_label
from widgets.settings.form import ObjectForm


class GroupView(QWidget):
    """A fold with a form. Its heading says how many changes wait in it."""

    def __init__(self, settings: Configuration, group: Group) -> None:
        super().__init__()
        self.group = group
        self.form: ObjectForm | None = None
        self._settings = settings
        self._body = QWidget()
        about = make_label(group.about, tone="muted", wraps=True)
        self._column = make_column(about, margins=(26, 0, 0, 8))
        self._body.setLayout(self._column)
        self.fold = Fold(group.title, self._body, is_open=False)
        self.setLayout(make_column(self.fold))

    def refresh(self) -> None:
        """Show what is staged and on board."""
        count = len(self._settings.draft.of((self.group.name, 0)))
        self.fold.set_note(f"{count} not sent" if count else "")
        if self.fold.is_open:
            self._built().refresh()

    def show_setting(self, path: str) -> bool:
        """Unfold and focus a setting; False if it is not in here."""
        self.fold.set_open(True)
        return self._built().show_setting(path)

    def _built(self) -> ObjectForm:
        if self.form is None:
            self.form = ObjectForm(self._settings, self.group.name)
            self._column.addWidget(self.form)
        return self.form
