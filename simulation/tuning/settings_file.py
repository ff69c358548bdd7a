"""Settings file of chosen gains, for `lapwing settings` and *Configure*; nothing is sent."""

from pathlib import Path

from simulation.autopilot.preset import Preset
from simulation.tuning.gains import BANK, GainSet
from telemetry.configuration.settings.document import SettingsDocument
from telemetry.configuration.settings.files import write_settings
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue


def save_gains(path: Path, gains: GainSet, preset: Preset, catalogue: Catalogue) -> None:
    """Write a `.settings.toml` or `.uav` that has these gains and nothing else. Raises
    SettingsError for another suffix, and OSError."""
    definition = catalogue.find(BANK, DEFAULT_RELEASE)
    values = ObjectValues(BANK, 0, gains.as_settings(), definition)
    name = preset.objects.get("SystemSettings", {}).get("VehicleName", preset.name)
    document = SettingsDocument(
        Snapshot(path.name, {(BANK, 0): values}),
        aircraft=str(name),
        purpose="tuning",
        note="Gains that 'lapwing tune' has found.",
    )
    write_settings(path, document)
