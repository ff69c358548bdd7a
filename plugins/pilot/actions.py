"""Pilot actions by name: what the buttons of *Controls* do, from the command palette.

They act only while that panel is in sight, which follows the aircraft and ends what nobody sees;
motors off goes out wherever somebody looks.
"""

from collections.abc import Callable
from functools import partial

from plugins.api import PanelContext
from plugins.pilot import guide
from plugins.pilot.guide import Situation
from plugins.pilot.guided_flight import GuidedFlight, guided_of
from plugins.pilot.guided_offer import why_not_guided
from plugins.pilot.seat import Seat, seat_of
from telemetry.missions.guided_actions import guided_action
from telemetry.recording.flight_state import FlightState, read_flight_state

STOPPED = "Emergency stop: motors off."
SHOW_FLY = "workspace-1"
_OUT_OF_SIGHT = "Nothing was sent: the Controls were not in sight. They are now; choose it again."

_NO_AIRCRAFT = "No aircraft. Connect to one, or to the simulator."

Ask = Callable[[GuidedFlight, Situation, FlightState], None]
Why = Callable[[Situation], str | None]


def arm(context: PanelContext) -> None:
    """Arm, to fly by hand."""
    _do(context, guide.why_not_arm, Seat.arm, "Arming.")


def take_off(context: PanelContext) -> None:
    """Arm and take off."""
    _do(context, guide.why_not_take_off, Seat.take_off, "Arming and taking off.")


def hold(context: PanelContext) -> None:
    """Stay in place."""
    _guide(context, "hold", lambda guided, situation, flight: guided.hold(situation, flight))


def land(context: PanelContext) -> None:
    """Come down here."""
    _act(context, "Land")


def return_home(context: PanelContext) -> None:
    """Fly back to where it was armed."""
    _act(context, "Return")


def pause(context: PanelContext) -> None:
    """Hold, and remember the waypoint of the mission."""
    _guide(context, "pause", lambda guided, situation, _flight: guided.pause(situation))


def resume(context: PanelContext) -> None:
    """Fly the mission on from where it was paused."""
    _guide(context, "resume", lambda guided, situation, _flight: guided.resume(situation))


def stop(context: PanelContext) -> None:
    """Motors off, now."""
    _do(context, _why_not_stop, Seat.disarm, STOPPED)


def _why_not_stop(situation: Situation) -> str | None:
    if guide.can_stop(situation):
        return None
    return guide.why_deaf(situation) or "The aircraft is not armed."


def _act(context: PanelContext, action: str) -> None:
    _do(
        context,
        lambda situation: guide.why_not(action, situation),
        lambda seat, situation: seat.act(action, situation),
        f"{action}.",
    )


def _guide(context: PanelContext, action_id: str, act: Ask) -> None:
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
        lambda _seat, situation: act(guided, situation, flight),
        f"{action.title}.",
    )


def _do(
    context: PanelContext, why_not: Why, act: Callable[[Seat, Situation], None], said: str
) -> None:
    vehicle = context.vehicle
    if vehicle is None:
        context.show_message(_NO_AIRCRAFT)
        return
    seat = seat_of(vehicle)
    if not (seat.is_watched or (seat.is_taken and said == STOPPED)):
        context.run_action(SHOW_FLY)
        context.show_message(_OUT_OF_SIGHT)
        return
    situation = seat.look(vehicle.timeline.t)[1]
    refusal = why_not(situation)
    if refusal is None:
        act(seat, situation)
    context.show_message(refusal or said)
