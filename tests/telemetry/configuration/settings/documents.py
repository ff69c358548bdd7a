"""Settings for tests of files: the defaults of a release, and some values that are not."""

from datetime import UTC, datetime

from telemetry.configuration.settings.document import SettingsDocument
from telemetry.configuration.settings.identity import Identity
from telemetry.configuration.settings.slots import read_values
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, row_of

WHO = Identity(
    0x0903, "1b0035001147333231343239", "RELEASE", datetime(2016, 9, 1, 12, tzinfo=UTC),
    "8c101adc", "c16640bc7d66645e6bef1e8d042b7c7b8f7af373",
)  # fmt: skip


def document(catalogue: Catalogue, release: str = DEFAULT_RELEASE) -> SettingsDocument:
    """Every settings object of a release with its defaults, and who flies it."""
    objects = {
        (d.name, 0): ObjectValues(d.name, 0, read_values(d, d.default_row()), d)
        for d in catalogue.release(release)
        if d.settings
    }
    return SettingsDocument(
        Snapshot("test", dict(sorted(objects.items()))), WHO, "Blue quad",
        datetime(2026, 5, 1, 10, tzinfo=UTC), "survey", 'new "propellers" & <more>',
    )  # fmt: skip


def one(
    catalogue: Catalogue, name: str, instance: int = 0, **values: float | str
) -> SettingsDocument:
    """A single object, with some values changed."""
    definition = catalogue.find(name)
    row = row_of(definition, pack_values(definition, values))
    held = ObjectValues(name, instance, read_values(definition, row), definition)
    return SettingsDocument(Snapshot("test", {(name, instance): held}), WHO)
