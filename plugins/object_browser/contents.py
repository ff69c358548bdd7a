"""Contents of the browser: the objects recorded so far, and those the release has besides."""

from operator import is_

from plugins.object_browser.nodes import ObjectEntry
from plugins.object_browser.sources import ObjectSource
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.recording import Recording


class Contents:
    """The sources of one recording; grows as objects appear in it."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._seen: list[ObjectDefinition] = []
        self._sources: dict[int, dict[int, ObjectSource]] = {}
        self._metadata: dict[int, ObjectSource] = {}
        self._definitions: dict[int, ObjectDefinition] = {}
        self._absent: dict[int, ObjectSource] = {}

    @property
    def count(self) -> int:
        """How many objects were recorded."""
        return len(self._definitions)

    def counts(self) -> tuple[int, int]:
        """How many settings and how many data objects were recorded."""
        settings = sum(definition.settings for definition in self._definitions.values())
        return settings, self.count - settings

    @property
    def object_ids(self) -> tuple[int, ...]:
        """Their ids."""
        return tuple(self._definitions)

    def take_in(self) -> bool:
        """Look for objects and instances that are new, or defined anew since it turned out which
        release this is; True if there are any."""
        tracks = [t for t in self._recording.tracks() if t.definition.meta_of is None]
        definitions = [track.definition for track in tracks]
        if len(tracks) == len(self._seen) and all(map(is_, definitions, self._seen)):
            return False
        self._seen = definitions
        before = self._count_sources()
        known = {definition.object_id: definition for definition in definitions}
        anew = [i for i, old in self._definitions.items() if i in known and old != known[i]]
        for object_id in anew:
            self._sources.pop(object_id, None)
            self._metadata.pop(object_id, None)
        self._definitions |= known
        for track in tracks:
            object_id = track.definition.object_id
            instances = self._sources.setdefault(object_id, {})
            source = ObjectSource(known[object_id], track.instance, is_metadata=False)
            instances.setdefault(track.instance, source)
        return bool(anew) or before != self._count_sources()

    def _count_sources(self) -> int:
        return sum(len(instances) for instances in self._sources.values())

    def sources(self) -> tuple[ObjectSource, ...]:
        """Everything that follows the recording."""
        own = [source for instances in self._sources.values() for source in instances.values()]
        return (*own, *self._metadata.values())

    def entries(
        self, release: tuple[ObjectDefinition, ...], *, with_metadata: bool
    ) -> tuple[ObjectEntry, ...]:
        """The objects to list, by name; `release` adds those that were not received."""
        names = [definition.name for definition in self._definitions.values()]
        listed = [
            self._entry(definition, names.count(definition.name) > 1, with_metadata)
            for definition in self._definitions.values()
        ]
        for definition in release:
            if definition.name not in names:
                source = self._absent.setdefault(
                    definition.object_id, ObjectSource(definition, 0, is_metadata=False)
                )
                name = definition.name
                listed.append(ObjectEntry(definition, name, name, (source,), None))
        return tuple(sorted(listed, key=lambda entry: entry.title.lower()))

    def _entry(
        self, definition: ObjectDefinition, is_ambiguous: bool, with_metadata: bool
    ) -> ObjectEntry:
        object_id = definition.object_id
        instances = self._sources[object_id]
        sources = tuple(instances[number] for number in sorted(instances))
        title = f"{definition.name} ({object_id:08X})" if is_ambiguous else definition.name
        metadata = None
        if with_metadata:
            metadata = self._metadata.setdefault(object_id, ObjectSource(definition, 0, True))
        return ObjectEntry(definition, title.replace(" ", ""), title, sources, metadata)
