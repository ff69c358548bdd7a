"""Settings search by any word of a setting: object, field, element, or what it does."""

from collections.abc import Iterator
from dataclasses import dataclass

from telemetry.configuration.settings.slots import slots_of
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.recording import Recording

MOST = 60


@dataclass(frozen=True, slots=True)
class Found:
    """One setting, named as on the wire, and what it does."""

    name: str
    path: str
    description: str

    @property
    def title(self) -> str:
        """How a list shows it."""
        return f"{self.name}.{self.path}"


def find_settings(recording: Recording, catalogue: Catalogue, text: str) -> list[Found]:
    """Settings that have all words of `text`, those whose names have them first."""
    words = text.lower().split()
    if not words:
        return []
    named, described = [], []
    for found in _settings(recording, catalogue):
        title = found.title.lower()
        if all(word in title for word in words):
            named.append(found)
        elif all(word in title or word in found.description.lower() for word in words):
            described.append(found)
    return (named + described)[:MOST]


def _settings(recording: Recording, catalogue: Catalogue) -> Iterator[Found]:
    for name in recording.names():
        track = recording.track(name)
        if track is None or not track.definition.settings or track.definition.meta_of is not None:
            continue
        for path, slot in slots_of(track.definition).items():
            yield Found(name, path, catalogue.explain(name, slot.field))
