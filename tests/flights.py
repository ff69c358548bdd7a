"""A short made-up flight and vehicles that show it, for tests of views and of the shell."""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

from telemetry.objects.catalogue import Catalogue, load_catalogue
from telemetry.objects.metadata import Metadata
from telemetry.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.vehicle.metadata_loan import Change, MetadataLoan
from telemetry.vehicle.output_drive import OutputDrive
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Operation, Ticket, Vehicle

LENGTH_S = 20.0
_HOME = {"Latitude": 489_466_000, "Longitude": 94_300_000, "Altitude": 270.0, "Set": "True"}


@cache
def catalogue() -> Catalogue:
    """The catalogue, loaded once for the whole run."""
    return load_catalogue()


class QuietCommands:
    """Takes every command and does nothing; `sent` remembers the objects written."""

    def __init__(self, refusal: str | None = None) -> None:
        self._refusal = refusal
        self.sent: list[tuple[str, Mapping[str, Any]]] = []
        self.borrowed: list[str] = []

    def refusal(self) -> str | None:
        return self._refusal

    def send(self, name: str, values: Mapping[str, Any], instance: int = 0) -> Ticket:
        self.sent.append((name, values))
        return Ticket()

    def request(self, name: str, instance: int = 0) -> Ticket:
        return Ticket()

    def persist(self, operation: Operation, name: str, instance: int = 0) -> Ticket:
        return Ticket()

    def set_metadata(self, name: str, metadata: Metadata) -> Ticket:
        return Ticket()

    def borrow_metadata(self, name: str, change: Change) -> MetadataLoan:
        self.borrowed.append(name)
        return MetadataLoan(name, change, lambda loan: loan.end("Given back."))

    def set_sticks(self, sticks: Sticks | None) -> None:
        pass

    def drive_outputs(self, drive: OutputDrive | None) -> None:
        pass


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


def live_vehicle(name: str = "sim:test", recording: Recording | None = None) -> Vehicle:
    """A connected vehicle that shows the short flight and takes commands without effect."""
    vehicle = Vehicle(name, recording or short_flight(), catalogue(), QuietCommands())
    vehicle.status = LinkStatus(state=LinkState.CONNECTED, objects_per_s=43.0, quality_percent=98)
    return vehicle


def replayed_vehicle(name: str = "flight.opl") -> Vehicle:
    """The short flight as if from a file; every command is refused."""
    commands = QuietCommands("Replaying a log: nothing is sent.")
    vehicle = Vehicle(name, short_flight(), catalogue(), commands)
    vehicle.timeline.end_live()
    vehicle.status = LinkStatus(state=LinkState.REPLAY)
    return vehicle
