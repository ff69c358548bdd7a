"""Value rows: a field, or one element of it."""

from dataclasses import dataclass
from functools import cached_property

from plugins.object_browser.rows import DEFAULT, UNIT, VALUE, RowContext, TreeNode, glow_of
from plugins.object_browser.sources import ObjectSource, default_row, field_slice
from telemetry.protocol.objects.definition import FieldDefinition
from telemetry.protocol.objects.values import is_text
from telemetry.recording.sample import Value, read_element
from widgets.forms.formats import format_elements, format_value, is_hex, shown_units

_LONGEST_LINE = 64
_LONGEST_SUMMARY = 100
_BETWEEN = "  ·  "


@dataclass(frozen=True, slots=True)
class Cell:
    """A field of a source, or one element of it."""

    source: ObjectSource
    field: FieldDefinition
    element: int | None = None


class ValueNode(TreeNode):
    """A row that shows a value: a field, or one element of it."""

    def __init__(self, key: str, name: str, parent: TreeNode, row: int, cell: Cell) -> None:
        super().__init__(key, name, parent, row)
        self.source = source = cell.source
        self.field = f = cell.field
        self.element = element = cell.element
        self._slice = field_slice(source.form, f, element)
        self.is_measured = not source.form.settings and not source.key.is_metadata
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

    def value(self, scene: RowContext) -> Value | tuple[Value, ...]:
        """The draft, if there is one, else what the aircraft has."""
        draft = scene.edits.get(self.source, self.field, self.element)
        return self.board_value() if draft is None else draft

    def board_text(self) -> str:
        """What the aircraft has, as text."""
        if self._cached[0] != self.source.version:
            text = self._format(self.board_value(), is_measured=self.is_measured)
            self._cached = (self.source.version, text)
        return self._cached[1]

    def _format(self, value: Value | tuple[Value, ...], *, is_measured: bool = False) -> str:
        if isinstance(value, tuple):
            return format_elements(self.field, value, is_measured=is_measured)
        return format_value(self.field, value, is_measured=is_measured)

    @cached_property
    def default_text(self) -> str:
        """The default, empty where none is meant. Settings without one start at zero."""
        is_setting = self.source.is_setting
        if self.source.key.is_metadata or not (self.field.defaults or is_setting):
            return ""
        row = default_row(self.source.definition)
        return self._format(read_element(row, self.field, self.element))

    def text(self, column: int, scene: RowContext) -> str:
        if column == VALUE:
            text = self._format(self.value(scene)) if self.is_draft(scene) else self.board_text()
            return text if len(text) <= _LONGEST_LINE else text[: _LONGEST_LINE - 1] + "…"
        if column == UNIT:
            return shown_units(self.field)
        if column == DEFAULT:
            mark = "≠ " if self.differs_from_default(scene) else ""
            return mark + self.default_text
        return super().text(column, scene)

    def glow(self, scene: RowContext) -> float:
        return glow_of(self.source.part_changed_at(self._slice), scene)

    def is_faint(self) -> bool:
        return not self.source.is_received

    def is_draft(self, scene: RowContext) -> bool:
        return scene.edits.get(self.source, self.field, self.element) is not None

    def differs_from_default(self, scene: RowContext) -> bool:
        return self.source.differs_from_default(self._slice)

    def stamp(self, scene: RowContext) -> tuple[object, ...]:
        return (self.text(VALUE, scene), self.glow(scene), self.is_faint(), self.is_draft(scene))


class FieldNode(ValueNode):
    """A field; below it its elements, where there are several that are not one text."""

    @property
    def has_children(self) -> bool:
        f = self.field
        return f.elements > 1 and not is_text(f) and not (is_hex(f) and f.type.size == 1)

    def make_children(self) -> tuple[TreeNode, ...]:
        if not self.has_children:
            return ()
        f = self.field
        labels = [f.element_label(index) for index in range(f.elements)]
        return tuple(
            ValueNode(f"{self.key}.{label}", label, self, index, Cell(self.source, f, index))
            for index, label in enumerate(labels)
        )

    def is_draft(self, scene: RowContext) -> bool:
        return super().is_draft(scene) or bool(self._drafted(scene))

    def value(self, scene: RowContext) -> Value | tuple[Value, ...]:
        drafted = self._drafted(scene)
        value = super().value(scene)
        if not drafted or not isinstance(value, tuple):
            return value
        labels = [self.field.element_label(index) for index in range(self.field.elements)]
        return tuple(drafted.get(label, own) for label, own in zip(labels, value, strict=True))

    def _drafted(self, scene: RowContext) -> dict[str, Value]:
        """Drafts of single elements, by label."""
        if not scene.edits.count(self.source):
            return {}
        prefix = f"{self.field.name}."
        drafts = scene.edits.of(self.source)
        return {
            path.removeprefix(prefix): value
            for path, value in drafts.items()
            if path.startswith(prefix)
        }


def field_nodes(
    parent: TreeNode, source: ObjectSource, fields: tuple[FieldDefinition, ...]
) -> tuple[TreeNode, ...]:
    return tuple(
        FieldNode(f"{parent.key}.{f.name}", f.name, parent, row, Cell(source, f))
        for row, f in enumerate(fields)
    )


def summary_of(source: ObjectSource) -> str:
    """The first single values of a source with their names; of its arrays if it has no others."""
    if not source.is_received:
        return ""
    is_measured = not source.form.settings
    singles = [f for f in source.form.fields if f.elements == 1 or is_text(f)]
    parts: list[str] = []
    length = 0
    for f in singles or source.form.fields[:1]:
        value = read_element(source.shown_row(), f, None)
        if isinstance(value, tuple):
            text = format_elements(f, value, is_measured=is_measured)
        else:
            text = format_value(f, value, is_measured=is_measured)
        if not text:
            continue
        parts.append(f"{f.name} {text}")
        length += len(parts[-1])
        if length > _LONGEST_SUMMARY:
            break
    return _BETWEEN.join(parts)
