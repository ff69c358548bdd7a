"""Groups of settings that fold away, each with the count of what is not sent in its heading."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QVBoxLayout, QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import slots_of
from widgets.fold import Fold
from widgets.settings.form import ObjectForm, reveal


@runtime_checkable
class Refreshed(Protocol):
    """A widget that shows what is staged and on board when told to."""

    def refresh(self) -> None:
        """Look again."""


@dataclass(frozen=True, slots=True)
class SectionContents:
    """What stands in a section. `editors` tells what edits each path in it now."""

    parts: Sequence[QWidget]
    editors: Callable[[], Mapping[str, QWidget]]


class StabilizationSection(Fold):
    """Some fields of one object (all for none), in widgets made when first unfolded.

    `make` makes them; they are refreshed only while the section is open.
    """

    def __init__(
        self,
        settings: Configuration,
        name: str,
        title: str,
        fields: Sequence[str],
        make: Callable[[], SectionContents],
    ) -> None:
        body = QWidget()
        super().__init__(title, body, is_open=False)
        self.name = name
        self._fields = frozenset(fields)
        self._settings = settings
        self._make = make
        self._contents: SectionContents | None = None
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(20, 0, 0, 8)
        self._column.setSpacing(6)

    def refresh(self) -> None:
        """Show what is staged and on board; cheap while folded."""
        if self.is_open:
            contents = self._made()
            for part in contents.parts:
                if isinstance(part, Refreshed):
                    part.refresh()
        staged = sum(self._settings.is_staged(self.name, path) for path in self.paths())
        self.set_note(f"{staged} not sent" if staged else "")

    def paths(self) -> tuple[str, ...]:
        """The settings in it."""
        definition = self._settings.definition(self.name)
        slots = slots_of(definition) if definition is not None else {}
        fields = self._fields
        return tuple(p for p, slot in slots.items() if not fields or slot.field.name in fields)

    def show_setting(self, path: str) -> bool:
        """Unfold, scroll to a setting and focus it; False if it is not in here."""
        if path not in self.paths():
            return False
        self.set_open(True)
        self.refresh()
        editor = self._made().editors().get(path)
        if editor is None:
            return False
        reveal(editor)
        return True

    def _made(self) -> SectionContents:
        if self._contents is None:
            self._contents = self._make()
            for part in self._contents.parts:
                self._column.addWidget(part)
        return self._contents


def form_section(
    settings: Configuration, name: str, title: str, fields: Sequence[str] = ()
) -> StabilizationSection:
    """A section that is a generated form."""

    def make() -> SectionContents:
        form = ObjectForm(settings, name, fields)
        return SectionContents([form], lambda: form.editors)

    return StabilizationSection(settings, name, title, fields, make)
