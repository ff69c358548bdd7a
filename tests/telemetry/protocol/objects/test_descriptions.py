"""Every settings field of the shipped definitions is explained: its text becomes a tool tip."""

from collections import Counter
from dataclasses import replace

import pytest

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, load_catalogue
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition

_LEAST, _MOST = 20, 220  # characters


def settings() -> list[ObjectDefinition]:
    return [d for d in load_catalogue().release(DEFAULT_RELEASE) if d.settings]


def complaint(f: FieldDefinition) -> str:
    """What is wrong with the description of a field; empty if nothing is."""
    text = f.description
    if not _LEAST <= len(text) <= _MOST:
        return f"has {len(text)} characters"
    if not text.endswith("."):
        return "does not end in a full stop"
    if not (text[0].isupper() or text[0].isdigit()):
        return "does not begin like a sentence"
    return "" if text.isprintable() else "has unprintable characters"


@pytest.mark.parametrize("definition", settings(), ids=lambda definition: definition.name)
def test_every_field_is_described_in_words_of_its_own(definition: ObjectDefinition) -> None:
    wrong = {f.name: complaint(f) for f in definition.fields if complaint(f)}
    assert not wrong
    texts = Counter(f.description for f in definition.fields)
    assert [text for text, count in texts.items() if count > 1] == []


def test_all_476_fields_of_44_objects_are_covered() -> None:
    definitions = settings()
    assert len(definitions) == 44
    assert sum(len(definition.fields) for definition in definitions) == 476


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Too short.",
        "It has no full stop at its end",
        "x" * 220 + ".",
        "it begins in small letters.",
    ],
)
def test_a_poor_description_is_noticed(text: str) -> None:
    f = settings()[0].fields[0]
    assert complaint(FieldDefinition(f.name, f.type, description=text))


def test_the_copy_in_use_explains_its_fields_like_the_banks() -> None:
    """StabilizationBank is no setting, but shows the same gains."""
    catalogue = load_catalogue()
    bank = catalogue.find("StabilizationSettingsBank1")
    for f in catalogue.find("StabilizationBank").fields:
        assert f.description == bank.field_named(f.name).description


def test_versions_without_words_borrow_those_of_the_same_field() -> None:
    catalogue = load_catalogue()
    old = catalogue.find("StabilizationSettingsBank1", "OpenPilot-15.02")
    known = catalogue.find("StabilizationSettingsBank1")
    assert old.object_id != known.object_id
    roll = old.field_named("RollMax")
    assert not roll.description
    assert catalogue.explain(old.name, roll) == known.field_named("RollMax").description
    assert catalogue.explain(old.name, replace(roll, name="Unheard")) == ""
    assert catalogue.explain("Unheard", roll) == ""
    assert catalogue.explain(old.name, replace(roll, description="Own.")) == "Own."
