"""Gain templates: values to begin with by kind and size of aircraft, from resources/templates.

A file is JSON: format 1, id, title, frames (AirframeType names), size, weight_kg, source, note
and objects: values by object, and by field or path. "StabilizationSettingsBank" means all banks.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from telemetry.base.installation import RESOURCES
from telemetry.configuration.assistant.aircraft import AssistedAircraft, WantedValues, by_path
from telemetry.configuration.assistant.answers import KEEP, Answers
from telemetry.configuration.settings.stabilization_banks import BANKS, SHARED

TEMPLATES_FOLDER: Final = RESOURCES / "templates"
BANK: Final = "StabilizationSettingsBank"


@dataclass(frozen=True, slots=True)
class GainTemplate:
    """A set of gains: for which frames, how large, from where, and what to know."""

    id: str
    title: str
    frames: tuple[str, ...]
    size: str
    weight_kg: float
    source: str
    note: str
    objects: Mapping[str, Mapping[str, Any]]


@cache
def all_templates() -> tuple[GainTemplate, ...]:
    """Every shipped template, from light to heavy."""
    found = [_read(path) for path in sorted(TEMPLATES_FOLDER.glob("*.json"))]
    return tuple(sorted(found, key=lambda template: template.weight_kg))


def template_choices(answers: Answers) -> tuple[GainTemplate, ...]:
    """Those for the chosen frame."""
    return tuple(t for t in all_templates() if answers.frame in t.frames)


def propose_gains(answers: Answers, aircraft: AssistedAircraft) -> WantedValues:
    """The values of the chosen template, as far as this firmware has them."""
    chosen = next((t for t in template_choices(answers) if t.id == answers.gains), None)
    if chosen is None or answers.gains == KEEP:
        return {}
    wanted: WantedValues = {}
    for name, values in chosen.objects.items():
        homes = (name,) if name != BANK else _bank_homes(aircraft)
        for home in homes:
            definition = aircraft.definition(home)
            if definition is not None:
                wanted.setdefault(home, {})
                wanted[home] |= by_path(definition, values)
    return wanted


def _bank_homes(aircraft: AssistedAircraft) -> tuple[str, ...]:
    """Releases without banks keep the gains in what all banks share."""
    banks = tuple(name for name in BANKS if aircraft.definition(name) is not None)
    return banks or (SHARED,)


def _read(path: Path) -> GainTemplate:
    content = json.loads(path.read_text(encoding="utf-8"))
    return GainTemplate(
        id=path.stem,
        title=content["title"],
        frames=tuple(content["frames"]),
        size=content["size"],
        weight_kg=float(content["weight_kg"]),
        source=content["source"],
        note=content["note"],
        objects=content["objects"],
    )
