"""Definition files in the family's XML format, read strictly and with helpful errors.

A file may hold several objects. A field may take type, elements and options from another one:
`cloneof="Field"` or `cloneof="Object.Field"` (OpenPilot, LibrePilot), `parent="Object.Field"`
(Tau Labs, dRonin: its options keep the numbers they have in the root field). Options and element
names are given as attributes split at commas, or as child elements taken verbatim.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from telemetry.protocol.objects.compact import parse_default, parse_mode
from telemetry.protocol.objects.definition import (
    FieldDefinition,
    FieldType,
    ObjectDefinition,
    UpdatePolicy,
    is_name,
)
from telemetry.protocol.objects.xml_tree import XmlElement, XmlError, parse_tree

_MOST = 255
"""Of fields, of elements and of options: their numbers are bytes."""
_WHOLE = re.compile("[0-9]{1,9}")
FindField = Callable[[str, str], FieldDefinition | None]


class DefinitionError(ValueError):
    """What is wrong with a definition file, where, and what to do about it."""

    def __init__(self, file: str, line: int, what: str, remedy: str) -> None:
        super().__init__(f"{file}, line {line}: {what}; {remedy}")
        self.file = file
        self.line = line
        self.what = what
        self.remedy = remedy


def parse_definition(text: str, source: str) -> ObjectDefinition:
    """The one object of a definition file's `text`; `source` names the file in errors.

    Raises DefinitionError, also if there is not exactly one object.
    """
    definitions = parse_definitions(text, source)
    if len(definitions) != 1:
        raise DefinitionError(
            source, 1, f"the file holds {len(definitions)} objects", "put one object into it"
        )
    return definitions[0]


def parse_definitions(
    text: str, source: str, find_field: FindField | None = None
) -> tuple[ObjectDefinition, ...]:
    """All objects of a definition file. `find_field` supplies parents from other files."""
    reader = _Reader(source, find_field or (lambda _object_name, _field_name: None))
    return reader.read(_parse_root(text, source))


def _parse_root(text: str, source: str) -> XmlElement:
    try:
        return parse_tree(text)
    except XmlError as error:
        raise DefinitionError(source, error.line, error.what, "correct this line") from None


class _Reader:
    """Turns the nodes of one file into definitions."""

    def __init__(self, source: str, find_field: FindField) -> None:
        self._source = source
        self._find_field = find_field
        self._done: dict[str, FieldDefinition] = {}  # "Object.Field" of this file, so far

    def read(self, root: XmlElement) -> tuple[ObjectDefinition, ...]:
        if root.tag != "xml" or not root.all("object"):
            raise self._error(root, "there is no <object> inside <xml>", "add one")
        return tuple(self._object(node) for node in root.all("object"))

    def _error(self, node: XmlElement, what: str, remedy: str) -> DefinitionError:
        return DefinitionError(self._source, node.line, what, remedy)

    def _need(self, node: XmlElement, name: str) -> str:
        value = node.attributes.get(name, "").strip()
        if not value:
            raise self._error(node, f"<{node.tag}> has no {name}", f'add {name}="..."')
        return value

    def _name(self, node: XmlElement) -> str:
        name = self._need(node, "name")
        if not is_name(name):
            raise self._error(
                node, f"{name[:40]!r} is no name", "write letters, digits and underlines"
            )
        return name

    def _flag(self, node: XmlElement, name: str) -> bool:
        value = self._need(node, name).lower()
        if value not in ("true", "false"):
            raise self._error(node, f"{name} is '{value}'", "write true or false")
        return value == "true"

    def _object(self, node: XmlElement) -> ObjectDefinition:
        name = self._name(node)
        fields: list[FieldDefinition] = []
        children = node.all("field")
        if len(children) > _MOST:
            raise self._error(node, f"{name} has {len(children)} fields", f"write 1 to {_MOST}")
        for child in children:
            made = self._field(child, name)
            if any(made.name == other.name for other in fields):
                raise self._error(child, f"field {made.name} stands twice", "remove or rename one")
            fields.append(made)
            self._done[f"{name}.{made.name}"] = made
        if not fields:
            raise self._error(node, f"{name} has no fields", "add a <field>")
        description = node.one("description")
        access = node.one("access") or node
        return ObjectDefinition(
            name=name,
            fields=tuple(fields),
            settings=self._flag(node, "settings"),
            single_instance=self._flag(node, "singleinstance"),
            description=" ".join(description.text.split()) if description else "",
            category=node.attributes.get("category", ""),
            sorted_by_size=node.attributes.get("fieldorder", "size") != "xml",
            flight_readonly=self._is_readonly(access, "flight"),
            gcs_readonly=self._is_readonly(access, "gcs"),
            flight_policy=self._policy(node, "telemetryflight"),
            gcs_policy=self._policy(node, "telemetrygcs"),
            logging_policy=self._policy(node, "logging"),
            priority=node.attributes.get("priority", "") == "true",
        )

    def _is_readonly(self, node: XmlElement, side: str) -> bool:
        value = node.attributes.get(side, "readwrite").strip().lower()
        if value not in ("readonly", "readwrite"):
            raise self._error(node, f"access {side} is '{value}'", "write readwrite or readonly")
        return value == "readonly"

    def _policy(self, node: XmlElement, tag: str) -> UpdatePolicy:
        child = node.one(tag)
        if child is None:
            return UpdatePolicy()
        try:
            mode = parse_mode(child.attributes.get("updatemode", "manual"))
        except ValueError as error:
            remedy = "write manual, periodic, onchange or throttled"
            raise self._error(child, str(error), remedy) from None
        period_ms = self._count(child, "period", 0)
        return UpdatePolicy(mode, period_ms, child.attributes.get("acked", "").lower() == "true")

    def _count(self, node: XmlElement, name: str, otherwise: int) -> int:
        value = node.attributes.get(name, "").strip()
        if not value:
            return otherwise
        if not _WHOLE.fullmatch(value):
            raise self._error(node, f"{name} is '{value[:40]}'", "write a whole number")
        return int(value)

    def _field(self, node: XmlElement, object_name: str) -> FieldDefinition:
        name = self._name(node)
        clone = node.attributes.get("cloneof", "").strip()
        if clone:
            made = replace(self._related(node, clone, object_name), name=name)
        else:
            made = self._plain_field(node, name, object_name)
        description = node.attributes.get("description", "") or "".join(
            child.text for child in node.all("description")
        )
        return replace(
            made,
            defaults=self._defaults(node, made.type),
            limits=node.attributes.get("limits", made.limits),
            units=node.attributes.get("units", made.units).strip(),
            description=" ".join(description.split()),
        )

    def _defaults(self, node: XmlElement, kind: FieldType) -> tuple[float | int | str, ...]:
        try:
            texts = _texts(node, "defaultvalue", "defaultvalues")
            return tuple(parse_default(text, kind) for text in texts)
        except OverflowError as error:
            raise self._error(node, f"the default {error}", "write a smaller one") from None

    def _plain_field(self, node: XmlElement, name: str, object_name: str) -> FieldDefinition:
        try:
            field_type = FieldType.named(self._need(node, "type").lower())
        except ValueError as error:
            known = ", ".join(member.label for member in FieldType)
            raise self._error(node, str(error), f"write one of {known}") from None
        element_names = _texts(node, "elementnames", "elementname")
        elements = len(element_names) or self._count(node, "elements", 1)
        if not 1 <= elements <= _MOST:
            raise self._error(node, f"{name} has {elements} elements", f"write 1 to {_MOST}")
        options: tuple[str, ...] = ()
        numbers: tuple[int, ...] = ()
        if field_type is FieldType.ENUM:
            options, numbers = self._options(node, name, object_name)
        return FieldDefinition(
            name=name,
            type=field_type,
            elements=elements,
            element_names=element_names,
            options=options,
            option_values=numbers,
        )

    def _options(
        self, node: XmlElement, name: str, object_name: str
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        options = _texts(node, "options", "option")
        if len(options) > _MOST or not all(map(_is_latin, options)):
            remedy = f"write 1 to {_MOST} options in Latin letters"
            raise self._error(node, f"{name} has options that no firmware can have", remedy)
        parent_name = node.attributes.get("parent", "").strip()
        if parent_name:
            parent = self._related(node, parent_name, object_name)
            options = options or parent.options
            strangers = [text for text in options if text not in parent.options]
            if strangers:
                remedy = f"use options of {parent_name}: {', '.join(parent.options)}"
                raise self._error(node, f"'{strangers[0]}' is no option of the parent", remedy)
            return options, tuple(parent.option_number(text) for text in options)
        if not options:
            raise self._error(node, f"enum field {name} has no options", 'add options="A,B"')
        if len(set(options)) != len(options):
            raise self._error(node, f"{name} has an option twice", "remove or rename one")
        return options, tuple(range(len(options)))

    def _related(self, node: XmlElement, path: str, object_name: str) -> FieldDefinition:
        """The field that `path` ("Field" or "Object.Field") names."""
        owner, _, name = path.rpartition(".")
        owner = owner or object_name
        found = self._done.get(f"{owner}.{name}") or self._find_field(owner, name)
        if found is None:
            raise self._error(
                node,
                f"there is no field {owner}.{name} to take from",
                "define it earlier in this file or in another file of this folder",
            )
        return found


def _texts(node: XmlElement, name: str, child_tag: str) -> tuple[str, ...]:
    """A list given as an attribute split at commas, or as child elements taken verbatim."""
    group = node.one(name)
    if group is not None and group.children:
        return tuple(child.text for child in group.all(child_tag))
    parts = node.attributes.get(name, "").split(",", _MOST + 1)
    return tuple(part.strip() for part in parts if part)


def _is_latin(text: str) -> bool:
    """Whether the id, a hash over such letters, can be computed."""
    return all(character <= "\xff" for character in text)
