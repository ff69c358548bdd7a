"""Definitions as JSON: nothing is lost, and nothing unsound comes in."""

import json
from typing import Any

import pytest

from telemetry.base.text_formats import FormatError
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition_json import definition_from_json, definition_to_json


@pytest.mark.slow
def test_every_shipped_definition_comes_back_whole(catalogue: Catalogue) -> None:
    """Those of Tau Labs number options with gaps, which a definition file alone cannot say."""
    for definition in catalogue.release(catalogue.release_names[0]):
        text = json.dumps(definition_to_json(definition))
        assert definition_from_json(json.loads(text)) == definition


def test_options_with_gaps_keep_their_numbers(catalogue: Catalogue) -> None:
    found = [
        definition
        for release in catalogue.release_names
        if release.startswith(("TauLabs", "dRonin"))
        for definition in catalogue.release(release)
        if any(f.option_values != tuple(range(len(f.options))) for f in definition.fields)
    ]
    assert found
    for definition in found[:3]:
        assert definition_from_json(definition_to_json(definition)) == definition


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "a b"}, "is no name"),
        ({"settings": 1}, "settings is no true or false"),
        ({"policies": [["MANUAL", 0, False]]}, "three ways"),
        ({"policies": [["NOW", 0, False]] * 3}, "when an object is sent"),
        ({"fields": []}, "no fields"),
        ({"single_instance": False}, "does not follow"),
    ],
)
def test_what_is_unsound_is_refused(
    catalogue: Catalogue, change: dict[str, Any], reason: str
) -> None:
    value = definition_to_json(catalogue.find("FlightStatus"))
    with pytest.raises(FormatError, match=reason):
        definition_from_json({**value, **change})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"elements": 256}, "whole number from 1 to 255"),
        ({"element_names": ["a", "b"]}, "1 elements and 2 names"),
        ({"type": "double"}, "unknown field type"),
        ({"options": ["A", "A"], "option_values": [0, 1]}, "options that no firmware"),
        ({"option_values": [0]}, "options that no firmware"),
        ({"defaults": [1]}, "a default that it cannot hold"),
    ],
)
def test_an_unsound_field_is_refused(
    catalogue: Catalogue, change: dict[str, Any], reason: str
) -> None:
    value = definition_to_json(catalogue.find("FlightStatus"))
    value["fields"][0] = {**value["fields"][0], **change}
    with pytest.raises(FormatError, match=reason):
        definition_from_json(value)
