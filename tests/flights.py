"""A short made-up flight and vehicles that show it, for tests of views and of the shell."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from telemetry.objects.catalogue import Catalogue, load_catalogue
from telemetry.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import (
    ChangeMetadata,
    Command,
    Commands,
    RestoreMetadata,
    Ticket,
    Write,
)
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle

LENGTH_S = 20.0
_HOME = {"Latitude": 489_466_000, "Longitude": 94_300_000, "Altitude": 270.0, "Set": "True"}


@cache
def catalogue() -> Catalogue:
    """The catalogue, loaded once for the whole run."""
    return load_catalogue()


class QuietCommands(Commands):
    """Takes every command and does nothing; `sent` remembers the objects written, `changed` those
    whose metadata were changed."""

    def __init__(self, refusal: str | None = None) -> None:
        self._refusal = refusal
        self.sent: list[tuple[str, Mapping[str, Any]]] = []
        self.changed: list[str] = []

    def refusal(self) -> str | None:
        return self._refusal

    def post(self, command: Command) -> Ticket:
        match command:
            case Write(name, values):
                self.sent.append((name, values))
            case ChangeMetadata(change):
                self.changed.append(change.name)
            case RestoreMetadata(change):
                change.end("Restored.")
        return Ticket()


def add(recording: Recording, t: float, name: str, **values: Any) -> None:
    """Append one sample of an object of the default release."""
    definition = catalogue().find(name)
    recording.append(t, definition, 0, pack_values(definition, values))


def short_flight() -> Recording:
    """Twenty seconds: armed at 5 s, a warning at 8 s, disarmed at 18 s."""
    recording = Recording(source="made up")
    add(recording, 0.0, "HomeLocation", **_HOME)
    add(recording, 0.0, "FlightStatus", Armed="Disarmed", FlightMode="Stabilized1")
    add(recording, 0.0, "SystemAlarms")
    for step in range(int(LENGTH_S * 10) + 1):
        t = step / 10
        if t == 5.0:
            add(recording, t, "FlightStatus", Armed="Armed", FlightMode="Stabilized1")
        if t == 8.0:
            add(recording, t, "SystemAlarms", **{"Alarm.Battery": "Warning"})
        if t == 18.0:
            add(recording, t, "FlightStatus", Armed="Disarmed", FlightMode="Stabilized1")
        add(recording, t, "AttitudeState", Roll=10 * math.sin(t), Pitch=5 * math.cos(t), Yaw=t * 9)
        add(recording, t, "PositionState", North=t, East=-t, Down=-t)
        if step % 10 == 0:
            add(recording, t, "BaroSensor", Altitude=270.0 + t)
            add(recording, t, "SystemStats", FlightTime=1000 * int(t))
    return recording


def live_vehicle(
    name: str = "sim:test",
    recording: Recording | None = None,
    on_close: Callable[[], None] = lambda: None,
) -> Vehicle:
    """A connected vehicle that shows the short flight and takes commands without effect."""
    vehicle = Vehicle(
        name, recording or short_flight(), catalogue(), QuietCommands(), on_close=on_close
    )
    vehicle.status = LinkStatus(state=LinkState.CONNECTED, objects_per_s=43.0, quality_percent=98)
    return vehicle


def replayed_vehicle(name: str = "flight.opl") -> Vehicle:
    """The short flight as if from a file; every command is refused."""
    commands = QuietCommands("Replaying a log: nothing is sent.")
    vehicle = Vehicle(name, short_flight(), catalogue(), commands)
    vehicle.timeline.end_live()
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    return vehicle
