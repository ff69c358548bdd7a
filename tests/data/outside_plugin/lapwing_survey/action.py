"""Something to do by name."""

from plugins.api import PanelContext


def count(context: PanelContext) -> None:
    flights = len(context.fleet.vehicles)
    context.show_message(f"{flights} surveyed.")
