"""Undo and redo actions of applied settings, from anywhere in the station."""

from plugins.api import PanelContext
from telemetry.configuration.settings.configuration import Configuration


def undo(context: PanelContext) -> None:
    """Take back on board what was applied last, on whichever page."""
    settings = _ready(context)
    if settings is not None:
        last = settings.history.undo_next
        settings.undo()
        none = "Nothing to undo: no settings were applied since connecting."
        context.show_message(f"Taking back on board: {last.title}." if last else none)


def redo(context: PanelContext) -> None:
    """Do again what was taken back last."""
    settings = _ready(context)
    if settings is not None:
        last = settings.history.redo_next
        settings.redo()
        context.show_message(f"Applying again: {last.title}." if last else "Nothing to redo.")


def _ready(context: PanelContext) -> Configuration | None:
    """The settings, if something can be sent now; else say why not."""
    settings = context.configuration
    if settings is None:
        context.show_message("No aircraft is connected.")
        return None
    if settings.refusal or settings.is_busy:
        context.show_message(settings.refusal or "Settings are being sent; wait for them.")
        return None
    return settings
