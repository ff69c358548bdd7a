"""Settings difference: two sets compared by name, whatever releases they come from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.snapshot import Address, ObjectValues, Skipped, Snapshot
from telemetry.recording.sample import Value


@dataclass(frozen=True, slots=True)
class Change:
    """A value that differs: `a` on one side, `b` on the other."""

    name: str
    instance: int
    path: str
    a: Value
    b: Value


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two sets, how many values are equal, and what has no counterpart.

    `skipped` names fields of objects that both sides have and only one knows.
    """

    changed: tuple[Change, ...]
    same: int
    only_a: tuple[Address, ...]
    only_b: tuple[Address, ...]
    skipped: tuple[Skipped, ...]


def difference(a: Snapshot, b: Snapshot) -> Difference:
    """Compare two sets. Numbers are equal if a 32-bit float holds them alike."""
    changed: list[Change] = []
    skipped = [*a.skipped, *b.skipped]
    same = 0
    for address, ours in a.objects.items():
        if address not in b.objects:
            continue
        theirs = b.objects[address]
        found = _changes(ours, theirs)
        changed += found
        shared = [path for path in ours.values if path in theirs.values]
        same += len(shared) - len(found)
        skipped += _missing(ours, theirs, a.title, b.title)
    return Difference(
        tuple(changed),
        same,
        tuple(address for address in a.objects if address not in b.objects),
        tuple(address for address in b.objects if address not in a.objects),
        tuple(skipped),
    )


def is_same(a: Value, b: Value) -> bool:
    """Whether a board would hold both alike. Texts of numbers count as numbers."""
    if a == b:
        return True
    x, y = _number(a), _number(b)
    if x is None or y is None:
        return False
    with np.errstate(over="ignore"):
        return bool(np.float32(x) == np.float32(y)) or (math.isnan(x) and math.isnan(y))


def _changes(ours: ObjectValues, theirs: ObjectValues) -> list[Change]:
    return [
        Change(ours.name, ours.instance, path, value, theirs.values[path])
        for path, value in _in_order(ours).items()
        if path in theirs.values and not is_same(value, theirs.values[path])
    ]


def _in_order(objects: ObjectValues) -> Mapping[str, Value]:
    """The values in the order of the definition, where it is known."""
    if objects.definition is None:
        return objects.values
    known = slots_of(objects.definition)
    return {path: objects.values[path] for path in known if path in objects.values}


def _missing(
    ours: ObjectValues, theirs: ObjectValues, our_title: str, their_title: str
) -> list[Skipped]:
    found = []
    for one, other, title in ((ours, theirs, their_title), (theirs, ours, our_title)):
        fields = dict.fromkeys(path for path in one.values if path not in other.values)
        if fields:
            found.append(Skipped(one.name, f"{title} has no {', '.join(fields)}"))
    return found


def _number(value: Value) -> float | None:
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None
