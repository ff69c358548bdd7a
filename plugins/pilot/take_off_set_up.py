"""Take-off set-up: giving taking off by itself a position of the flight mode switch."""

from typing import Final

from plugins.api import PanelContext
from telemetry.configuration.arming.by_sticks import AUTO_TAKEOFF, NO_AUTO_TAKEOFF
from telemetry.flying.actions import why_deaf
from telemetry.flying.controls import FlightControls
from telemetry.flying.situation import Situation

_HELP: Final = "Has {place} of the flight mode switch select taking off by itself. Apply it then."
_STAGED: Final = (
    "Staged: {place} of the flight mode switch selects taking off by itself. Apply it in Configure."
)


def take_off_set_up_help(
    context: PanelContext, controls: FlightControls, situation: Situation
) -> str:
    """What would be staged so that it can take off by itself; empty if nothing."""
    found, settings = situation.not_taken_off_by, context.configuration
    if found is None or found.code != NO_AUTO_TAKEOFF or why_deaf(situation):
        return ""
    place = controls.place_for_auto_takeoff()
    if place is None or settings is None or settings.is_staged(place.object, place.path):
        return ""
    return _HELP.format(place=place.title.lower())


def stage_take_off(context: PanelContext, controls: FlightControls) -> None:
    """Stage it, and say so."""
    settings, place = context.configuration, controls.place_for_auto_takeoff()
    if settings is None or place is None:
        return
    with settings.staging_from("Controls"):
        settings.stage(place.object, place.path, AUTO_TAKEOFF)
    context.show_message(_STAGED.format(place=place.title.lower()))
