"""Whether a value may be set, at two levels: illegal (never sent) and unusual (sent if meant).

Illegal is what the field cannot hold: a number outside its type, NaN, an option that does not
exist. Unusual is what its definition advises against, for every board or for this one.
"""

from dataclasses import dataclass
from enum import Enum

from telemetry.configuration.settings.slots import Slot, held
from telemetry.objects.limits import limits_of
from telemetry.recording.sample import Value


class Level(Enum):
    """How a value stands to its limits."""

    FINE = "fine"
    UNUSUAL = "unusual"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A level, and why as a phrase for the user ("" where the value is fine)."""

    level: Level = Level.FINE
    why: str = ""


_FINE = Judgement()


def judge(slot: Slot, value: Value, board: int = 0) -> Judgement:
    """Judge one value. `board` (0x0903, ...) adds the limits for that hardware."""
    try:
        kept = held(slot, value)
    except ValueError as error:
        return Judgement(Level.ILLEGAL, str(error))
    if slot.index is None:
        return _FINE
    complaint = limits_of(slot.field, slot.index, board).complaint(kept)
    if not complaint:
        return _FINE
    return Judgement(Level.UNUSUAL, f"Unusual: {complaint}")
