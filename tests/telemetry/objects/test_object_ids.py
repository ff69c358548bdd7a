"""Computed ids and packed sizes equal those of the firmware families' generators."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from telemetry.objects.catalogue import Catalogue, load_catalogue
from telemetry.objects.definition import FieldDefinition, ObjectDefinition

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


def oldest_first(release_names: Sequence[str]) -> list[str]:
    """The releases of each family by date; LibrePilot came out of OpenPilot, dRonin of Tau Labs."""
    families = ("OpenPilot", "LibrePilot", "TauLabs", "dRonin")
    by_date = list(reversed(release_names))
    return [name for family in families for name in by_date if name.startswith(family)]


def fields_in(fact: dict[str, Any], release: str) -> list[dict[str, Any]]:
    """The fields of an object as `release` has them: what `differs` there, over the entry's own."""
    differing = next((d for d in fact.get("differs", ()) if release in d["releases"]), {})
    changes = differing.get("fields", {})
    return [{**field, **changes.get(field["name"], {})} for field in fact["fields"]]


def fields_that_disagree(
    fields: Iterable[FieldDefinition], facts: list[dict[str, Any]]
) -> list[str]:
    return [
        field.name
        for field, fact in zip(fields, facts, strict=True)
        if (
            field.name,
            field.type.label,
            field.elements,
            field.units,
            list(field.options),
            list(field.element_names),
            field.limits,
            len(field.defaults),
        )
        != (
            fact["name"],
            fact["type"],
            fact["elements"],
            fact["units"],
            fact.get("options") or [],
            fact.get("element_names") or [],
            fact.get("limits") or "",
            len(fact.get("default") or []),
        )
    ]


@pytest.mark.slow
def test_every_id_in_the_interface_facts_is_computed(
    catalogue: Catalogue, shared_facts: Path
) -> None:
    """Ids hash neither defaults nor units nor limits, so releases of one id may differ in them.
    The catalogue has each version as the oldest release that has its id.
    """
    facts = json.loads(shared_facts.read_text(encoding="utf-8"))
    by_date = oldest_first(catalogue.release_names)
    assert set(by_date) == set(facts["releases"])
    assert len(facts["objects"]) == 815
    differ_from_the_newest = 0
    for fact in facts["objects"]:
        definition = catalogue.get(int(fact["id"], 16))
        assert definition is not None
        origin = next(name for name in by_date if fact["id"] in facts["releases"][name])
        disagreeing = fields_that_disagree(definition.fields, fields_in(fact, origin))
        assert not disagreeing, f"{fact['name']} {fact['id']} of {origin}"
        differ_from_the_newest += bool(fields_that_disagree(definition.fields, fact["fields"]))
    assert differ_from_the_newest > 50  # the control: without `differs` they would not agree


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
