"""The rows of the object tree and what each says. No Qt in here.

Keys name rows across rebuilds ("SystemStats", "Waypoint[2].Position.North", "SystemStats@meta"),
so that what is expanded and selected survives a search or a new object.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from plugins.object_browser.drafts import Drafts
from plugins.object_browser.errands import Errand
from plugins.object_browser.sources import (
    GLOW_S,
    Source,
    SourceKey,
    default_row,
    field_slice,
)
from telemetry.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.recording.sample import Value, read_element
from widgets.forms.formats import (
    format_age,
    format_elements,
    format_value,
    is_hex,
    is_text,
    shown_units,
)

NAME, VALUE, UNIT, DEFAULT, AGE = range(5)
COLUMN_TITLES = ("Name", "Value", "Unit", "Default", "Age")
_LONGEST_LINE = 64


@dataclass
class Scene:
    """What all rows look at: the cursor, the clock of the glow, drafts and commands under way."""

    t: float = 0.0
    clock_s: float = 0.0
    drafts: Drafts = field(default_factory=Drafts)
    errands: dict[SourceKey, Errand] = field(default_factory=dict)


class Filter(Protocol):
    """Decides which objects and fields a search shows."""

    def admits(self, definition: ObjectDefinition) -> bool: ...

    def admits_field(self, definition: ObjectDefinition, f: FieldDefinition) -> bool: ...


class Node:
    """One row. Children are made when they are first asked for."""

    def __init__(self, key: str, name: str, parent: "Node | None", row: int) -> None:
        self.key = key
        self.name = name
        self.parent = parent
        self.row = row

    @cached_property
    def children(self) -> tuple["Node", ...]:
        return self.make_children()

    def make_children(self) -> tuple["Node", ...]:
        return ()

    @property
    def has_children(self) -> bool:
        return bool(self.children)

    def text(self, column: int, scene: Scene) -> str:
        return self.name if column == NAME else ""

    def glow(self, scene: Scene) -> float:
        """How strongly this row glows, 1 just after a change to 0."""
        return 0.0

    def is_faint(self) -> bool:
        """Whether nothing has been received here."""
        return False

    def is_draft(self, scene: Scene) -> bool:
        return False

    def differs_from_default(self, scene: Scene) -> bool:
        return False

    def stamp(self, scene: Scene) -> tuple[object, ...]:
        """Changes whenever the row has to be painted anew."""
        return ()


class GroupNode(Node):
    """A heading: settings, data objects, or a category of them."""

    def __init__(
        self,
        key: str,
        name: str,
        parent: Node | None,
        row: int,
        fill: Callable[[Node], tuple[Node, ...]],
        count: int,
    ) -> None:
        super().__init__(key, name, parent, row)
        self._fill = fill
        self.count = count

    def make_children(self) -> tuple[Node, ...]:
        return self._fill(self)

    @property
    def has_children(self) -> bool:
        return self.count > 0

    def text(self, column: int, scene: Scene) -> str:
        if column == VALUE:
            return f"{self.count} object{'' if self.count == 1 else 's'}"
        return super().text(column, scene)


class SourceNode(Node):
    """A row that stands for a whole source: an object, an instance, or metadata."""

    def __init__(self, key: str, name: str, parent: Node | None, row: int, source: Source) -> None:
        super().__init__(key, name, parent, row)
        self.source = source

    def text(self, column: int, scene: Scene) -> str:
        if column == VALUE:
            return self.state_text(scene)
        if column == AGE:
            source = self.source
            return format_age(max(0.0, scene.t - source.t)) if source.is_received else "—"
        return super().text(column, scene)

    def state_text(self, scene: Scene) -> str:
        """What is going on with this source, in a few words."""
        errand = scene.errands.get(self.source.key)
        count = scene.drafts.count(self.source)
        if errand is not None and (errand.state == "waiting" or not count):
            return errand.text
        if count:
            return f"{count} change{'' if count == 1 else 's'} not sent"
        return "" if self.source.is_received else "Not received"

    def glow(self, scene: Scene) -> float:
        return _glow(self.source.changed_at, scene)

    def is_faint(self) -> bool:
        return not self.source.is_received

    def is_draft(self, scene: Scene) -> bool:
        return scene.drafts.count(self.source) > 0

    def stamp(self, scene: Scene) -> tuple[object, ...]:
        return (
            self.state_text(scene),
            self.text(AGE, scene),
            self.glow(scene),
            self.is_faint(),
        )


class InstanceNode(SourceNode):
    """A source with its fields below it."""

    def __init__(
        self,
        key: str,
        name: str,
        parent: Node | None,
        row: int,
        source: Source,
        fields: tuple[FieldDefinition, ...],
    ) -> None:
        super().__init__(key, name, parent, row, source)
        self._fields = fields

    def make_children(self) -> tuple[Node, ...]:
        return _field_nodes(self, self.source, self._fields)

    @property
    def has_children(self) -> bool:
        return bool(self._fields)


class ObjectNode(SourceNode):
    """An object: its fields, or its instances, and its metadata where that is wanted."""

    def __init__(self, parent: Node, row: int, entry: "ObjectEntry", found: Filter) -> None:
        super().__init__(entry.key, entry.title, parent, row, entry.sources[0])
        self.entry = entry
        self._filter = found

    @property
    def has_children(self) -> bool:
        return True

    def make_children(self) -> tuple[Node, ...]:
        entry = self.entry
        definition = entry.definition
        fields = tuple(f for f in definition.fields if self._filter.admits_field(definition, f))
        rows: list[Node] = []
        if definition.single_instance and len(entry.sources) == 1:
            rows += _field_nodes(self, self.source, fields)
        else:
            rows += (
                InstanceNode(
                    f"{self.key}[{source.instance}]",
                    f"Instance {source.instance}",
                    self,
                    row,
                    source,
                    fields,
                )
                for row, source in enumerate(entry.sources)
            )
        if entry.metadata is not None:
            form = entry.metadata.form
            key = f"{self.key}@meta"
            rows.append(InstanceNode(key, "Metadata", self, len(rows), entry.metadata, form.fields))
        return tuple(rows)

    def _sources(self) -> tuple[Source, ...]:
        entry = self.entry
        return entry.sources if entry.metadata is None else (*entry.sources, entry.metadata)

    def state_text(self, scene: Scene) -> str:
        own = super().state_text(scene)
        count = sum(scene.drafts.count(source) for source in self._sources())
        errand = scene.errands.get(self.source.key)
        if count and (errand is None or errand.state != "waiting"):
            return f"{count} change{'' if count == 1 else 's'} not sent"
        if own or len(self.entry.sources) == 1:
            return own
        return f"{len(self.entry.sources)} instances"

    def glow(self, scene: Scene) -> float:
        return max(_glow(source.changed_at, scene) for source in self.entry.sources)

    def is_draft(self, scene: Scene) -> bool:
        return any(scene.drafts.count(source) for source in self._sources())


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of a source, or one element of it."""

    source: Source
    field: FieldDefinition
    element: int | None = None


