"""`.settings.toml`: settings as a file that people read, compare and keep under version control.

    [lapwing]
    format = "settings"
    version = 1

    [about]
    aircraft = "Blue quad"
    airframe = "QuadX"
    board = "0x0903"
    serial = "1b0035001147333231343239"
    firmware = "RELEASE-14.06-RC3"
    date = 2026-05-01T10:00:00Z
    purpose = "survey"
    note = "new propellers"

    [objects.StabilizationSettingsBank1]
    id = "0xE8EBBD48"
    RollMax = 42
    [objects.StabilizationSettingsBank1.RollRatePID]
    Kp = 0.003

Elements with names are a table, others a list, texts are texts. Further instances of an object
are called "Object[1]". Floats have as few digits as tell them apart at 32 bits.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import tomli_w

from telemetry.base.text_formats import FormatError, parse_toml
from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.identity import Identity
from telemetry.configuration.settings.ownership import airframe_of
from telemetry.configuration.settings.raw_fields import RawField, RawObject, read_objects
from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.snapshot import ObjectValues, Skipped, Snapshot, object_name
from telemetry.configuration.settings.value_text import shortest
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import MAX_INSTANCES, FieldDefinition
from telemetry.recording.sample import Value

SUFFIX = ".settings.toml"
_FORMAT, _VERSION = "settings", 1
_ID = "id"
_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,8}")
_INSTANCE = re.compile(r"[0-9]{1,5}")


def read_settings_file(data: bytes, title: str, catalogue: Catalogue) -> SettingsDocument:
    """Read a file's content; `title` names it. Raises SettingsError naming the line."""
    content = _parse(data, title)
    raw, skipped = [], []
    for key, table in _tables(content, title).items():
        if isinstance(table, dict):
            raw.append(_raw_object(key, table, title))
        else:
            skipped.append(Skipped(key, "it is not a table of fields"))
    header = _about(content, title)
    objects, left_out = read_objects(title, raw, catalogue, header.identity.firmware)
    return replace(header, snapshot=Snapshot(title, objects, (*skipped, *left_out)))


def read_header(data: bytes, title: str) -> tuple[SettingsDocument, int]:
    """Only what a file says about itself, its snapshot being empty, and the number of its objects.

    Raises SettingsError.
    """
    content = _parse(data, title)
    return _about(content, title), len(_tables(content, title))


def write_settings_file(document: SettingsDocument) -> bytes:
    """The content of a file."""
    who = document.identity
    about = {
        "aircraft": document.aircraft,
        "airframe": airframe_of(document),
        "board": f"0x{who.board:04X}" if who.board else "",
        "board_name": who.board_name if who.board else "",
        "serial": who.serial,
        "firmware": who.firmware,
        "firmware_date": who.firmware_date,
        "firmware_hash": who.firmware_hash,
        "uavo_hash": who.uavo_hash,
        "date": document.date,
        "purpose": document.purpose,
        "note": document.note,
    }
    content = {
        "lapwing": {"format": _FORMAT, "version": _VERSION},
        "about": {key: value for key, value in about.items() if value},
        "objects": {object_name(a): _table(o) for a, o in document.snapshot.objects.items()},
    }
    return tomli_w.dumps(content).encode("utf-8", "replace")


# Reading


def _parse(data: bytes, title: str) -> dict[str, Any]:
    try:
        content = parse_toml(data)
    except FormatError as error:
        raise SettingsError(
            f"{title} is no settings file that can be read: {error}. Nothing was taken from it."
        ) from None
    _check(content, title)
    return content


def _tables(content: Mapping[str, Any], title: str) -> Mapping[str, Any]:
    tables = content.get("objects", {})
    if not isinstance(tables, dict):
        raise SettingsError(f"{title}: `objects` must be a table. Nothing was taken from it.")
    return tables


def _check(content: Mapping[str, Any], title: str) -> None:
    head = content.get("lapwing")
    if not isinstance(head, dict) or head.get("format") != _FORMAT:
        raise SettingsError(
            f'{title} is no settings file: it lacks [lapwing] with format = "settings".'
        )
    version = head.get("version")
    if not isinstance(version, int) or version < 1:
        raise SettingsError(f"{title} does not say which version of the format it is.")
    if version > _VERSION:
        raise SettingsError(
            f"{title} was written by a newer Lapwing (format {version}); use that one to read it."
        )


def _raw_object(key: str, table: Mapping[str, Any], title: str) -> RawObject:
    name, bracket, rest = key.partition("[")
    number = rest.removesuffix("]")
    if bracket and not (_INSTANCE.fullmatch(number) and int(number) < MAX_INSTANCES):
        raise SettingsError(f"{title}: '{key}' is no instance of an object; write '{name}[1]'.")
    fields: dict[str, RawField] = {
        field: value if isinstance(value, str | list | dict) else [value]
        for field, value in table.items()
        if field != _ID
    }
    return RawObject(name, fields, _id(table.get(_ID)), int(number) if bracket else None)


def _id(value: object) -> int | None:
    return int(value, 16) if isinstance(value, str) and _HEX.fullmatch(value) else None


def _about(content: Mapping[str, Any], title: str) -> SettingsDocument:
    about = content.get("about")
    about = about if isinstance(about, dict) else {}

    def text(key: str) -> str:
        return str(about.get(key, ""))

    identity = Identity(
        _id(about.get("board")) or 0,
        text("serial").lower(),
        text("firmware"),
        _date(about.get("firmware_date")),
        text("firmware_hash"),
        text("uavo_hash"),
    )
    return SettingsDocument(
        Snapshot(title, {}), identity, text("aircraft"), _date(about.get("date")), text("purpose"),
        text("note"), text("airframe"),
    )  # fmt: skip


def _date(value: object) -> datetime | None:
    if not isinstance(value, datetime):
        return None
    try:
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    except OverflowError:  # in the first or the last year there is
        return None


# Writing


def _table(values: ObjectValues) -> dict[str, Any]:
    """Single values before tables, as the format wants it."""
    definition = values.definition
    if definition is None:
        return dict(values.values)
    fields = {f.name: _field(f, values) for f in definition.fields}
    known = slots_of(definition)
    fields |= {path: value for path, value in values.values.items() if path not in known}
    single = {name: value for name, value in fields.items() if not isinstance(value, dict)}
    tables = {name: value for name, value in fields.items() if isinstance(value, dict) and value}
    return {_ID: f"0x{definition.object_id:08X}", **single, **tables}


def _field(f: FieldDefinition, values: ObjectValues) -> Any:
    slots = [slot for slot in slots_of(values.definition).values() if slot.field.name == f.name]
    found = {
        slot.path: _plain(values.values[slot.path]) for slot in slots if slot.path in values.values
    }
    if f.name in found:
        return found[f.name]
    if f.element_names or len(found) < len(slots):
        return {path.partition(".")[2]: value for path, value in found.items()}
    return list(found.values())


def _plain(value: Value) -> Value:
    return shortest(value) if isinstance(value, float) else value
