"""Log duration: how long a board's flash takes what is logged, and in words what that is about."""

from collections.abc import Iterable
from dataclasses import dataclass

from telemetry.configuration.board_logs.log_filling import LoggedStream, slots_per_s
from telemetry.configuration.board_logs.logged_objects import LoggedObject
from telemetry.configuration.board_logs.rate_preset import FRAME_BYTES
from telemetry.protocol.objects.definition import UpdateMode

_NAMED = 3
_WITHOUT_PAUSE = "The board logs or sends without pause, until they are set again"
_UNCOUNTED = "Not counted, for nobody tells how often they are updated"
_MINUTES_FROM_S, _HOURS_FROM_S = 120.0, 2 * 3600.0


@dataclass(frozen=True, slots=True)
class LogDuration:
    """How long the flash takes what is logged. None is for what is not known."""

    slots_per_s: float
    free_s: float | None
    empty_s: float | None
    """So long it lasts once it is erased."""
    uncounted: tuple[str, ...]
    """Objects that are logged when they are updated, which is not known to be how often."""
    misfits: tuple[str, ...]
    """Objects that firmware would log, or send, without pause."""
    has_throttled: bool
    """Whether objects are counted at the most that they can be logged."""
    more_sent_bytes_per_s: float
    """What goes over the link besides at most: firmware sends what it logs of throttled objects."""


def duration_of(
    objects: Iterable[LoggedObject], free_slots: int | None, all_slots: int | None
) -> LogDuration:
    """How long the flash takes these objects; slots are None where the board has not told them."""
    logged = [one for one in objects if one.policy.mode is not UpdateMode.MANUAL]
    known = [(one, one.entries_per_s) for one in logged]
    streams = [LoggedStream(one.size_bytes, per_s) for one, per_s in known if per_s is not None]
    rate = slots_per_s(streams)
    return LogDuration(
        rate,
        _seconds(free_slots, rate),
        _seconds(all_slots, rate),
        tuple(one.name for one, per_s in known if per_s is None and not one.is_misfit),
        tuple(one.name for one in logged if one.is_misfit),
        any(one.policy.mode is UpdateMode.THROTTLED for one in logged),
        sum(map(_more_sent_bytes_per_s, logged)),
    )


def duration_text(lasts: LogDuration, when: str) -> str:
    """Sentences for the user. `when` is the option by which there is a log at all."""
    if when == "Disabled":
        return "The log is switched off. Choose when there is one, or a preset."
    sent = lasts.more_sent_bytes_per_s
    link = f" Up to {sent:,.0f} bytes a second more go over the link." if sent >= 50.0 else ""
    missing = _listed(_WITHOUT_PAUSE, lasts.misfits) + _listed(_UNCOUNTED, lasts.uncounted)
    if not lasts.slots_per_s:
        return missing.strip() or "Nothing is logged."
    per_s = f"{lasts.slots_per_s:.0f}" if lasts.slots_per_s >= 10 else f"{lasts.slots_per_s:.1f}"
    return (
        f"{_full_text(lasts, when)} It takes {per_s} entries a second; what it cannot keep up with "
        f"is left out.{link}{missing}"
    )


def _full_text(lasts: LogDuration, when: str) -> str:
    if lasts.free_s is None or lasts.empty_s is None:
        return "How much is free is not known."
    while_armed = " while armed" if when == "OnlyWhenArmed" else ""
    least = " at the earliest" if lasts.has_throttled else ""
    if not lasts.free_s:
        full = "The flash is full: erase it"
    else:
        full = f"Full in about {time_text(lasts.free_s)}{while_armed}{least}"
    return f"{full}; an empty flash takes about {time_text(lasts.empty_s)} of it."


def _listed(sentence: str, names: tuple[str, ...]) -> str:
    return f" {sentence}: {_named(names)}." if names else ""


def _named(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def time_text(seconds: float) -> str:
    """A time that is known roughly."""
    if seconds < _MINUTES_FROM_S:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < _HOURS_FROM_S else f"{seconds / 3600:.1f} h"


def _more_sent_bytes_per_s(one: LoggedObject) -> float:
    is_both = one.policy.mode is one.sent.mode is UpdateMode.THROTTLED
    per_s = one.policy.per_s if is_both else 0.0
    return per_s * one.instances * (one.size_bytes + FRAME_BYTES)


def _seconds(slots: int | None, per_s: float) -> float | None:
    return slots / per_s if slots is not None and per_s > 0.0 else None
