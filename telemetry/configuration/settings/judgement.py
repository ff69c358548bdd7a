"""Whether a value may be set: illegal (ERROR, never sent) or unusual (WARNING, sent if meant).

Illegal is what the field cannot hold: a number outside its type, NaN, an option that does not
exist. Unusual is what its definition advises against, for every board or for this one.
"""

from telemetry.configuration.settings.slots import Slot, held
from telemetry.finding import Finding, Level
from telemetry.objects.limits import limits_of
from telemetry.recording.sample import Value

_FINE = Finding(Level.OK, "fine", "")


def judge(slot: Slot, value: Value, board: int = 0) -> Finding:
    """Judge one value. The text is a phrase for the user, empty where the value is fine.

    `board` (0x0903, ...) adds the limits for that hardware.
    """
    try:
        kept = held(slot, value)
    except ValueError as error:
        return Finding(Level.ERROR, "illegal", str(error))
    if slot.index is None:
        return _FINE
    complaint = limits_of(slot.field, slot.index, board).complaint(kept)
    if not complaint:
        return _FINE
    return Finding(Level.WARNING, "unusual", f"Unusual: {complaint}")