class ValueNode(Node):
    """A row that shows a value: a field, or one element of it."""

    def __init__(self, key: str, name: str, parent: Node, row: int, cell: Cell) -> None:
        super().__init__(key, name, parent, row)
        self.source = source = cell.source
        self.field = f = cell.field
        self.element = element = cell.element
        self._slice = field_slice(source.form, f, element)
        self._is_measured = not source.form.settings and not source.key.is_metadata
        self._cached: tuple[int, str] = (-1, "")
        source.watch(self._slice)

    @property
    def is_editable(self) -> bool:
        """Whether a value can be typed here; arrays are edited element by element."""
        return self.element is not None or self.field.elements == 1 or is_text(self.field)

    def board_value(self) -> Value | tuple[Value, ...]:
        """What the aircraft has, or the default where nothing was received."""
        value: Value | tuple[Value, ...] = read_element(
            self.source.shown_row(), self.field, self.element
        )
        return value

    def value(self, scene: Scene) -> Value | tuple[Value, ...]:
        """The draft, if there is one, else what the aircraft has."""
        draft = scene.drafts.get(self.source, self.field, self.element)
        return self.board_value() if draft is None else draft

    def board_text(self) -> str:
        """What the aircraft has, as text."""
        if self._cached[0] != self.source.version:
            text = self._format(self.board_value(), is_measured=self._is_measured)
            self._cached = (self.source.version, text)
        return self._cached[1]

    def _format(self, value: Value | tuple[Value, ...], *, is_measured: bool = False) -> str:
        if isinstance(value, tuple):
            return format_elements(self.field, value, is_measured=is_measured)
        return format_value(self.field, value, is_measured=is_measured)

    @cached_property
    def default_text(self) -> str:
        """The default, empty where none is meant."""
        if self.source.key.is_metadata or not self.field.defaults:
            return ""
        row = default_row(self.source.definition)
        return self._format(read_element(row, self.field, self.element))

    def text(self, column: int, scene: Scene) -> str:
        if column == VALUE:
            text = self._format(self.value(scene)) if self.is_draft(scene) else self.board_text()
            return text if len(text) <= _LONGEST_LINE else text[: _LONGEST_LINE - 1] + "…"
        if column == UNIT:
            return shown_units(self.field)
        if column == DEFAULT:
            mark = "≠ " if self.differs_from_default(scene) else ""
            return mark + self.default_text
        return super().text(column, scene)

    def glow(self, scene: Scene) -> float:
        return _glow(self.source.part_changed_at(self._slice), scene)

    def is_faint(self) -> bool:
        return not self.source.is_received

    def is_draft(self, scene: Scene) -> bool:
        return scene.drafts.get(self.source, self.field, self.element) is not None

    def differs_from_default(self, scene: Scene) -> bool:
        if not self.source.form.settings or not self.source.is_received or not self.default_text:
            return False
        start, stop = self._slice
        default = default_row(self.source.definition).tobytes()[start:stop]
        return self.source.shown_row().tobytes()[start:stop] != default

    def stamp(self, scene: Scene) -> tuple[object, ...]:
        return (self.text(VALUE, scene), self.glow(scene), self.is_faint(), self.is_draft(scene))


