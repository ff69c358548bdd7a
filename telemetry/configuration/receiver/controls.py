"""Receiver controls: which channel each is on, between which pulses, and where it is.

Read from ManualControlSettings of any release; the controls are the elements of ChannelGroups.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.sample import Value

SETTINGS: Final = "ManualControlSettings"
COMMAND: Final = "ManualControlCommand"
FIELDS: Final = ("ChannelGroups", "ChannelNumber", "ChannelMin", "ChannelNeutral", "ChannelMax")
"""What is kept of each control."""
THROTTLE, ROLL, PITCH, YAW, FLIGHT_MODE = "Throttle", "Roll", "Pitch", "Yaw", "FlightMode"
COLLECTIVE: Final = "Collective"
NO_GROUP: Final = "None"
STATION: Final = "GCS"

_NO_PULSES_FROM: Final = 65533
"""Codes in the place of a pulse, from -1 down as OpenPilot and LibrePilot write them: timed out, no
such channel, no driver for the receiver. Tau Labs and dRonin begin with 0, and -1 is no channel."""
_TITLES: Final = {FLIGHT_MODE: "Flight mode", "Rssi": "RSSI"}


@dataclass(frozen=True, slots=True)
class Control:
    """One control: its receiver (`group`), channel (from 1, 0 for none) and pulses in µs."""

    name: str
    group: str
    number: int
    minimum: int
    neutral: int
    maximum: int

    @property
    def title(self) -> str:
        return title_of(self.name)

    @property
    def is_assigned(self) -> bool:
        """Whether it is on a channel."""
        return self.group != NO_GROUP and self.number > 0

    @property
    def is_reversed(self) -> bool:
        """Whether a longer pulse means less."""
        return self.minimum > self.maximum

    def scale(self, pulse: int) -> float:
        """A pulse as -1 to 1, 0 at neutral, as the firmware makes it."""
        is_above = (pulse - self.neutral) * (self.maximum - self.minimum) >= 0
        span = self.maximum - self.neutral if is_above else self.neutral - self.minimum
        return min(max((pulse - self.neutral) / span, -1.0), 1.0) if span else 0.0


def title_of(name: str) -> str:
    return _TITLES.get(name, name)


def receiver_words(group: str) -> str:
    """A kind of receiver in a sentence."""
    return "the station" if group == STATION else f"the {group} receiver"


def control_names(definition: ObjectDefinition | None) -> tuple[str, ...]:
    """The controls of a release, in the order of its channels."""
    if definition is None or not definition.has_field("ChannelGroups"):
        return ()
    f = definition.field_named("ChannelGroups")
    return tuple(f.element_label(i) for i in range(f.elements))


def read_controls(
    definition: ObjectDefinition | None, values: Mapping[str, Value]
) -> tuple[Control, ...]:
    """All controls, from values by path."""
    return tuple(
        Control(
            name,
            str(values.get(f"ChannelGroups.{name}", NO_GROUP)),
            *(int(values.get(f"{field}.{name}", 0)) for field in FIELDS[1:]),
        )
        for name in control_names(definition)
    )


def why_no_pulse(control: Control, raw: int | None) -> str:
    """Why there is no pulse where `raw` stands; empty if it is one."""
    if not control.is_assigned:
        return "Not assigned"
    if raw is None:
        return "Not received yet"
    if raw in (0, 65535) and control.group == STATION:
        return "No signal: this station sends no sticks"
    if raw == 0:
        return f"No signal: is the transmitter on, and bound to {control.group}?"
    if raw == 65535:
        return (
            f"No signal on channel {control.number}: is the transmitter on, bound to "
            f"{control.group}, and has it so many channels?"
        )
    if raw == 65534:
        return (
            f"{control.group} has no channel {control.number}, or no port is set up for it "
            "(Hardware)"
        )
    if raw == _NO_PULSES_FROM:
        return f"No port is set up for {control.group} (Hardware)"
    return ""
