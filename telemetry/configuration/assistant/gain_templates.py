"""Set-up templates: gains to begin with by kind and size of aircraft, from resources/templates, and
the estimator's noise of simulated sensors, which no real aircraft is offered.

A file is JSON: format 1, id, title, frames (AirframeType names), size, weight_kg, source, proven
("simulated", "flown", "nothing"), note and objects: values by object, and by field or path.
"StabilizationSettingsBank" means all banks. With a base, the id of another one beside it, its
objects say only what differs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from telemetry.base.installation import RESOURCES
from telemetry.configuration.assistant.aircraft import AssistedAircraft, WantedValues, by_path
from telemetry.configuration.assistant.answers import Answers
from telemetry.configuration.settings.stabilization_banks import BANKS, SHARED

TEMPLATES_FOLDER: Final = RESOURCES / "templates"
ESTIMATOR_FOLDER: Final = TEMPLATES_FOLDER / "estimator"
_PROVEN: Final = {
    "simulated": "Proven in simulation only.",
    "flown": "Flown.",
    "nothing": "Proven on no aircraft.",
}
BANK: Final = "StabilizationSettingsBank"


@dataclass(frozen=True, slots=True)
class GainTemplate:
    """A set of values: for which frames, how large, from where, `proven` on what as a sentence,
    and what to know."""

    id: str
    title: str
    frames: tuple[str, ...]
    size: str
    weight_kg: float
    source: str
    proven: str
    note: str
    objects: Mapping[str, Mapping[str, Any]]


def all_templates() -> tuple[GainTemplate, ...]:
    """Every shipped template of gains, from light to heavy."""
    return _templates(TEMPLATES_FOLDER)


def estimator_choices(answers: Answers, aircraft: AssistedAircraft) -> tuple[GainTemplate, ...]:
    """Those of the estimator for the chosen frame: none for a real aircraft."""
    found = _templates(ESTIMATOR_FOLDER) if aircraft.is_simulated else ()
    return tuple(t for t in found if answers.frame in t.frames)


def template_choices(answers: Answers) -> tuple[GainTemplate, ...]:
    """Those for the chosen frame."""
    return tuple(t for t in all_templates() if answers.frame in t.frames)


def propose_gains(answers: Answers, aircraft: AssistedAircraft) -> WantedValues:
    """The values of the chosen template, as far as this firmware has them."""
    return _values(template_choices(answers), answers.gains, aircraft)


def propose_estimator(answers: Answers, aircraft: AssistedAircraft) -> WantedValues:
    """The estimator's values that were chosen, on a simulated aircraft only."""
    return _values(estimator_choices(answers, aircraft), answers.estimator, aircraft)


def _values(
    choices: tuple[GainTemplate, ...], chosen_id: str, aircraft: AssistedAircraft
) -> WantedValues:
    chosen = next((t for t in choices if t.id == chosen_id), None)
    if chosen is None:
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


@cache
def _templates(folder: Path) -> tuple[GainTemplate, ...]:
    found = [_read(path) for path in sorted(folder.glob("*.json"))]
    return tuple(sorted(found, key=lambda template: template.weight_kg))


def _read(path: Path) -> GainTemplate:
    content = json.loads(path.read_text(encoding="utf-8"))
    own = content["objects"]
    base = _read(path.with_stem(content["base"])).objects if "base" in content else {}
    return GainTemplate(
        id=path.stem,
        title=content["title"],
        frames=tuple(content["frames"]),
        size=content["size"],
        weight_kg=float(content["weight_kg"]),
        source=content["source"],
        proven=_PROVEN[content["proven"]],
        note=content["note"],
        objects={name: {**base.get(name, {}), **own.get(name, {})} for name in {**base, **own}},
    )
