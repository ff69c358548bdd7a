"""Settings report: what the settings commands print, for people and as JSON."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from telemetry.configuration.settings.difference import Change, Difference
from telemetry.configuration.settings.snapshot import object_name, setting_name
from telemetry.configuration.settings.transfer import EditOutcome, Transfer
from telemetry.configuration.settings.value_text import shortest, text_of
from telemetry.recording.sample import Value


@dataclass(frozen=True, slots=True)
class ObjectResult:
    """What became of one object. `reason` is a sentence where something is to be said."""

    name: str
    instance: int
    outcome: EditOutcome
    reason: str = ""
    is_failed: bool = False


def results_of(transfer: Transfer) -> list[ObjectResult]:
    """The results of a transfer."""
    results = []
    for item in transfer.items:
        is_failed = not item.is_on_board or (transfer.save and not item.is_saved)
        results.append(ObjectResult(*item.edit.address, item.outcome, item.reason, is_failed))
    return results


def results_json(results: Sequence[ObjectResult], is_verified: bool) -> dict[str, Any]:
    """The shape that `set` and `apply` print."""
    entries = [
        {"object": r.name, "instance": r.instance, "outcome": r.outcome.value, "reason": r.reason}
        for r in results
    ]
    return {"results": entries, "verified": is_verified}


def results_lines(
    results: Sequence[ObjectResult], *, is_verified: bool, is_saving: bool
) -> list[str]:
    """One line per object that was not simply as it should be already, and a summary."""
    shown = [r for r in results if r.outcome is not EditOutcome.UNCHANGED or r.reason]
    lines = [f"{r.outcome.value:18}{object_name((r.name, r.instance))}" for r in shown]
    counted = Counter(r.outcome.value for r in results)
    summary = ", ".join(f"{count} {word}" for word, count in counted.items()) or "Nothing to do"
    saved = " and saved" if is_saving else ""
    end = f"; read back{saved}." if is_verified else "."
    return [*lines, summary + end]


def failure_sentences(results: Sequence[ObjectResult]) -> list[str]:
    """One sentence per object that failed."""
    return [_sentence(r) for r in results if r.is_failed]


def _sentence(result: ObjectResult) -> str:
    name = object_name((result.name, result.instance))
    if name in result.reason or result.name in result.reason:
        return result.reason
    reason = result.reason or f"{result.outcome.value}."
    return f"{name}: {reason}"


def difference_json(found: Difference) -> dict[str, Any]:
    """The shape that `diff` prints."""
    return {
        "changed": [_change_json(change) for change in found.changed],
        "same": found.same,
        "only_a": [object_name(address) for address in found.only_a],
        "only_b": [object_name(address) for address in found.only_b],
        "skipped": [{"object": entry.name, "why": entry.why} for entry in found.skipped],
    }


def _change_json(change: Change) -> dict[str, Any]:
    field, _, element = change.path.partition(".")
    return {
        "object": change.name,
        "instance": change.instance,
        "field": field,
        "element": element or None,
        "a": plain(change.a),
        "b": plain(change.b),
    }


def difference_lines(found: Difference, a: str, b: str) -> list[str]:
    """Changes, what one side lacks, what was skipped, and the counts."""
    lines = [
        f"{setting_name((c.name, c.instance), c.path)}: {text_of(c.a)} -> {text_of(c.b)}"
        for c in found.changed
    ]
    lines += [f"only in {a}: {object_name(address)}" for address in found.only_a]
    lines += [f"only in {b}: {object_name(address)}" for address in found.only_b]
    lines += [f"skipped: {entry.name}: {entry.why}" for entry in found.skipped]
    lines.append(
        f"{len(found.changed)} differ, {found.same} are the same, {len(found.only_a)} objects only "
        f"in {a}, {len(found.only_b)} only in {b}, {len(found.skipped)} skipped."
    )
    return lines


def grouped(values: Mapping[str, Value]) -> dict[str, Any]:
    """Values by field; those with elements as a table of them."""
    found: dict[str, Any] = {}
    for path, value in values.items():
        field, _, element = path.partition(".")
        if element:
            found.setdefault(field, {})[element] = plain(value)
        else:
            found[field] = plain(value)
    return found


def plain(value: Value) -> Value:
    """A value as JSON can hold it: floats with few digits, what is no number as text."""
    if isinstance(value, float):
        return shortest(value) if math.isfinite(value) else str(value)
    return value
