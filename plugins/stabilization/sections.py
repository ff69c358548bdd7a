"""Groups of settings that fold away, each with the count of what is not sent in its heading."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from telemetry.settings.configuration import Configuration
from widgets.fold import Fold
from widgets.settings.form import ObjectForm, reveal


@runtime_checkable
class Refreshed(Protocol):
    """A widget that shows what is staged and on board when told to."""

    def refresh(self) -> None:
        """Look again."""


class Section(Fold):
    """A fold over widgets that are refreshed only while it is open.

    `editors` tells what edits each path of `name` in it now.
    """

    def __init__(
        self,
        settings: Configuration,
        name: str,
        title: str,
        parts: Sequence[QWidget],
        editors: Callable[[], Mapping[str, QWidget]],
    ) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(20, 0, 0, 8)
        column.setSpacing(6)
        for part in parts:
            column.addWidget(part)
        super().__init__(title, body)
        self.name = name
        self._settings = settings
        self._parts = [part for part in parts if isinstance(part, Refreshed)]
        self._editors = editors

    def refresh(self) -> None:
        """Show what is staged and on board; cheap while folded."""
        if self.is_open:
            for part in self._parts:
                part.refresh()
        staged = [p for p in self._editors() if self._settings.is_staged(self.name, p)]
        self.set_note(f"{len(staged)} not sent" if staged else "")

    def paths(self) -> tuple[str, ...]:
        """The settings in it."""
        return tuple(self._editors())

    def show_setting(self, path: str) -> bool:
        """Unfold, scroll to a setting and focus it; False if it is not in here."""
        editor = self._editors().get(path)
        if editor is None:
            return False
        self.set_open(True)
        self.refresh()
        reveal(editor)
        return True


def form_section(
    settings: Configuration, name: str, title: str, fields: Sequence[str] = ()
) -> Section:
    """A folded section that is a generated form of some fields, or all."""
    form = ObjectForm(settings, name, fields)
    section = Section(settings, name, title, [form], lambda: form.editors)
    section.set_open(False)
    return section
