"""Dialogs that ask for files, a folder, where to save or a text, beside what goes on."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget


def ask_for_file(
    parent: QWidget,
    title: str,
    filters: str,
    take: Callable[[Path], object],
    folder: Path | None = None,
) -> None:
    """Let the user choose a file that exists, first of all in `folder`; `filters` are as Qt has
    them, "Pictures (*.png);;All files (*)"."""
    dialog = _make_file_dialog(parent, title, filters, folder)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _open(dialog, take)


def ask_for_files(
    parent: QWidget,
    title: str,
    filters: str,
    take: Callable[[list[Path]], object],
    folder: Path | None = None,
) -> None:
    """Let the user choose files that exist, otherwise as one."""
    dialog = _make_file_dialog(parent, title, filters, folder)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(lambda names: take([Path(name) for name in names]))
    dialog.open()


def ask_for_folder(
    parent: QWidget, title: str, take: Callable[[Path], object], *, hides_files: bool = False
) -> None:
    """Let the user choose a folder."""
    dialog = _make_file_dialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly, hides_files)
    _open(dialog, take)


def ask_where_to_save(
    parent: QWidget,
    title: str,
    filters: str,
    suffix: str,
    save: Callable[[Path], object],
    name: Path | str = "",
) -> None:
    """Let the user choose where, and save. `suffix` is added where none is typed; `name` is
    offered."""
    dialog = _make_file_dialog(parent, title, filters)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffix.removeprefix("."))
    if name:
        dialog.selectFile(str(name))
    _open(dialog, save)


def ask_for_text(
    parent: QWidget, title: str, label: str, take: Callable[[str], object], text: str = ""
) -> None:
    """Let the user write a line, `text` to begin with."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(text)
    dialog.resize(480, dialog.sizeHint().height())
    dialog.textValueSelected.connect(take)
    dialog.open()


def _make_file_dialog(
    parent: QWidget, title: str, filters: str = "", folder: Path | None = None
) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(folder or ""), filters)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return dialog


def _open(dialog: QFileDialog, take: Callable[[Path], object]) -> None:
    dialog.fileSelected.connect(lambda name: take(Path(name)))
    dialog.open()
