"""Plot fields, as a plot names, searches and takes them."""

from typing import Protocol, runtime_checkable

from telemetry.recording.recording import Recording
from telemetry.review.analysis.field_paths import FieldEntry, find_field, path_of
from widgets.plot.readers import (
    EXPRESSION_MARK,
    LESS_THIS,
    is_difference,
    is_expression,
    split_path,
)

FIELD_MIME = "application/x-lapwing-field"
"""What is dragged from one view to another: paths, one per line, as UTF-8."""

LOG_DOT = " \u00b7 "
"""Between the name of a curve and that of another log."""
_LONGEST_LOG = 16


@runtime_checkable
class FieldTaker(Protocol):
    """A view that other views can hand a field to, without the mouse."""

    def takes_field(self, path: str) -> bool:
        """Whether the field at `path` can be shown here."""

    def take_field(self, path: str) -> None:
        """Show the field at `path`."""


def expand_paths(recording: Recording, text: str) -> list[str]:
    """The plottable paths in dropped or typed text; an array field stands for its elements."""
    found: list[str] = []
    for line in text.split():
        ref = find_field(recording, line)
        if ref is None:
            continue
        is_array = ref.field.elements > 1 and line.count(".") == 1
        elements = range(ref.field.elements) if is_array else (ref.element,)
        found += [path_of(ref.track, ref.field, element) for element in elements]
    return found


def search_fields(entries: list[FieldEntry], text: str) -> list[FieldEntry]:
    """The entries that hold every word of `text`, best first, unchanged order within a rank.

    A word at the start of a part of the path ("roll" in "AttitudeState.Roll") counts more than
    one inside.
    """
    words = text.lower().split()
    if not words:
        return entries
    ranked = []
    for entry in entries:
        searched = f"{entry.path} {entry.unit}".lower()
        if all(word in searched for word in words):
            parts = entry.path.lower().replace("[", ".").split(".")
            starts = sum(any(part.startswith(word) for part in parts) for word in words)
            exact = sum(word in parts for word in words)
            ranked.append((-exact, -starts, entry))
    ranked.sort(key=lambda item: item[:2])
    return [entry for _, _, entry in ranked]


def name_end(name: str, longest: int) -> str:
    """The end of a long name, which tells more than its beginning."""
    return name if len(name) <= longest else f"…{name[1 - longest :]}"


def short_labels(paths: list[str]) -> tuple[str, list[str]]:
    """What all paths have in common (an object's name, or nothing), and what tells them apart.

    An expression is told whole; a curve of another log by its name as well.
    """
    told = [split_path(path) for path in paths]
    heads = {what.partition(".")[0] for what, _ in told}
    title = heads.pop() if len(heads) == 1 else ""
    if any(is_expression(what) for what, _ in told):
        title = ""
    labels = []
    for path, (what, log) in zip(paths, told, strict=True):
        label = what.partition(".")[2] if title else what.removeprefix(EXPRESSION_MARK)
        less = LESS_THIS if is_difference(path) else ""
        end = f"{LOG_DOT}{name_end(log, _LONGEST_LOG)}{less}"
        labels.append(f"{label}{end}" if log else label)
    return title, labels
