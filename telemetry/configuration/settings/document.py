"""Settings document, what a file or a set holds: a snapshot, whose, from when and what for."""

from dataclasses import dataclass, field
from datetime import datetime

from telemetry.configuration.settings.identity import Identity
from telemetry.configuration.settings.snapshot import Snapshot


class SettingsError(ValueError):
    """Settings cannot be read or written; one sentence for the user."""


@dataclass(frozen=True, slots=True)
class SettingsDocument:
    """A snapshot, whose it is, when it was taken, what for, and a note. All but the first may be
    empty."""

    snapshot: Snapshot
    identity: Identity = field(default_factory=Identity)
    aircraft: str = ""
    date: datetime | None = None
    purpose: str = ""
    note: str = ""
    airframe: str = ""


def aircraft_name(snapshot: Snapshot) -> str:
    """What the owner called the aircraft, in its own settings; empty where he did not."""
    system = snapshot.objects.get(("SystemSettings", 0))
    return str(system.values.get("VehicleName", "")) if system else ""
