"""Configuration sets page: sets that are kept, files that come and go, and comparing any two."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QWidget

from plugins.api import PageContext
from plugins.configuration_sets.compare_view import SettingsCompareView
from plugins.configuration_sets.name_form import NameForm
from plugins.configuration_sets.set_table import SetTable
from plugins.configuration_sets.sources import (
    document_of,
    file_source,
    set_sources,
    vehicle_sources,
)
from telemetry.base.clock import local_now
from telemetry.base.folders import Folders
from telemetry.base.safe_files import replace_file
from telemetry.configuration.settings.defaults import only_not_default
from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.files import read_bytes, write_settings
from telemetry.configuration.settings.identity import identity_in
from telemetry.configuration.settings.sets import ConfigurationSets, SetEntry, board_folder
from telemetry.configuration.settings.toml_file import SUFFIX
from widgets.change_detector import ChangeDetector
from widgets.dialogs import ask_for_file, ask_where_to_save
from widgets.labels import show_text
from widgets.parts import PAGE_MARGINS, STRETCH, make_button, make_column, make_label, make_row

_FILTER = f"Settings (*.uav *.xml *.optmpl *{SUFFIX});;All files (*)"
_WRITE_FILTER = f"Lapwing settings (*{SUFFIX});;UAV settings of other stations (*.uav)"


class SetsPage(QWidget):
    """Configuration sets of one aircraft and of all others."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings, vehicle = context.configuration, context.vehicle
        self._context = context
        self._settings = settings
        self._vehicle = vehicle
        self._sets = ConfigurationSets(Folders.of_user(os.environ).configuration_sets)
        self._files: list[Path] = []
        self._entries: tuple[SetEntry, ...] = ()
        self._deleted: tuple[Path, bytes] | None = None
        self._seen = ChangeDetector()
        self.who = make_label(wraps=True)
        self.text = make_label(wraps=True)
        self.text.hide()
        self.table = SetTable()
        self.form = NameForm()
        self.compare = SettingsCompareView(context, settings)
        self.keep = make_button("Keep what is on board", self._ask_keep)
        self.edit = make_button("Rename or annotate", self._ask_edit)
        self.delete = make_button("Delete", self._delete)
        self.take_back = make_button("Take back", self._take_back)
        self.take_back.hide()
        self.open_file = make_button("Compare with a file…", self._ask_file)
        self.export = make_button("Export…", self._ask_export)
        self.not_default = QCheckBox("Only what differs from the default")
        self.not_default.setToolTip("Export only what the firmware does not start with by itself.")
        self.table.currentItemChanged.connect(self._choose)
        self._lay_out()
        self._read_sets()

    def refresh(self, t: float) -> None:
        """Follow the aircraft and whatever else is open."""
        vehicles = self._context.fleet.vehicles
        if self._seen.has_changed(
            self._settings.aircraft.is_complete, vehicles, self._settings.aircraft.serial
        ):
            self._show_who()
            self._read_sets()
        self.compare.refresh()

    # What the buttons do

    def keep_as(self, name: str, purpose: str, note: str) -> str:
        """Keep what is on board under a name; return what is wrong, or nothing."""
        document = replace(self._document(), purpose=purpose, note=note)
        return self._try(lambda: self._select(self._sets.save(name, document)))

    def edit_as(self, entry: SetEntry, texts: tuple[str, str, str]) -> str:
        """Give a set another name, purpose and note; return what is wrong, or nothing."""
        name, purpose, note = texts

        def change() -> None:
            renamed = entry if name == entry.name else self._sets.rename(entry, name)
            catalogue = self._vehicle.catalogue
            self._select(self._sets.annotate(renamed, catalogue, purpose=purpose, note=note))

        return self._try(change)

    def compare_file(self, path: Path) -> None:
        """Compare what is on board with a settings file."""
        if path not in self._files:
            self._files.append(path)
        self._show_sources()
        self.compare.choose(f"file:{path}")

    def export_to(self, path: Path) -> None:
        """Write what is on board, or the selected set, to a file; its suffix says in what form."""
        entry = self.table.chosen

        def write() -> None:
            catalogue = self._vehicle.catalogue
            document = self._sets.load(entry, catalogue) if entry else self._document()
            if self.not_default.isChecked():
                document = replace(document, snapshot=only_not_default(document.snapshot))
            try:
                write_settings(path, document)
            except OSError as error:
                raise SettingsError(f"{path} cannot be written: {error.strerror}.") from error
            show_text(self.text, f"Written: {path.name}, {len(document.snapshot.objects)} objects.")

        show_text(self.text, self._try(write) or self.text.text())

    # Inside

    def _lay_out(self) -> None:
        sets = make_row(self.keep, self.edit, self.delete, self.take_back, STRETCH)
        files = make_row(self.export, self.not_default, STRETCH, self.open_file)
        parts = (self.who, self.table, sets, files, self.form, self.text, (self.compare, 1))
        self.setLayout(make_column(*parts, margins=PAGE_MARGINS, spacing=8))

    def _document(self) -> SettingsDocument:
        return replace(document_of(self._vehicle), date=local_now())

    def _board(self) -> str:
        return board_folder(identity_in(self._vehicle.recording))

    def _show_who(self) -> None:
        identity = identity_in(self._vehicle.recording)
        parts = [identity.board_name, identity.firmware_text]
        if identity.has_serial:
            parts.append(f"serial number {identity.serial}")
        known = len(self._settings.snapshot().objects)
        self.who.setText(f"{', '.join(part for part in parts if part)}: {known} settings objects.")

    def _read_sets(self) -> None:
        self._entries = self._sets.entries()
        self.table.show_entries(self._entries, self._board())
        self._show_sources()
        self._enable()

    def _show_sources(self) -> None:
        catalogue = self._vehicle.catalogue
        sources = vehicle_sources(self._vehicle, self._context.fleet.vehicles)
        sources += set_sources(self._sets, self._entries, catalogue)
        sources += [file_source(path, catalogue) for path in self._files]
        self.compare.show_sources(sources)

    def _select(self, entry: SetEntry) -> None:
        self._read_sets()
        self.table.choose(entry)

    def _choose(self) -> None:
        self._enable()
        entry = self.table.chosen
        if entry is not None and not entry.problem:
            self.compare.choose(f"set:{entry.board}/{entry.name}")

    def _enable(self) -> None:
        entry = self.table.chosen
        self.edit.setEnabled(entry is not None and not entry.problem)
        self.delete.setEnabled(entry is not None)
        self.keep.setEnabled(bool(self._settings.snapshot().objects))

    def _ask_keep(self) -> None:
        form = self.form
        self.form.ask(
            "Keep",
            lambda: self.keep_as(form.name.text().strip(), form.purpose.text(), form.note.text()),
            (f"{local_now():%Y-%m-%d}", "", ""),
        )

    def _ask_edit(self) -> None:
        entry, form = self.table.chosen, self.form
        if entry is None:
            return
        self.form.ask(
            "Change",
            lambda: self.edit_as(
                entry, (form.name.text().strip(), form.purpose.text(), form.note.text())
            ),
            (entry.name, entry.about.purpose, entry.about.note),
        )

    def _delete(self) -> None:
        entry = self.table.chosen
        if entry is None:
            return

        def delete() -> None:
            self._deleted = entry.path, read_bytes(entry.path)
            self._sets.delete(entry)
            self._read_sets()
            show_text(self.text, f"Deleted: {entry.name}.")
            self.take_back.show()

        show_text(self.text, self._try(delete) or self.text.text())

    def _take_back(self) -> None:
        if self._deleted is None:
            return
        path, content = self._deleted
        show_text(self.text, self._try(lambda: replace_file(path, content)))
        self._deleted = None
        self.take_back.hide()
        self._read_sets()

    def _ask_file(self) -> None:
        ask_for_file(self, "Compare with a settings file", _FILTER, self.compare_file)

    def _ask_export(self) -> None:
        ask_where_to_save(self, "Export settings", _WRITE_FILTER, SUFFIX, self.export_to)

    def _try(self, act: Callable[[], object]) -> str:
        """Do it; return what went wrong as a sentence."""
        try:
            act()
        except SettingsError as error:
            return str(error)
        except OSError as error:
            return f"{error.filename or 'The folder of sets'}: {error.strerror}."
        return ""
