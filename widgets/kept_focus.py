"""Kept focus: where the keyboard goes when the control that has it is disabled.

Qt gives it to whatever control comes next, which a second press of the same key would set off.
"""

from PySide6.QtWidgets import QWidget


def enable(control: QWidget, is_enabled: bool, heir: QWidget) -> None:
    """Enable a control or not; `heir`, where a key does no harm, has the keyboard after it."""
    if not is_enabled and control.window().focusWidget() is control:
        heir.setFocus()
    control.setEnabled(is_enabled)
