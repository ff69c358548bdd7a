"""On-board logs from the menu: their page of the Configure view."""

from plugins.api import PanelContext
from telemetry.configuration.board_logs.logged_objects import LOG_SETTINGS


def show_logs(context: PanelContext) -> None:
    """Go to the page of the aircraft shown."""
    if context.configuration is None:
        context.show_message("Connect to an aircraft to see the flights in its flash.")
    context.show_setting(LOG_SETTINGS)
