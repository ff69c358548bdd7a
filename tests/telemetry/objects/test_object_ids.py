"""Computed ids and packed sizes equal those of the firmware families' generators."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

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


def test_all_815_listed_ids_and_sizes_are_computed(catalogue: Catalogue) -> None:
    count = 0
    for name, object_id, size, _ in table():
        definition = catalogue.get(object_id)
        assert definition is not None, f"{name} {object_id:08X}"
        assert (definition.name, definition.size) == (name, size)
        assert definition.object_id == object_id
        count += 1
    assert count == 815


def test_every_release_has_exactly_its_objects(catalogue: Catalogue) -> None:
    listed: dict[str, set[int]] = {}
    for _, object_id, _, releases in table():
        for release in releases:
            listed.setdefault(release, set()).add(object_id)
    assert set(listed) == set(catalogue.release_names)
    assert len(listed) == 35
    for name, ids in listed.items():
        assert {definition.object_id for definition in catalogue.release(name)} == ids, name


def test_every_id_in_the_interface_facts_is_computed(
    catalogue: Catalogue, shared_facts: Path
) -> None:
    facts = json.loads(shared_facts.read_text(encoding="utf-8"))
    assert len(facts["objects"]) == 815
    for fact in facts["objects"]:
        definition = catalogue.get(int(fact["id"], 16))
        assert definition is not None
        assert [f.name for f in definition.fields] == [f["name"] for f in fact["fields"]]
        for f, listed in zip(definition.fields, fact["fields"], strict=True):
            assert (f.type.label, f.elements, f.units) == (
                listed["type"],
                listed["elements"],
                listed["units"],
            )
            assert list(f.options) == listed.get("options", [])
            assert list(f.element_names) == listed.get("element_names", [])
            assert f.limits == (listed.get("limits") or "")
            assert len(f.defaults) == len(listed.get("default") or [])


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