class FieldNode(ValueNode):
    """A field; below it its elements, where there are several that are not one text."""

    @property
    def has_children(self) -> bool:
        f = self.field
        return f.elements > 1 and not is_text(f) and not (is_hex(f) and f.type.size == 1)

    def make_children(self) -> tuple[Node, ...]:
        if not self.has_children:
            return ()
        f = self.field
        labels = [f.element_label(index) for index in range(f.elements)]
        return tuple(
            ValueNode(f"{self.key}.{label}", label, self, index, Cell(self.source, f, index))
            for index, label in enumerate(labels)
        )

    def is_draft(self, scene: Scene) -> bool:
        return super().is_draft(scene) or bool(self._drafted(scene))

    def value(self, scene: Scene) -> Value | tuple[Value, ...]:
        drafted = self._drafted(scene)
        value = super().value(scene)
        if not drafted or not isinstance(value, tuple):
            return value
        labels = [self.field.element_label(index) for index in range(self.field.elements)]
        return tuple(drafted.get(label, own) for label, own in zip(labels, value, strict=True))

    def _drafted(self, scene: Scene) -> dict[str, Value]:
        """Drafts of single elements, by label."""
        if not scene.drafts.count(self.source):
            return {}
        prefix = f"{self.field.name}."
        drafts = scene.drafts.of(self.source)
        return {
            path.removeprefix(prefix): value
            for path, value in drafts.items()
            if path.startswith(prefix)
        }


def _field_nodes(
    parent: Node, source: Source, fields: tuple[FieldDefinition, ...]
) -> tuple[Node, ...]:
    return tuple(
        FieldNode(f"{parent.key}.{f.name}", f.name, parent, row, Cell(source, f))
        for row, f in enumerate(fields)
    )


@dataclass(frozen=True)
class ObjectEntry:
    """An object as the tree lists it: its version, its instances, its metadata if shown."""

    definition: ObjectDefinition
    key: str
    title: str
    sources: tuple[Source, ...]
    metadata: Source | None


def _glow(changed_at: float, scene: Scene) -> float:
    return max(0.0, 1.0 - (scene.clock_s - changed_at) / GLOW_S)


def build_groups(
    entries: tuple[ObjectEntry, ...], found: Filter, *, by_category: bool
) -> tuple[Node, ...]:
    """The top rows of the tree: settings and data objects, with what the filter admits."""
    shown = [entry for entry in entries if found.admits(entry.definition)]
    groups: list[Node] = []
    for key, name, is_settings in (
        ("*settings", "Settings", True),
        ("*data", "Data objects", False),
    ):
        part = tuple(entry for entry in shown if entry.definition.settings == is_settings)
        if part:
            fill = _category_filler(part, found) if by_category else _object_filler(part, found)
            groups.append(GroupNode(key, name, None, len(groups), fill, len(part)))
    return tuple(groups)


def _object_filler(
    entries: tuple[ObjectEntry, ...], found: Filter
) -> Callable[[Node], tuple[Node, ...]]:
    return lambda parent: tuple(
        ObjectNode(parent, row, entry, found) for row, entry in enumerate(entries)
    )


def _category_filler(
    entries: tuple[ObjectEntry, ...], found: Filter
) -> Callable[[Node], tuple[Node, ...]]:
    grouped: dict[str, list[ObjectEntry]] = {}
    for entry in entries:
        grouped.setdefault(entry.definition.category or "Without category", []).append(entry)
    return lambda parent: tuple(
        GroupNode(
            f"{parent.key}/{name}",
            name,
            parent,
            row,
            _object_filler(tuple(grouped[name]), found),
            len(grouped[name]),
        )
        for row, name in enumerate(sorted(grouped))
    )
