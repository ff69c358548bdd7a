"""Flight words: the sentence on what goes on with an aircraft that is flown from here."""

from dataclasses import replace
from typing import Final

from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.flying.actions import advice, why_deaf
from telemetry.flying.controls import FlightControls
from telemetry.flying.situation import Situation
from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import Vehicle

STOPPING: Final = (
    "Emergency stop: it is sent again and again until the aircraft says that it is disarmed."
)
STOP_UNHEARD: Final = "Emergency stop: it is tried again and again, but the link is lost."
STOP_UNSENT: Final = (
    "Emergency stop is asked for, and the aircraft has not said that it is disarmed."
)
NO_AIRCRAFT: Final = "No aircraft. Connect to one, or to the simulator."


def flight_statement(
    vehicle: Vehicle, controls: FlightControls, flight: FlightState, situation: Situation
) -> Statement:
    """What goes on with an aircraft, and whether that is known now."""
    stopped = controls.stopped(flight)
    if stopped is not None and why_deaf(situation) is None and not controls.is_stopping:
        return stopped
    words = _sentence(controls, situation, flight)
    if vehicle.status.is_silent:
        words = f"{vehicle.status.word}. Before that: {words}"
    return Statement(words, vehicle.name, vehicle.link_losses, vehicle.end_s)


def sticks_statement(
    vehicle: Vehicle,
    controls: FlightControls,
    flight: FlightState,
    situation: Situation,
    keys: Statement | None,
) -> Statement:
    """What flies an aircraft by hand, or that nothing does."""
    stopped = controls.stopped(flight)
    if stopped is not None and not controls.is_stopping:
        return stopped
    words = why_deaf(situation) or _who_flies(controls, situation)
    if keys is not None and not why_deaf(situation):
        return keys
    return Statement(words, vehicle.name, vehicle.link_losses, vehicle.end_s)


def _who_flies(controls: FlightControls, situation: Situation) -> str:
    if situation.armed != "Armed":
        return "Disarmed: sticks fly nothing."
    if controls.is_stopping:
        return "Emergency stop: motors off is sent."
    if not controls.is_by_hand:
        return "Not flown by hand."
    device = controls.state.device
    if controls.is_behaving:
        return f"{device} flies. Touch any stick to take over."
    by_device = f"{device} flies." if device else "No device flies."
    return {
        "gamepad": by_device,
        "keyboard": "Press Fly by hand to fly by the keys.",
    }.get(controls.source, "On-screen sticks fly.")


def said_with_keys(statement: Statement, keys: Statement | None) -> Statement:
    """What goes on, after what the keys do; nothing comes before what stands against flying."""
    if keys is None or statement.level is not Level.INFO:
        return statement
    return replace(statement, text=f"{keys.text} {statement.text}", ends=keys.ends)


def _sentence(controls: FlightControls, situation: Situation, flight: FlightState) -> str:
    if situation.armed == "Armed" and controls.is_stopping:
        if situation.is_link_lost:
            return STOP_UNHEARD
        stopped = controls.state.stopped
        return f"{STOP_UNSENT} {stopped}" if stopped else STOPPING
    refusal = why_deaf(situation)
    if refusal:
        return refusal
    if controls.progress:
        return controls.progress
    advised = advice(situation, flight.flight_mode or "")
    flies_by_pad = controls.request.source == "gamepad" and controls.state.device
    if situation.is_flying and flies_by_pad:
        return f"Input: {controls.state.device}. {advised}"
    return advised
