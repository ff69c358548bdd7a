"""Receiver choices: the port of the pilot's commands, and which channel is which stick."""

from dataclasses import dataclass
from typing import Final

from telemetry.configuration.airframe.airframe import GROUND
from telemetry.configuration.assistant.aircraft import AssistedAircraft, WantedValues
from telemetry.configuration.assistant.answers import Answers
from telemetry.configuration.assistant.outputs import family_of
from telemetry.configuration.receiver.check import is_unassigned, needed_controls
from telemetry.recording.sample import Value

STATION: Final = "GCS"
_MANUAL = "ManualControlSettings"
_ROLES: Final = {
    **{role: (role, role) for role in ("PWM", "PPM", "S.Bus", "DSM", "EX.Bus", "SRXL", "IBus")},
    "PWM+NoOneShot": ("PWM", "PWM"),
    "PPM+NoOneShot": ("PPM", "PPM"),
    "PPM_PIN8+OneShot": ("PPM on pin 8", "PPM"),
    "HoTT SUMD": ("HoTT SUMD", "HoTT"),
    "HoTT SUMH": ("HoTT SUMH", "HoTT"),
}
"""What a port can be for that brings sticks: in words, and as ChannelGroups calls it."""
_STATION_CHANNELS: Final = {
    **{"Throttle": 1, "Roll": 2, "Pitch": 3, "Yaw": 4, "FlightMode": 5},
    "Accessory0": 7,
}
"""The order of a station's sticks in GCSReceiver (telemetry/vehicle/sticks.py)."""
ORDERS: Final = {
    "TAER": {"Throttle": 1, "Roll": 2, "Pitch": 3, "Yaw": 4},
    "AETR": {"Roll": 1, "Pitch": 2, "Throttle": 3, "Yaw": 4},
}
"""The usual orders of a receiver's channels (aileron, elevator, throttle, rudder)."""
_FURTHER: Final = {"FlightMode": 5, "Accessory0": 6}
_PULSES_US: Final = {"Min": 1000, "Neutral": 1500, "Max": 2000}
_LOW_THROTTLE_US: Final = 1040
"""Neutral of a throttle is where it counts as down: 4 % above its end. That of a ground vehicle
stays in the middle: it drives backwards below (LibrePilot's station writes both so)."""


@dataclass(frozen=True, slots=True)
class ReceiverChoice:
    """A way for the pilot's commands: `field` of HwSettings is the port, "" for none."""

    id: str
    title: str
    group: str
    field: str = ""
    role: str = ""


def receiver_choices(aircraft: AssistedAircraft) -> tuple[ReceiverChoice, ...]:
    """What can be plugged into this board, and the station itself."""
    groups = aircraft.options(_MANUAL, "ChannelGroups")
    found = [choice for choice in _port_choices(aircraft) if choice.group in groups]
    kind = aircraft.kind
    if kind is None:
        found = [
            ReceiverChoice(group, group, group)
            for group in groups
            if group not in (STATION, "OPLink", "OpenLRS", "None")
        ]
    elif kind.has_radio and "OPLink" in groups:
        found.append(ReceiverChoice("OPLink", "The board's own radio (OPLink)", "OPLink"))
    if STATION in groups:
        found.append(
            ReceiverChoice(STATION, "This station's virtual transmitter, no receiver", STATION)
        )
    return tuple(found)


def receiver_of(answers: Answers, aircraft: AssistedAircraft) -> ReceiverChoice | None:
    """The chosen receiver, if this board can have it."""
    return next((c for c in receiver_choices(aircraft) if c.id == answers.receiver), None)


def propose_receiver(answers: Answers, aircraft: AssistedAircraft) -> WantedValues:
    """The port's use and the channels. An assignment from the same receiver is left alone: it was
    measured with the transmitter at hand."""
    choice = receiver_of(answers, aircraft)
    if choice is None:
        return {}
    wanted: WantedValues = {_MANUAL: {}}
    if choice.field:
        wanted["HwSettings"] = {choice.field: choice.role}
    if not is_assigned(choice, aircraft):
        wanted[_MANUAL] = _assignment(choice, answers, aircraft)
    return wanted


def is_assigned(choice: ReceiverChoice, aircraft: AssistedAircraft) -> bool:
    """Whether all that the firmware asks for comes from that receiver already."""
    manual = aircraft.values(_MANUAL)
    return all(
        manual.get(f"ChannelGroups.{control}") == choice.group
        and not is_unassigned(manual, control)
        for control in needed_controls(aircraft.values)
    )


def _assignment(
    choice: ReceiverChoice, answers: Answers, aircraft: AssistedAircraft
) -> dict[str, Value]:
    channels = {**ORDERS.get(answers.channel_order, ORDERS["TAER"]), **_FURTHER}
    if choice.group == STATION:
        channels = _STATION_CHANNELS
    values: dict[str, Value] = {}
    for control, number in channels.items():
        if f"ChannelGroups.{control}" not in aircraft.values(_MANUAL):
            continue
        values[f"ChannelGroups.{control}"] = choice.group
        values[f"ChannelNumber.{control}"] = number
        for end, pulse_us in _PULSES_US.items():
            values[f"Channel{end}.{control}"] = pulse_us
    if "ChannelNeutral.Throttle" in values and family_of(answers) != GROUND:
        values["ChannelNeutral.Throttle"] = _LOW_THROTTLE_US
    return values


def _port_choices(aircraft: AssistedAircraft) -> list[ReceiverChoice]:
    found = []
    for port in aircraft.kind.ports if aircraft.kind is not None else ():
        for role in aircraft.options("HwSettings", port.field):
            if role not in _ROLES:
                continue
            words, group = _ROLES[role]
            if group == "DSM":
                group = f"DSM ({port.field.rpartition('_')[2]})"
            title = f"{words} on the {port.title.lower()} port"
            found.append(ReceiverChoice(f"{role}@{port.field}", title, group, port.field, role))
    return found
