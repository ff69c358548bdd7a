"""Log replay: a flight on disk as a vehicle, which refuses to be commanded."""

from pathlib import Path

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.logs.reader import LogReading
from telemetry.recording.recording import Recording
from telemetry.vehicle.commands import RefusedCommands
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle

REPLAY_REFUSAL = "Replaying a log: nothing is sent."


def replay_vehicle(reading: LogReading, catalogue: Catalogue | None = None) -> Vehicle:
    """The vehicle of a log that was read, named after its file.

    It has the definitions that travelled with the log; without them and without `catalogue`,
    those that come with the station.
    """
    recording = reading.recording
    name = Path(recording.source).name or "Log"
    commands = RefusedCommands(REPLAY_REFUSAL)
    definitions = reading.catalogue or catalogue or load_catalogue()
    vehicle = Vehicle(name, recording, definitions, commands)
    vehicle.timeline.end_live()
    vehicle.status = LinkStatus(
        state=LinkState.REPLAY,
        crc_errors=reading.info.crc_errors,
        junk_bytes=reading.info.junk_bytes,
        unknown_ids=reading.unknown_ids,
        unknown_frames=reading.info.unknown_frames,
        reason=" ".join(reading.warnings),
        release=reading.info.release or "",
    )
    return vehicle


def vehicle_without_log(name: str, reason: str, catalogue: Catalogue) -> Vehicle:
    """A vehicle for a flight whose log is not to be had, and why."""
    vehicle = Vehicle(name, Recording(), catalogue, RefusedCommands(REPLAY_REFUSAL))
    vehicle.timeline.end_live()
    vehicle.status = LinkStatus(state=LinkState.REPLAY, reason=reason)
    return vehicle
