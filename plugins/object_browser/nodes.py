"""Tree nodes that hold others: headings, objects, their instances and their metadata. No Qt."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from plugins.object_browser.rows import AGE, RATE, VALUE, RowContext, TreeNode, glow_of
from plugins.object_browser.sources import ObjectSource
from plugins.object_browser.values import field_nodes, summary_of
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from widgets.forms.formats import format_age, format_rate


class Filter(Protocol):
    """Decides which objects and fields a search shows."""

    def admits(self, definition: ObjectDefinition) -> bool: ...

    def admits_field(self, definition: ObjectDefinition, f: FieldDefinition) -> bool: ...


class GroupNode(TreeNode):
    """A heading: settings, data objects, or a category of them."""

    def __init__(
        self,
        key: str,
        name: str,
        parent: TreeNode | None,
        row: int,
        fill: Callable[[TreeNode], tuple[TreeNode, ...]],
        count: int,
    ) -> None:
        super().__init__(key, name, parent, row)
        self._fill = fill
        self.count = count

    def make_children(self) -> tuple[TreeNode, ...]:
        return self._fill(self)

    @property
    def has_children(self) -> bool:
        return self.count > 0

    def text(self, column: int, scene: RowContext) -> str:
        if column == VALUE:
            return f"{self.count} object{'' if self.count == 1 else 's'}"
        return super().text(column, scene)


class SourceNode(TreeNode):
    """A row that stands for a whole source, an object, an instance, or metadata, with these of its
    fields below it."""

    def __init__(
        self,
        key: str,
        name: str,
        parent: TreeNode | None,
        row: int,
        source: ObjectSource,
        fields: tuple[FieldDefinition, ...] = (),
    ) -> None:
        super().__init__(key, name, parent, row)
        self.source = source
        self._fields = fields
        self._cached: tuple[int, str] = (-1, "")

    def make_children(self) -> tuple[TreeNode, ...]:
        return field_nodes(self, self.source, self._fields)

    @property
    def has_children(self) -> bool:
        return bool(self._fields)

    def text(self, column: int, scene: RowContext) -> str:
        if column == VALUE:
            return self.state_text(scene) or self.summary()
        source = self.source
        if column == AGE:
            return format_age(max(0.0, scene.t - source.t)) if source.is_received else "—"
        if column == RATE:
            is_measured = not source.form.settings and not source.key.is_metadata
            return format_rate(source.rate_hz(scene.t)) if is_measured else ""
        return super().text(column, scene)

    def summary(self) -> str:
        """The first values, for a glance."""
        if self._cached[0] != self.source.version:
            self._cached = (self.source.version, summary_of(self.source))
        return self._cached[1]

    def state_text(self, scene: RowContext) -> str:
        """What is going on with this source, in a few words."""
        progress = scene.edits.progress(self.source)
        count = scene.edits.count(self.source)
        if progress is not None and (progress.state == "waiting" or not count):
            return progress.text
        if count:
            return f"{count} change{'' if count == 1 else 's'} not sent"
        return "" if self.source.is_received else "Not received"

    def glow(self, scene: RowContext) -> float:
        return glow_of(self.source.changed_at, scene)

    def is_faint(self) -> bool:
        return not self.source.is_received

    def is_draft(self, scene: RowContext) -> bool:
        return scene.edits.count(self.source) > 0

    def stamp(self, scene: RowContext) -> tuple[object, ...]:
        return (
            self.text(VALUE, scene),
            self.text(AGE, scene),
            self.text(RATE, scene),
            self.glow(scene),
            self.is_faint(),
        )


class ObjectNode(SourceNode):
    """An object: its fields, or its instances, and its metadata where that is wanted."""

    def __init__(self, parent: TreeNode, row: int, entry: "ObjectEntry", found: Filter) -> None:
        super().__init__(entry.key, entry.title, parent, row, entry.sources[0])
        self.entry = entry
        self._filter = found

    @property
    def has_children(self) -> bool:
        return True

    def make_children(self) -> tuple[TreeNode, ...]:
        entry = self.entry
        definition = entry.definition
        fields = tuple(f for f in definition.fields if self._filter.admits_field(definition, f))
        rows: list[TreeNode] = []
        if definition.single_instance and len(entry.sources) == 1:
            rows += field_nodes(self, self.source, fields)
        else:
            rows += (
                SourceNode(
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
            rows.append(SourceNode(key, "Metadata", self, len(rows), entry.metadata, form.fields))
        return tuple(rows)

    def all_sources(self) -> tuple[ObjectSource, ...]:
        """Its instances, and its metadata where that is shown."""
        entry = self.entry
        return entry.sources if entry.metadata is None else (*entry.sources, entry.metadata)

    def state_text(self, scene: RowContext) -> str:
        own = super().state_text(scene)
        count = sum(scene.edits.count(source) for source in self.all_sources())
        progress = scene.edits.progress(self.source)
        if count and (progress is None or progress.state != "waiting"):
            return f"{count} change{'' if count == 1 else 's'} not sent"
        if own or len(self.entry.sources) == 1:
            return own
        return f"{len(self.entry.sources)} instances"

    def glow(self, scene: RowContext) -> float:
        return max(glow_of(source.changed_at, scene) for source in self.entry.sources)

    def is_draft(self, scene: RowContext) -> bool:
        return any(scene.edits.count(source) for source in self.all_sources())


@dataclass(frozen=True)
class ObjectEntry:
    """An object as the tree lists it: its version, its instances, its metadata if shown."""

    definition: ObjectDefinition
    key: str
    title: str
    sources: tuple[ObjectSource, ...]
    metadata: ObjectSource | None


def build_groups(
    entries: tuple[ObjectEntry, ...], found: Filter, *, by_category: bool
) -> tuple[TreeNode, ...]:
    """The top rows of the tree: settings and data objects, with what the filter admits."""
    shown = [entry for entry in entries if found.admits(entry.definition)]
    groups: list[TreeNode] = []
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
) -> Callable[[TreeNode], tuple[TreeNode, ...]]:
    return lambda parent: tuple(
        ObjectNode(parent, row, entry, found) for row, entry in enumerate(entries)
    )


def _category_filler(
    entries: tuple[ObjectEntry, ...], found: Filter
) -> Callable[[TreeNode], tuple[TreeNode, ...]]:
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
