"""`.uav`: the settings files of the OpenPilot family's stations, read and written.

    <!DOCTYPE UAVObjects>
    <uavobjects>
        <version><hardware type="9" revision="3" serial="..."/><firmware .../><gcs .../></version>
        <settings>
            <object name="SystemSettings" id="0x74AB3A70">
                <field name="AirframeType" values="QuadX"/>

Type, revision and ids are hexadecimal. Elements are split at commas in the order of the
definition; a text is the list of its characters. Old files have <settings> as their root, and
some lack <version>. What a file has beside that is passed over.
"""

from datetime import UTC, datetime

from telemetry.base.escaping import markup_attribute
from telemetry.configuration.settings.document import SettingsDocument, SettingsError, aircraft_name
from telemetry.configuration.settings.identity import Identity
from telemetry.configuration.settings.raw_fields import (
    MOST_ELEMENTS,
    RawField,
    RawObject,
    read_objects,
)
from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.snapshot import ObjectValues, Skipped, Snapshot
from telemetry.configuration.settings.value_text import text_of
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import MAX_INSTANCES
from telemetry.protocol.objects.xml_tree import XmlElement, XmlError, parse_tree

_DATE_FORMATS = ("%Y%m%d %H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d", "%Y%m%d")
_UAVO_DIGITS = 8
"""The peers write the first four bytes of the hash only."""


def read_uav(data: bytes, title: str, catalogue: Catalogue) -> SettingsDocument:
    """Read a file's content; `title` names it. Raises SettingsError naming the line."""
    try:
        root = parse_tree(data)
        settings = _settings(root)
        raw = [_raw_object(node) for node in settings.all("object")]
    except XmlError as error:
        raise SettingsError(
            f"{title} is no settings file that can be read: {error}. Nothing was taken from it."
        ) from None
    identity, date = _version(root.one("version"))
    objects, skipped = read_objects(title, raw, catalogue, identity.firmware)
    flight_data = [node for data_node in root.all("data") for node in data_node.all("object")]
    if flight_data:
        skipped.append(Skipped("data", f"{len(flight_data)} objects are flight data, not settings"))
    snapshot = Snapshot(title, objects, tuple(skipped))
    return SettingsDocument(snapshot, identity, aircraft_name(snapshot), date)


def write_uav(document: SettingsDocument) -> bytes:
    """The content of a file that the peers can import."""
    lines = ["<!DOCTYPE UAVObjects>", "<uavobjects>", *_version_lines(document), "    <settings>"]
    for values in document.snapshot.objects.values():
        lines += _object_lines(values)
    lines += ["    </settings>", "</uavobjects>", ""]
    return "\n".join(lines).encode("utf-8", "xmlcharrefreplace")


# Reading


def _settings(root: XmlElement) -> XmlElement:
    if root.tag == "settings":
        return root
    if root.tag != "uavobjects":
        raise XmlError(root.line, f"<{root.tag}> stands where <uavobjects> is expected")
    settings = root.one("settings")
    if settings is None:
        raise XmlError(root.line, "it has no <settings>")
    return settings


def _raw_object(node: XmlElement) -> RawObject:
    name = node.attributes.get("name", "").strip()
    if not name:
        raise XmlError(node.line, "an object has no name")
    fields: dict[str, RawField] = {}
    for child in node.all("field"):
        field = child.attributes.get("name", "").strip()
        if not field:
            raise XmlError(child.line, f"a field of {name} has no name")
        _add_field(fields, field, child)
    return RawObject(
        name,
        fields,
        _number(node, "id", 16),
        _instance(node),
    )


def _add_field(fields: dict[str, RawField], name: str, node: XmlElement) -> None:
    """Fields are lists; some write single elements instead, by name or below the field."""
    parts = [part for part in node.children if "name" in part.attributes]
    whole, _, element = name.partition(".")
    if element:
        known = fields.setdefault(whole, {})
        if isinstance(known, dict):
            known[element] = _values_text(node).strip()
    elif parts:
        fields[name] = {part.attributes["name"]: _values_text(part).strip() for part in parts}
    elif name not in fields:
        texts = _values_text(node).split(",", MOST_ELEMENTS)
        fields[name] = [text.strip() for text in texts]


