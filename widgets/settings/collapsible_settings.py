"""Collapsible settings, with the count of what is not sent in the heading."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import slots_of
from widgets.collapsible import FOLD_MARGINS, CollapsibleGroup
from widgets.parts import make_column
from widgets.settings.form import ObjectForm, reveal


@runtime_checkable
class Refreshed(Protocol):
    """A widget that shows what is staged and on board when told to."""

    def refresh(self) -> None:
        """Look again."""


@dataclass(frozen=True, slots=True)
class CollapsibleContents:
    """What stands in a fold. `editors` tells what edits each path in it now."""

    parts: Sequence[QWidget]
    editors: Callable[[], Mapping[str, QWidget]]


class CollapsibleSettings(CollapsibleGroup):
    """Some fields of one object (all for none), in widgets made when first unfolded.

    `make` makes them, by default a form; they are refreshed only while it is open.
    """

    def __init__(
        self,
        settings: Configuration,
        name: str,
        title: str,
        fields: Sequence[str] = (),
        make: Callable[[], CollapsibleContents] | None = None,
    ) -> None:
        body = QWidget()
        super().__init__(title, body, is_open=False)
        self.name = name
        self._fields = tuple(fields)
        self._settings = settings
        self._make = make or (lambda: form_contents(settings, name, fields))
        self._contents: CollapsibleContents | None = None
        self._column = make_column(margins=FOLD_MARGINS, spacing=4)
        body.setLayout(self._column)

    def refresh(self) -> None:
        """Show what is staged and on board; cheap while folded."""
        if self.is_open:
            for part in self._made().parts:
                if isinstance(part, Refreshed):
                    part.refresh()
        staged = sum(self._has(path) for path in self._settings.draft.of((self.name, 0)))
        self.set_note(f"{staged} not sent" if staged else "")

    def paths(self) -> tuple[str, ...]:
        """The settings in it."""
        definition = self._settings.definition(self.name)
        return tuple(filter(self._has, slots_of(definition))) if definition is not None else ()

    def show_setting(self, path: str) -> bool:
        """Unfold, scroll to a setting and focus it; False if it is not in here."""
        if path not in self.paths():
            return False
        self.set_open(True)
        self.refresh()
        editor = self._made().editors().get(path)
        if editor is None:
            return False
        reveal(editor, path)
        return True

    def _has(self, path: str) -> bool:
        return not self._fields or path.partition(".")[0] in self._fields

    def _made(self) -> CollapsibleContents:
        if self._contents is None:
            self._contents = self._make()
            for part in self._contents.parts:
                self._column.addWidget(part)
        return self._contents


def form_contents(
    settings: Configuration, name: str, fields: Sequence[str] = (), *above: QWidget
) -> CollapsibleContents:
    """A form of these fields (all for none), below whatever else."""
    form = ObjectForm(settings, name, fields)
    return CollapsibleContents((*above, form), lambda: form.editors)
