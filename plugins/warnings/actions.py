"""Warning actions by name, from the menu and the command palette."""

from plugins.api import PanelContext
from telemetry.warnings.centre import warning_centre_of


def toggle_mute(context: PanelContext) -> None:
    """Be silent at once, or speak again."""
    centre = warning_centre_of(context.fleet)
    centre.mute(not centre.is_muted)
    context.show_message("Warnings are muted." if centre.is_muted else "Warnings are spoken.")
