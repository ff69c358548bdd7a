"""Place offer: guided actions on maps in whose workspace no guided panel was ever seen."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from plugins.api import PLACE_ACTIONS, PanelContext, PlaceAction, PlaceOffer
from plugins.pilot.guided_panel import GuidedPanel

_FOLLOW_MS = 100


def place_offer(context: PanelContext, widget: QWidget) -> PlaceOffer:
    """A panel out of sight asks the aircraft, and follows it while the map is seen. It offers by
    itself from then on, until one that is seen takes its place."""

    def offer(latitude_deg: float, longitude_deg: float) -> Sequence[PlaceAction]:
        if PLACE_ACTIONS in context.shared:
            return ()
        panel = GuidedPanel(context)
        panel.setParent(widget)
        panel.hide()

        def follow() -> None:
            if widget.isVisible():
                panel.refresh(0.0)

        following = QTimer(panel)
        following.timeout.connect(follow)
        following.start(_FOLLOW_MS)
        return panel.place_actions(latitude_deg, longitude_deg)

    return offer
