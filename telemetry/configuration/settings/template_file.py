"""`.optmpl`: the set-up templates of OpenPilot's and LibrePilot's stations, read only.

JSON: what the aircraft is made of (name, owner, size, weight, motor, esc, propeller, battery,
controller, comment), and objects with id, instance and fields, each a list of elements by name:

    {"name": "ZMR 250", "objects": [{"name": "StabilizationSettingsBank1", "id": "E8EBBD48",
      "instance": 0, "fields": [{"name": "RollMax", "values": [{"name": "0", "value": 42}]}]}]}
"""

from collections.abc import Mapping
from typing import Any, Final

from telemetry.base.text_formats import FormatError, parse_json
from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.raw_fields import RawField, RawObject, read_objects
from telemetry.configuration.settings.snapshot import Snapshot
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import MAX_INSTANCES

_MADE_OF: Final = (
    *("size", "weight", "motor", "esc", "servo", "propeller", "battery", "controller"),
    *("owner", "comment"),
)


def read_template(data: bytes, title: str, catalogue: Catalogue) -> SettingsDocument:
    """Read a file's content; `title` names it. Raises SettingsError."""
    try:
        content = parse_json(data)
        raw = [_raw_object(entry) for entry in content["objects"]]
    except (FormatError, KeyError, TypeError, ValueError) as error:
        why = f"{error}" if isinstance(error, FormatError) else "it has no objects with fields"
        raise SettingsError(
            f"{title} is no set-up template that can be read: {why}. Nothing was taken from it."
        ) from None
    objects, skipped = read_objects(title, raw, catalogue)
    parts = [f"{key} {content[key]}" for key in _MADE_OF if content.get(key)]
    return SettingsDocument(
        Snapshot(title, objects, tuple(skipped)),
        aircraft=str(content.get("name", "")),
        purpose="set-up template",
        note=", ".join(parts),
    )


def _raw_object(entry: Mapping[str, Any]) -> RawObject:
    fields = {str(field["name"]): _raw_field(field["values"]) for field in entry["fields"]}
    instance = int(entry.get("instance", 0))
    if not 0 <= instance < MAX_INSTANCES:
        raise ValueError(instance)
    return RawObject(str(entry["name"]), fields, int(str(entry.get("id", "0")), 16), instance)


def _raw_field(values: list[Mapping[str, Any]]) -> RawField:
    if len(values) == 1:
        return [values[0]["value"]]
    return {str(element["name"]): element["value"] for element in values}
