"""`lapwing objects`: look up definitions from the command line."""

import argparse
import sys
from typing import Any

from telemetry.base.command_line import Subparsers, add_word, print_json, print_report
from telemetry.protocol.objects.catalogue import (
    DEFAULT_RELEASE,
    Catalogue,
    UnknownObjectError,
    load_catalogue,
)
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition, UpdatePolicy
from telemetry.protocol.objects.definition_json import field_to_json


def catalogue_for(args: argparse.Namespace) -> Catalogue:
    """The catalogue with the user's own definitions; what is wrong with them is told."""
    catalogue = load_catalogue(getattr(args, "definitions", ()))
    for error in catalogue.warnings:
        print(f"A definition file was left out: {error}.", file=sys.stderr)
    return catalogue


def add_commands(subparsers: Subparsers) -> None:
    """Add `objects list` and `objects show`; each sets `run(args) -> exit code`."""
    commands = add_word(subparsers, "objects", "list and show UAVObject definitions")
    listing = commands.add_parser("list", help="list the objects of a release")
    listing.set_defaults(run=_run_list)
    showing = commands.add_parser("show", help="show one object with all its fields")
    showing.add_argument("object", metavar="NAME|ID", help="object name or hexadecimal id")
    showing.set_defaults(run=_run_show)
    for parser in (listing, showing):
        parser.add_argument("--release", help=f"which release (default {DEFAULT_RELEASE})")
        parser.add_argument("--json", action="store_true", help="print one JSON object")


def _run_list(args: argparse.Namespace) -> int:
    catalogue = catalogue_for(args)
    name = args.release or DEFAULT_RELEASE
    try:
        definitions = catalogue.release(name)
    except UnknownObjectError as error:
        return _refuse(error)
    if args.json:
        brief = [_brief(definition) for definition in definitions]
        print_json({"release": name, "objects": brief, "releases": list(catalogue.release_names)})
        return 0
    for definition in definitions:
        kind = "settings" if definition.settings else "data"
        instances = "single" if definition.single_instance else "multi"
        print(
            f"{definition.object_id:08X}  {definition.size:4d} bytes  {kind:8}  {instances:6}  "
            f"{definition.name}"
        )
    return 0


def _run_show(args: argparse.Namespace) -> int:
    catalogue = catalogue_for(args)
    try:
        definition = catalogue.find(args.object, args.release)
    except UnknownObjectError as error:
        return _refuse(error)
    releases = list(catalogue.releases_with(definition.object_id))
    report = _complete(definition) | {"releases": releases}
    print_report(report, _lines(definition, releases), as_json=args.json)
    return 0


def _refuse(error: UnknownObjectError) -> int:
    sentence = str(error)
    print(sentence[0].upper() + sentence[1:], file=sys.stderr)
    return 1


def _brief(definition: ObjectDefinition) -> dict[str, Any]:
    return {
        "name": definition.name,
        "id": f"{definition.object_id:08X}",
        "size": definition.size,
        "settings": definition.settings,
        "single_instance": definition.single_instance,
        "category": definition.category,
        "description": definition.description,
    }


def _complete(definition: ObjectDefinition) -> dict[str, Any]:
    return _brief(definition) | {
        "access": {
            "flight": "readonly" if definition.flight_readonly else "readwrite",
            "gcs": "readonly" if definition.gcs_readonly else "readwrite",
        },
        "telemetry_flight": _policy(definition.flight_policy),
        "telemetry_gcs": _policy(definition.gcs_policy),
        "logging": _policy(definition.logging_policy),
        "fields": [_field(definition, f) for f in definition.wire_fields],
    }


def _policy(policy: UpdatePolicy) -> dict[str, Any]:
    mode = policy.mode.name.lower()
    return {"mode": mode, "period_ms": policy.period_ms, "acked": policy.acked}


def _offset(definition: ObjectDefinition, f: FieldDefinition) -> int:
    fields = definition.dtype.fields
    assert fields is not None
    return int(fields[f.name][1])


def _field(definition: ObjectDefinition, f: FieldDefinition) -> dict[str, Any]:
    first = {"name": f.name, "type": f.type.label, "offset": _offset(definition, f)}
    return first | field_to_json(f)


def _lines(definition: ObjectDefinition, releases: list[str]) -> list[str]:
    kind = "settings" if definition.settings else "data"
    instances = "one instance" if definition.single_instance else "several instances"
    lines = [
        f"{definition.name}  {definition.object_id:08X}",
        f"  {definition.description}",
        f"  {kind} object, {instances}, {definition.size} bytes",
        f"  releases: {', '.join(releases)}",
        "",
        "  offset  type      field",
    ]
    for f in definition.wire_fields:
        label = f.name + (f"[{f.elements}]" if f.elements > 1 else "")
        units = f" ({f.units})" if f.units else ""
        lines.append(f"  {_offset(definition, f):6d}  {f.type.label:8}  {label}{units}")
        for title, texts in (
            ("elements", f.element_names),
            ("options", f.options),
            ("default", f.defaults),
        ):
            if texts:
                lines.append(f"{'':20}{title}: {', '.join(str(text) for text in texts)}")
    return lines
