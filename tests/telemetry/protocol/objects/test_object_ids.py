"""Computed ids and packed sizes equal those of the firmware families' generators."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.compact import parse_default
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition

TABLE = Path(__file__).with_name("object_ids.csv")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def table() -> Iterator[tuple[str, int, int, list[str]]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    names = [entry.partition("=")[2] for entry in lines[1].removeprefix("# ").split()]
    for row in csv.DictReader(lines[2:]):
        releases = [names[int(number)] for number in row["releases"].split()]
        yield row["name"], int(row["id"], 16), int(row["size"]), releases


@pytest.mark.slow
def test_all_815_listed_ids_and_sizes_are_computed(catalogue: Catalogue) -> None:
    count = 0
    for name, object_id, size, _ in table():
        definition = catalogue.get(object_id)
        assert definition is not None, f"{name} {object_id:08X}"
        assert (definition.name, definition.size) == (name, size)
        assert definition.object_id == object_id
        count += 1
    assert count == 815


@pytest.mark.slow
def test_every_release_has_exactly_its_objects(catalogue: Catalogue) -> None:
    listed: dict[str, set[int]] = {}
    for _, object_id, _, releases in table():
        for release in releases:
            listed.setdefault(release, set()).add(object_id)
    assert set(listed) == set(catalogue.release_names)
    assert len(listed) == 35
    for name, ids in listed.items():
        assert {definition.object_id for definition in catalogue.release(name)} == ids, name


def fields_in(fact: dict[str, Any], release: str) -> list[dict[str, Any]]:
    """The fields of an object as `release` has them: what `differs` there, over the entry's own."""
    differing = next((d for d in fact.get("differs", ()) if release in d["releases"]), {})
    changes = differing.get("fields", {})
    return [{**field, **changes.get(field["name"], {})} for field in fact["fields"]]


def traits(field: FieldDefinition) -> dict[str, Any]:
    """What the interface facts say of a field."""
    return {
        "type": field.type.label,
        "elements": field.elements,
        "units": field.units,
        "options": list(field.options),
        "element_names": list(field.element_names),
        "limits": field.limits,
        "default": list(field.defaults),
    }


def said(fact: dict[str, Any], field: FieldDefinition) -> dict[str, Any]:
    """The same from the facts, whose defaults are texts."""
    lists = {key: fact.get(key) or [] for key in ("options", "element_names")}
    defaults = [parse_default(text, field.type) for text in fact.get("default") or []]
    plain = {key: fact.get(key) or "" for key in ("type", "units", "limits")}
    return {**plain, **lists, "elements": fact["elements"], "default": defaults}


@pytest.mark.slow
def test_every_release_says_what_its_own_definitions_say(
    catalogue: Catalogue, shared_facts: Path
) -> None:
    """Ids hash neither defaults nor units, limits and names of elements. The expectation are the
    interface facts, read in the definition files of 35 releases: what `differs` under one id.
    """
    facts = json.loads(shared_facts.read_text(encoding="utf-8"))
    by_id = {int(fact["id"], 16): fact for fact in facts["objects"]}
    assert len(by_id) == 815
    assert set(catalogue.release_names) == set(facts["releases"])
    unlike_the_newest = set()
    for release in catalogue.release_names:
        for definition in catalogue.release(release):
            fact = by_id[definition.object_id]
            known = catalogue.get(definition.object_id, release)
            for field, own, newest in zip(
                definition.fields, fields_in(fact, release), fact["fields"], strict=True
            ):
                assert traits(field) == said(own, field), (release, definition.name, field.name)
                assert known is not None
                assert traits(known.field_named(field.name)) == traits(field)
                if said(own, field) != said(newest, field):
                    unlike_the_newest.add(definition.object_id)
    assert len(unlike_the_newest) > 100  # the control: one definition for each id would not do


def test_without_a_release_an_id_means_the_newest(catalogue: Catalogue) -> None:
    """BaroSensor: Pa in LibrePilot next, kPa before."""
    units = {
        release: definition.field_named("Pressure").units
        for release in ("", "LibrePilot-next-2019-02", "OpenPilot-14.06", "no such release")
        if (definition := catalogue.get(0x48120EA6, release)) is not None
    }
    assert units == {
        "": "Pa",
        "LibrePilot-next-2019-02": "Pa",
        "OpenPilot-14.06": "kPa",
        "no such release": "Pa",
    }


def change_field(definition: ObjectDefinition, **changes: object) -> ObjectDefinition:
    first: FieldDefinition = definition.fields[0]
    changed = replace(first, **changes)  # type: ignore[arg-type]
    return replace(definition, fields=(changed, *definition.fields[1:]))


def test_every_hashed_trait_changes_the_id(catalogue: Catalogue) -> None:
    """The negative control: an id that is right for the wrong reason would not move."""
    original = catalogue.find("FlightStatus")
    assert original.object_id == 0x24D25E28
    options = original.fields[0].options
    for other in (
        replace(original, name="FlightStatuS"),
        replace(original, settings=True),
        replace(original, single_instance=False),
        change_field(original, name="armed"),
        change_field(original, elements=2),
        change_field(original, options=(*options[:-1], "armed")),
        change_field(original, option_values=(0, 2, 3)),
    ):
        assert other.object_id != original.object_id


def test_traits_that_are_not_hashed_leave_the_id(catalogue: Catalogue) -> None:
    original = catalogue.find("FlightStatus")
    for other in (
        replace(original, description="", category="", flight_readonly=True),
        change_field(original, units="furlong", defaults=(), limits="%BE:0:1", description=""),
    ):
        assert other.object_id == original.object_id


def test_unsorted_objects_of_old_releases_keep_file_order(catalogue: Catalogue) -> None:
    release = catalogue.release("OpenPilot-11.08")
    moved = [d for d in release if replace(d, sorted_by_size=True).dtype != d.dtype]
    assert len(moved) > 5
    for old in moved:
        assert [f.name for f in old.wire_fields] == [f.name for f in old.fields]
        assert replace(old, sorted_by_size=True).object_id != old.object_id
