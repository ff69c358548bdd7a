"""Answers on board: what an aircraft shows of itself, for the assistant to begin with.

What has been set up is read back in such a way that the plan of these answers changes nothing.
"""

from dataclasses import replace
from itertools import product
from typing import Any

from telemetry.configuration.assistant.aircraft import AssistedAircraft
from telemetry.configuration.assistant.answers import KEEP, NO_GPS, Answers
from telemetry.configuration.assistant.gps_and_battery import (
    gps_ports,
    gps_protocols,
    propose_power,
)
from telemetry.configuration.assistant.outputs import (
    SERVOS,
    built_on_board,
    channels_of,
    esc_choices,
    propose_outputs,
)
from telemetry.configuration.assistant.proposal import PlanRule, changes_nothing
from telemetry.configuration.assistant.receiver import propose_receiver, receiver_choices


def is_set_up(aircraft: AssistedAircraft) -> bool:
    """Whether some output of the aircraft drives a motor or servo of a known frame."""
    return built_on_board(aircraft) is not None


def answers_on_board(aircraft: AssistedAircraft) -> Answers:
    """What the aircraft shows of itself; empty where it shows nothing."""
    answers = Answers(name=str(aircraft.value("SystemSettings", "VehicleName") or ""))
    built = built_on_board(aircraft)
    if built is not None:
        answers = replace(
            answers,
            frame=built.frame.name,
            propellers_reversed=built.reversed,
            modes=(KEEP,),
            gains=KEEP,
        )
        lacking = {c.name: 0 for c in channels_of(answers)}
        answers = replace(answers, outputs={**lacking, **built.outputs})
        answers = _with_esc(answers, aircraft)
    answers = _with_receiver(answers, aircraft)
    answers = replace(answers, **_power_on_board(aircraft))
    without_gps = replace(answers, gps=NO_GPS)
    is_known = bool(answers.gps) or built is None
    return without_gps if not is_known and _keeps(propose_power, without_gps, aircraft) else answers


def _keeps(rule: PlanRule, answers: Answers, aircraft: AssistedAircraft) -> bool:
    return changes_nothing(rule(answers, aircraft), aircraft)


def _with_esc(answers: Answers, aircraft: AssistedAircraft) -> Answers:
    """The first protocol and kind of servo that would change nothing."""
    for esc, servo in product(esc_choices(aircraft), SERVOS):
        tried = replace(answers, esc=esc.id, servo=servo)
        if _keeps(propose_outputs, tried, aircraft):
            return tried
    return replace(answers, esc=KEEP)


def _with_receiver(answers: Answers, aircraft: AssistedAircraft) -> Answers:
    for choice in receiver_choices(aircraft):
        tried = replace(answers, receiver=choice.id)
        if _keeps(propose_receiver, tried, aircraft):
            return tried
    return answers


def _power_on_board(aircraft: AssistedAircraft) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if aircraft.value("HwSettings", "OptionalModules.GPS") == "Enabled":
        protocol = aircraft.value("GPSSettings", "DataProtocol")
        found["gps"] = str(protocol) if protocol in gps_protocols(aircraft) else ""
        ports = gps_ports(aircraft)
        found["gps_port"] = next((p for p in ports if aircraft.value("HwSettings", p) == "GPS"), "")
    if aircraft.value("HwSettings", "OptionalModules.Battery") == "Enabled":
        found["cells"] = int(aircraft.value("FlightBatterySettings", "NbCells") or 0)
        found["capacity_mah"] = int(aircraft.value("FlightBatterySettings", "Capacity") or 0)
    return found
