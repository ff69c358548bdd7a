"""Facts about a row: pairs of a label and a text. No Qt in here."""

from plugins.object_browser.nodes import ObjectNode
from plugins.object_browser.rows import RowContext, TreeNode
from plugins.object_browser.sources import ObjectSource
from plugins.object_browser.values import ValueNode
from telemetry.protocol.objects.definition import (
    FieldDefinition,
    FieldType,
    UpdateMode,
    UpdatePolicy,
)
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import is_text
from widgets.forms.editors import range_text
from widgets.forms.formats import THIN_SPACE, shown_units

Fact = tuple[str, str]

_TYPES = {
    FieldType.FLOAT: "number, 32-bit float",
    FieldType.ENUM: "choice",
}


def object_facts(owner: ObjectNode, releases: tuple[str, ...] | None) -> tuple[Fact, ...]:
    """What an object is and how it is sent. `releases` is None while they are looked for."""
    definition = owner.entry.definition
    kind = "Settings object" if definition.settings else "Data object"
    instances = "one instance" if definition.single_instance else "several instances"
    facts = [
        ("Kind", f"{kind}, {instances}"),
        ("Id", f"{definition.object_id:08X}"),
        ("Size", f"{definition.size} bytes"),
    ]
    if definition.category:
        facts.append(("Category", _spaced(definition.category)))
    metadata = Metadata.of(definition)
    facts += [
        ("Sent by aircraft", describe_policy(metadata.flight)),
        ("Sent by station", describe_policy(metadata.gcs)),
        ("Access", describe_access(metadata)),
    ]
    if releases is not None:
        facts.append(("Known in", _list_releases(releases)))
    return tuple(facts)


def value_facts(node: ValueNode, scene: RowContext) -> tuple[Fact, ...]:
    """What a field or element is and may hold."""
    f, element = node.field, node.element
    facts = [("Type", _type_text(f, element))]
    label = "Options" if f.type is FieldType.ENUM else "Range"
    if not is_text(f):
        facts.append((label, range_text(f, element or 0)))
    if node.default_text:
        facts.append(("Default", node.default_text))
    facts.append(("On board", node.board_text() if node.source.is_received else "Not received"))
    if node.is_draft(scene):
        facts.append(("Draft", node.text(1, scene)))
    if f.element_names and element is None:
        facts.append(("Elements", ", ".join(f.element_names)))
    return tuple(facts)


def title_of(node: TreeNode, source: ObjectSource) -> str:
    """The selected row's name in full, as series and logs write it."""
    name = source.definition.name
    if not source.definition.single_instance:
        name += f"[{source.instance}]"
    if source.key.is_metadata:
        name += " metadata"
    if isinstance(node, ValueNode):
        separator = ": " if source.key.is_metadata else "."
        name += f"{separator}{node.field.name}"
        if node.element is not None:
            name += f".{node.field.element_label(node.element)}"
    return name


def describe_policy(policy: UpdatePolicy) -> str:
    """An update policy in words."""
    text = {
        UpdateMode.MANUAL: "when asked",
        UpdateMode.PERIODIC: f"every {_period(policy.period_ms)}",
        UpdateMode.ONCHANGE: "when it changes",
        UpdateMode.THROTTLED: f"when it changes, every {_period(policy.period_ms)} at most",
    }[policy.mode]
    return f"{text}, acknowledged" if policy.acked else text


def describe_access(metadata: Metadata) -> str:
    """Who may write, in words."""
    if metadata.gcs_readonly:
        return "the station only reads it"
    if metadata.flight_readonly:
        return "the aircraft only reads it"
    return "both sides read and write it"


def _period(period_ms: int) -> str:
    if period_ms >= 1000 and period_ms % 1000 == 0:
        return f"{period_ms // 1000}{THIN_SPACE}s"
    return f"{period_ms}{THIN_SPACE}ms"


def _type_text(f: FieldDefinition, element: int | None) -> str:
    if is_text(f):
        return f"text, up to {f.elements} characters"
    text = _TYPES.get(f.type, f"whole number, {f.type.label}")
    units = shown_units(f)
    text += f", {units}" if units else ""
    return f"{f.elements} × {text}" if f.elements > 1 and element is None else text


def _list_releases(releases: tuple[str, ...]) -> str:
    if not releases:
        return "your own definitions only"
    shown = ", ".join(releases[:3])
    return f"{shown} and {len(releases) - 3} more" if len(releases) > 3 else shown


def _spaced(name: str) -> str:
    """ "HardwareSettings" as "Hardware settings"."""
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()
    return words[:1].upper() + words[1:]
