"""A vehicle on the ground whose commands only note what they are given."""

from collections.abc import Mapping
from typing import Any

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import Command, Commands, Ticket
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle

POSITIONS = (
    "Stabilized1",
    "Stabilized2",
    "AutoTakeoff",
    "PositionHold",
    "Land",
    "ReturnToBase",
)
CHANNELS = {"Throttle": 1, "Roll": 2, "Pitch": 3, "Yaw": 4, "FlightMode": 5, "Accessory0": 7}


class NotingCommands(Commands):
    """Keeps every stick reading that was handed over."""

    def __init__(self) -> None:
        self.sticks: list[Sticks | None] = []
        self.why_not: str | None = None

    def refusal(self) -> str | None:
        return self.why_not

    def post(self, command: Command) -> Ticket:
        raise AssertionError(f"the pilot must only move sticks, not {command}")

    def set_sticks(self, sticks: Sticks | None) -> None:
        self.sticks.append(sticks)


class Ground:
    """A recording that tests fill by object name."""

    def __init__(self) -> None:
        self.catalogue: Catalogue = load_catalogue()
        self.recording = Recording("test")
        self.commands = NotingCommands()
        self.vehicle = Vehicle("quad", self.recording, self.catalogue, self.commands)
        self.vehicle.status = LinkStatus(state=LinkState.CONNECTED)

    def say(self, t: float, name: str, values: Mapping[str, Any]) -> None:
        """Record what the aircraft reports at `t`."""
        definition = self.catalogue.find(name, DEFAULT_RELEASE)
        self.recording.append(t, definition, 0, pack_values(definition, values))

    def settings(
        self,
        source: str = "GCS",
        positions: tuple[str, ...] = POSITIONS,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        """Record settings under which the aircraft listens to `source`."""
        groups = {f"ChannelGroups.{channel}": source for channel in CHANNELS}
        numbers = {f"ChannelNumber.{name}": number for name, number in CHANNELS.items()}
        manual = {**groups, **numbers, "FlightModeNumber": len(positions)}
        manual["ChannelNeutral.Throttle"] = 1040  # below it the throttle is low
        self.say(0.0, "ManualControlSettings", {**manual, **(more or {})})
        modes = {"FlightModePosition": list(positions), "Arming": "Accessory 0"}
        self.say(0.0, "FlightModeSettings", modes)

    def status(self, t: float, armed: str, mode: str = "Stabilized1", thrust: float = 0.0) -> None:
        """Record arming, mode and thrust."""
        self.say(t, "FlightStatus", {"Armed": armed, "FlightMode": mode})
        self.say(t, "ActuatorDesired", {"Thrust": thrust})
