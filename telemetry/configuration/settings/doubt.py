"""Doubt: staged values that are sent only after somebody's own yes, by name."""

from collections.abc import Iterable
from dataclasses import dataclass

from telemetry.base.finding import Finding, Level
from telemetry.configuration.settings.draft import StagedKey
from telemetry.configuration.settings.ownership import bound_to_board
from telemetry.configuration.settings.snapshot import Address, object_name, setting_name


@dataclass(frozen=True, slots=True)
class Doubt:
    """A value beyond its limits, or all of an object that belongs to another aircraft.

    `name` is what the yes is given for ("FlightModeSettings.Arming", "MixerSettings"), `text` a
    phrase that says why, `keys` what it sends.
    """

    name: str
    text: str
    keys: tuple[StagedKey, ...]

    @property
    def is_of_another(self) -> bool:
        """Whether its values are fine by themselves, and another aircraft's."""
        return "." not in self.name


def doubts_of(
    judged: Iterable[tuple[StagedKey, Finding]], foreign: frozenset[StagedKey]
) -> tuple[Doubt, ...]:
    """What is in doubt of staged values that were judged by their limits; those that are `foreign`
    were taken from another aircraft."""
    found: list[Doubt] = []
    groups: dict[Address, list[StagedKey]] = {}
    for key, finding in judged:
        name, instance, path = key
        whose = bound_to_board(name, path) if key in foreign else ""
        if finding.level is Level.WARNING:
            text = f"{finding.text}; {_told([key])}" if whose else finding.text
            found.append(Doubt(setting_name((name, instance), path), text, (key,)))
        elif whose:
            groups.setdefault((name, instance), []).append(key)
    found += [Doubt(object_name(a), _told(keys), tuple(keys)) for a, keys in groups.items()]
    return tuple(found)


def _told(keys: Iterable[StagedKey]) -> str:
    words = dict.fromkeys(bound_to_board(name, path) for name, _, path in keys)
    return f"of another aircraft, {', '.join(words)}"
