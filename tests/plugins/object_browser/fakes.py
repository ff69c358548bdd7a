"""An aircraft that does what the test says."""

from concurrent.futures import Executor, Future
from typing import Any, Literal

from plugins.api import VehicleContext
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, load_catalogue
from telemetry.protocol.objects.metadata import Metadata, metaobject
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import (
    Command,
    Commands,
    Persist,
    Request,
    SetMetadata,
    Ticket,
    Write,
)
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from widgets.theme import load_theme

CATALOGUE = load_catalogue()


class FakeCommands(Commands):
    """Notes what was asked; the test finishes the tickets. What was sent and is answered with
    "done" is in the recording from then on, unless the board `is_deaf`."""

    def __init__(self, recording: Recording | None = None) -> None:
        self.recording = recording
        self.is_deaf = False
        self.reason: str | None = None
        self.asked: list[tuple[Any, ...]] = []
        self.tickets: list[Ticket] = []

    def refusal(self) -> str | None:
        return self.reason

    def post(self, command: Command) -> Ticket:
        match command:
            case Write(name, values, instance):
                self.asked.append(("send", name, values, instance))
            case Request(name, instance):
                self.asked.append(("request", name, instance))
            case Persist(operation, name, instance):
                self.asked.append(("persist", operation, name, instance))
            case SetMetadata(name, metadata):
                self.asked.append(("set_metadata", name, metadata))
            case _:
                raise AssertionError(f"the browser must not ask for {command}")
        self.tickets.append(Ticket())
        return self.tickets[-1]

    @property
    def is_reading(self) -> bool:
        """Whether an object is awaited."""
        return self.asked[-1][0] == "request" and not self.tickets[-1].is_finished

    @property
    def written(self) -> list[tuple[Any, ...]]:
        """What was asked, but for reading."""
        return [asked for asked in self.asked if asked[0] != "request"]

    def finish(self, state: Literal["done", "failed"], text: str = "") -> None:
        """Answer what was asked last."""
        kind, *rest = self.asked[-1]
        if kind == "send" and state == "done" and not self.is_deaf and self.recording is not None:
            name, values, instance = rest
            definition = CATALOGUE.find(name)
            track = self.recording.track(name, instance)
            row = track.sample(track.count - 1).row if track is not None else None
            payload = pack_values(definition, values, row)
            self.recording.append(self.recording.last_s, definition, instance, payload)
        self.tickets[-1].finish(state, text)

    def set_sticks(self, sticks: Sticks | None) -> None:
        raise AssertionError("the browser does not fly")


class DirectJobs(Executor):
    """Runs a job at once."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def record(recording: Recording, t: float, name: str, instance: int = 0, **values: Any) -> None:
    """Have an object arrive at `t`."""
    definition = CATALOGUE.find(name)
    recording.append(t, definition, instance, pack_values(definition, values))


def record_metadata(recording: Recording, t: float, name: str, metadata: Metadata) -> None:
    """Have an object's metadata arrive at `t`."""
    recording.append(t, metaobject(CATALOGUE.find(name)), 0, metadata.pack(8))


def make_recording() -> Recording:
    """Ten seconds with one settings object, two data objects and three waypoints."""
    recording = Recording()
    record(recording, 0.0, "StabilizationSettingsBank1", RollMax=30)
    record(recording, 0.0, "SystemSettings", VehicleName="Lapwing")
    for number in range(3):
        record(recording, 0.5, "Waypoint", number, Velocity=number)
    record_metadata(recording, 0.5, "AttitudeState", Metadata.of(CATALOGUE.find("AttitudeState")))
    for second in range(11):
        record(recording, float(second), "AttitudeState", Roll=second, Pitch=1.0)
        record(recording, float(second), "FlightStatus", FlightMode="Stabilized1")
    return recording


def make_context(recording: Recording) -> tuple[VehicleContext, FakeCommands]:
    """A context with one live vehicle."""
    fleet = Fleet()
    commands = FakeCommands(recording)
    vehicle = Vehicle("test", recording, CATALOGUE, commands)
    vehicle.status = LinkStatus(state=LinkState.CONNECTED, release=DEFAULT_RELEASE)
    fleet.add(vehicle)
    return VehicleContext(fleet, load_theme("light"), DirectJobs()), commands
