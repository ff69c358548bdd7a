"""Grid helpers that the parts of the flight modes page share."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from telemetry.configuration.settings.configuration import Configuration
from widgets.forms.editors import OptionEditor
from widgets.forms.special_editors import ChoiceEditor, ScaledEditor
from widgets.parts import make_label
from widgets.settings.editor import SettingEditor

_LONGEST_S = 65.5
_MARK_PX = 14
_EXPLAINED = "explained"


def caption(text: str) -> QLabel:
    """What stands before an editor, or explains."""
    return make_label(text, tone="muted")


def heading(text: str) -> QLabel:
    """What stands over a column of editors, in line with what they show."""
    label = caption(text)
    label.setIndent(_MARK_PX)
    return label


def seconds_editor(settings: Configuration, name: str, path: str) -> SettingEditor:
    """A setting in ms, shown in s."""
    span = 0.0, _LONGEST_S
    return SettingEditor(settings, name, path, make=lambda: ScaledEditor(0.001, "s", span, 1))


def percent_editor(settings: Configuration, name: str, path: str) -> SettingEditor:
    """A setting from -1 to 1, shown in percent."""
    span = -100.0, 100.0
    return SettingEditor(settings, name, path, make=lambda: ScaledEditor(100.0, "%", span, 0))


def choice_editor(
    settings: Configuration, name: str, path: str, choices: dict[int, str]
) -> SettingEditor:
    """A whole number chosen by what it stands for."""
    return SettingEditor(settings, name, path, make=lambda: ChoiceEditor(choices))


def offer(editor: SettingEditor, choices: dict[int, str]) -> None:
    """Have an editor offer other choices."""
    if isinstance(editor.editor, ChoiceEditor):
        editor.editor.set_choices(choices)


def explain_options(editor: SettingEditor, words: Callable[[str], str]) -> None:
    """Say of every option what it means, where one chooses it."""
    options = editor.editor
    if not isinstance(options, OptionEditor) or options.property(_EXPLAINED):
        return
    options.setProperty(_EXPLAINED, True)
    for index in range(options.count()):
        text = words(options.itemText(index))
        options.setItemData(index, text, Qt.ItemDataRole.ToolTipRole)


def hide_absent(editor: SettingEditor, *beside: QWidget) -> None:
    """Hide a setting that this aircraft does not have, and what stands beside it."""
    is_there = editor.editor is not None
    for widget in (editor, *beside):
        if widget.isHidden() is is_there:
            widget.setVisible(is_there)
