"""Pilot actions by name: what the buttons of *Controls* do, from the command palette.

They act only while that panel is in sight, which follows the aircraft and ends what nobody sees;
motors off goes out wherever somebody looks.
"""

from collections.abc import Callable
from functools import partial

from plugins.api import PanelContext
from telemetry.flying import actions
from telemetry.flying.controls import FlightControls, controls_of
from telemetry.flying.guided_flight import GuidedFlight, guided_of
from telemetry.flying.guided_offer import why_not_guided
from telemetry.flying.situation import Situation
from telemetry.missions.guided_actions import guided_action
from telemetry.recording.flight_state import read_flight_state

STOPPED = "Emergency stop: asked for."
SHOW_FLY = "workspace-1"
_OUT_OF_SIGHT = "Nothing was sent: the aircraft was not in sight. It is now; choose it again."

_NO_AIRCRAFT = "No aircraft. Connect to one, or to the simulator."


def _why_not_stop(situation: Situation) -> str | None:
    if actions.can_stop(situation):
        return None
    return actions.why_deaf(situation) or "The aircraft is not armed."


def _act(context: PanelContext, action: str) -> None:
    _do(
        context,
        lambda situation: actions.why_not(action, situation),
        lambda controls, situation: controls.act(action, situation),
        f"{action}: asked for.",
    )


def _guide(context: PanelContext, action_id: str, act: Callable[[GuidedFlight], None]) -> None:
    """Ask for a guided action that selects more than a mode."""
    action = guided_action(action_id)
    vehicle = context.vehicle
    if vehicle is None:
        context.show_message(_NO_AIRCRAFT)
        return
    recording, now = vehicle.recording, vehicle.end_s
    flight = read_flight_state(recording, now)
    guided = guided_of(vehicle)
    _do(
        context,
        lambda situation: why_not_guided(
            action, situation, flight, partial(recording.latest, t=now)
        ),
        lambda _controls, _situation: act(guided),
        f"{action.title}: asked for.",
    )


def _do(
    context: PanelContext,
    why_not: Callable[[Situation], str | None],
    act: Callable[[FlightControls, Situation], None],
    said: str,
) -> None:
    vehicle = context.vehicle
    if vehicle is None:
        context.show_message(_NO_AIRCRAFT)
        return
    controls = controls_of(vehicle)
    if not (controls.is_watched or (controls.is_in_use and said == STOPPED)):
        context.run_action(SHOW_FLY)
        context.show_message(_OUT_OF_SIGHT)
        return
    situation = controls.situation_at(vehicle.timeline.t)[1]
    refusal = why_not(situation)
    if refusal is None:
        act(controls, situation)
    context.show_message(refusal or said)


arm = partial(_do, why_not=actions.why_not_arm, act=FlightControls.arm, said="Arming.")
take_off = partial(
    _do,
    why_not=actions.why_not_take_off,
    act=FlightControls.take_off,
    said="Arming and taking off.",
)
hold = partial(_guide, action_id="hold", act=GuidedFlight.hold)
land = partial(_act, action="Land")
return_home = partial(_act, action="Return")
pause = partial(_guide, action_id="pause", act=GuidedFlight.pause)
resume = partial(_guide, action_id="resume", act=GuidedFlight.resume)
stop = partial(_do, why_not=_why_not_stop, act=FlightControls.disarm, said=STOPPED)
