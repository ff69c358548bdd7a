"""Search of the tree: every word must occur in an object's name, a field, its units or elements."""

from collections.abc import Mapping

from plugins.object_browser.sources import ObjectSource, field_slice
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.recording.sample import Value


class NotDefault:
    """What a search admits, and of that only fields of settings that differ from their default in
    one of their instances, or are staged: `sources` come with their unsent values by path."""

    def __init__(
        self, search: "Search", sources: Mapping[ObjectSource, Mapping[str, Value]]
    ) -> None:
        self._search = search
        self.fields: dict[int, frozenset[str]] = {}
        for source, unsent in sources.items():
            object_id, form = source.definition.object_id, source.form
            staged = {path.partition(".")[0] for path in unsent} if source.is_setting else set()
            differ = (
                f.name
                for f in form.fields
                if f.name in staged or source.differs_from_default(field_slice(form, f, None))
            )
            known = self.fields.get(object_id, frozenset())
            self.fields[object_id] = known.union(differ)

    def admits(self, definition: ObjectDefinition) -> bool:
        """Whether the object was found and has such a field."""
        return any(self.admits_field(definition, f) for f in definition.fields)

    def admits_field(self, definition: ObjectDefinition, f: FieldDefinition) -> bool:
        """Whether the field was found and differs."""
        differ = self.fields.get(definition.object_id, frozenset())
        return f.name in differ and self._search.admits_field(definition, f)


class Search:
    """A filter for the tree; an empty text admits everything."""

    def __init__(self, text: str = "") -> None:
        self.words = tuple(text.lower().split())
        self._fields: dict[int, frozenset[str]] = {}

    @property
    def is_active(self) -> bool:
        """Whether anything is searched for."""
        return bool(self.words)

    def names_object(self, definition: ObjectDefinition) -> bool:
        """Whether the object's own name has all words."""
        name = definition.name.lower()
        return all(word in name for word in self.words)

    def admits(self, definition: ObjectDefinition) -> bool:
        """Whether the object, or one of its fields, has all words."""
        return self.names_object(definition) or bool(self._matching(definition))

    def admits_field(self, definition: ObjectDefinition, f: FieldDefinition) -> bool:
        """Whether to show a field: all of them where the object itself was found."""
        return self.names_object(definition) or f.name in self._matching(definition)

    def _matching(self, definition: ObjectDefinition) -> frozenset[str]:
        found = self._fields.get(definition.object_id)
        if found is None:
            found = frozenset(f.name for f in definition.fields if self._has_all(definition, f))
            self._fields[definition.object_id] = found
        return found

    def _has_all(self, definition: ObjectDefinition, f: FieldDefinition) -> bool:
        texts = (definition.name, f.name, f.units, *f.element_names)
        whole = "\n".join(texts).lower()
        return all(word in whole for word in self.words)
