"""What can be done at a place of the map."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext, PlaceAction, PlaceOffer


def place_offer(context: PanelContext, _widget: QWidget) -> PlaceOffer:
    def offer(latitude_deg: float, longitude_deg: float) -> Sequence[PlaceAction]:
        words = f"Survey {latitude_deg:.1f}, {longitude_deg:.1f}"
        return [PlaceAction("Survey here", lambda: context.show_message(words))]

    return offer
