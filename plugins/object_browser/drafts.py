"""Edited, unsent values. What differs from the board is computed, never a flag."""

from dataclasses import dataclass, field

from plugins.object_browser.sources import ObjectSource, SourceKey, field_slice
from telemetry.objects.definition import FieldDefinition
from telemetry.objects.values import pack_values
from telemetry.recording.sample import Value


def value_path(f: FieldDefinition, element: int | None) -> str:
    """How commands name a field, or one element of it."""
    return f.name if element is None else f"{f.name}.{f.element_label(element)}"


@dataclass
class Drafts:
    """Values by source and path. `version` rises with every change."""

    version: int = 0
    _values: dict[SourceKey, dict[str, Value]] = field(default_factory=dict)

    def set(
        self, source: ObjectSource, f: FieldDefinition, element: int | None, value: Value
    ) -> None:
        """Draft a value; one that is what the board has already takes the draft back.

        Raises ValueError naming field and reason if the field cannot hold it.
        """
        path = value_path(f, element)
        if self._is_on_board(source, f, element, value):
            self._values.get(source.key, {}).pop(path, None)
        else:
            self._values.setdefault(source.key, {})[path] = value
        self._drop_if_empty(source.key)
        self.version += 1

    def get(self, source: ObjectSource, f: FieldDefinition, element: int | None) -> Value | None:
        """The drafted value, or None."""
        values = self._values.get(source.key)
        return values.get(value_path(f, element)) if values else None

    def of(self, source: ObjectSource) -> dict[str, Value]:
        """All drafts of a source, by path."""
        return dict(self._values.get(source.key, {}))

    def count(self, source: ObjectSource) -> int:
        """How many values of a source are drafted."""
        return len(self._values.get(source.key, ()))

    def keys(self) -> tuple[SourceKey, ...]:
        """The sources that have drafts."""
        return tuple(self._values)

    def discard(self, source: ObjectSource) -> None:
        """Forget the drafts of a source."""
        if self._values.pop(source.key, None) is not None:
            self.version += 1

    def drop(self, key: SourceKey, values: dict[str, Value]) -> None:
        """Forget drafts that still have these values."""
        kept = self._values.get(key, {})
        for path, value in values.items():
            if kept.get(path) == value:
                del kept[path]
                self.version += 1
        self._drop_if_empty(key)

    def clear(self) -> None:
        """Forget all drafts."""
        self._values.clear()
        self.version += 1

    def settle(self, source: ObjectSource) -> None:
        """Drop drafts that the board has taken over, after a new sample of the source."""
        values = self._values.get(source.key)
        if not values or source.row is None:
            return
        for path in list(values):
            name, _, label = path.partition(".")
            f = source.form.field_named(name)
            element = f.element_index(label) if label else None
            if self._is_on_board(source, f, element, values[path]):
                del values[path]
                self.version += 1
        self._drop_if_empty(source.key)

    def _is_on_board(
        self, source: ObjectSource, f: FieldDefinition, element: int | None, value: Value
    ) -> bool:
        row = source.shown_row()
        start, stop = field_slice(source.form, f, element)
        packed = pack_values(source.form, {value_path(f, element): value}, row)
        return source.row is not None and packed[start:stop] == row.tobytes()[start:stop]

    def _drop_if_empty(self, key: SourceKey) -> None:
        if not self._values.get(key, True):
            del self._values[key]