def _values_text(node: XmlElement) -> str:
    attributes = node.attributes
    return attributes.get("values", attributes.get("value", node.text))


def _instance(node: XmlElement) -> int | None:
    instance = _number(node, "instance", 10)
    if instance is not None and not 0 <= instance < MAX_INSTANCES:
        raise XmlError(node.line, f"{instance} is no instance of an object")
    return instance


def _number(node: XmlElement, attribute: str, base: int) -> int | None:
    try:
        return int(node.attributes[attribute].strip(), base)
    except (KeyError, ValueError):
        return None


def _version(node: XmlElement | None) -> tuple[Identity, datetime | None]:
    if node is None:
        return Identity(), None
    hardware = node.one("hardware") or XmlElement("hardware", {}, 1)
    firmware = node.one("firmware") or XmlElement("firmware", {}, 1)
    gcs = node.one("gcs") or XmlElement("gcs", {}, 1)
    board = _number(hardware, "type", 16) or 0
    if board <= 0xFF:  # old files have both in one number
        board = (board << 8) | ((_number(hardware, "revision", 16) or 0) & 0xFF)
    identity = Identity(
        board if 0xFF < board <= 0xFFFF else 0,
        hardware.attributes.get("serial", "").strip().lower(),
        firmware.attributes.get("tag", "").strip(),
        _date(firmware.attributes.get("date", "")),
        firmware.attributes.get("hash", "").strip().lower(),
        firmware.attributes.get("uavo", "").strip().lower(),
    )
    return identity, _date(gcs.attributes.get("exported", ""))


def _date(text: str) -> datetime | None:
    for pattern in _DATE_FORMATS:
        try:
            return datetime.strptime(text.strip(), pattern).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


# Writing


def _version_lines(document: SettingsDocument) -> list[str]:
    who = document.identity
    firmware_date = f"{who.firmware_date:%Y%m%d %H:%M}" if who.firmware_date else ""
    taken = f"{document.date.astimezone(UTC):%Y-%m-%d %H:%M:%S}" if document.date else ""
    uavo = who.uavo_hash[:_UAVO_DIGITS]
    return [
        "    <version>",
        _element(
            "hardware", type=f"{who.board >> 8:x}", revision=f"{who.board & 0xFF:x}",
            serial=who.serial,
        ),
        _element(
            "firmware", tag=who.firmware, date=firmware_date, hash=who.firmware_hash, uavo=uavo
        ),
        _element("gcs", tag="Lapwing", date="", hash="", uavo=uavo, exported=taken),
        "    </version>",
    ]  # fmt: skip


def _element(tag: str, /, **attributes: str) -> str:
    body = " ".join(f"{name}={markup_attribute(text)}" for name, text in attributes.items())
    return f"        <{tag} {body}/>"


def _object_lines(values: ObjectValues) -> list[str]:
    identity = f' id="0x{values.definition.object_id:X}"' if values.definition else ""
    instance = f' instance="{values.instance}"' if values.instance else ""
    lines = [f"        <object name={markup_attribute(values.name)}{identity}{instance}>"]
    for name, text in _fields(values).items():
        lines.append(
            f"            <field name={markup_attribute(name)} values={markup_attribute(text)}/>"
        )
    return [*lines, "        </object>"]


def _fields(values: ObjectValues) -> dict[str, str]:
    """Each field's elements in the order of the definition; incomplete ones are told by element."""
    found: dict[str, str] = {}
    definition = values.definition
    known = slots_of(definition) if definition else {}
    for f in definition.fields if definition else ():
        paths = [path for path, slot in known.items() if slot.field.name == f.name]
        if not all(path in values.values for path in paths):
            continue
        if known[paths[0]].index is None:
            data = str(values.values[paths[0]]).encode("latin-1", "replace")
            signed = f.type.label == "int8"
            numbers = [b - 256 if signed and b > 127 else b for b in data.ljust(f.elements, b"\0")]
            found[f.name] = ",".join(str(number) for number in numbers)
        else:
            found[f.name] = ",".join(text_of(values.values[path]) for path in paths)
    for path, value in values.values.items():
        if path not in found and path.partition(".")[0] not in found:
            found[path] = text_of(value)
    return found
