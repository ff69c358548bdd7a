"""Curve readers: a field of a recording, or an expression over several.

A curve's path is that of a field, or "=" and an expression; " @ " and a name after it mean another
log than the one under the cursor, and " − this flight" after that how far it is from that one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telemetry.base.measurement_units import short_unit
from telemetry.recording.recording import Recording
from telemetry.review.analysis.expression.evaluation import Evaluation
from telemetry.review.analysis.expression.expression import parse_expression
from telemetry.review.analysis.expression.syntax import ExpressionError
from telemetry.review.analysis.field_paths import FieldRef, find_field

EXPRESSION_MARK = "="
LESS_THIS = " \u2212 this flight"
_LOG_MARK = " @ "


def split_path(path: str) -> tuple[str, str]:
    """The field or expression, and the name of the other log; "" for the one under the cursor."""
    what, _, log = path.partition(_LOG_MARK)
    return what, log.removesuffix(LESS_THIS)


def path_in_log(path: str, log: str) -> str:
    """The same field or expression of another log; "" for the one under the cursor."""
    what, _ = split_path(path)
    return f"{what}{_LOG_MARK}{log}" if log else what


def difference_path(path: str, log: str) -> str:
    """How far the same field or expression of another log is from that of this flight."""
    return f"{path_in_log(path, log)}{LESS_THIS}"


def is_difference(path: str) -> bool:
    """Whether a curve is the difference of two logs."""
    return _LOG_MARK in path and path.endswith(LESS_THIS)


def is_expression(path: str) -> bool:
    """Whether a curve is computed."""
    return path.startswith(EXPRESSION_MARK)


class FieldReader:
    """Reads one field. `base` is None until it is recorded."""

    is_complete = True
    problem = ""

    def __init__(self, recording: Recording, path: str) -> None:
        self._recording = recording
        self._path = path
        self.base: FieldRef | None = None

    def update(self) -> None:
        """Look again: the object may have appeared, or come in another version."""
        self.base = find_field(self._recording, self._path)

    @property
    def origin(self) -> object:
        """What the values are read from: another one has to be read from the beginning."""
        return self.base.track if self.base else None

    @property
    def count(self) -> int:
        """How many samples there are."""
        return self.base.track.count if self.base else 0

    @property
    def unit(self) -> str:
        """As the definition says; empty for options and unknown ones."""
        return short_unit(self.base.field.units) if self.base and not self.is_enum else ""

    @property
    def is_enum(self) -> bool:
        """Whether its numbers stand for options."""
        return bool(self.base and self.base.is_enum)

    @property
    def is_whole(self) -> bool:
        """Whether its values have no decimals."""
        return bool(self.base and self.base.is_whole)

    def column(self, start: int, stop: int) -> NDArray[np.generic]:
        """The values of samples `start` to `stop`. A view: do not write."""
        base = self.base
        if base is None:
            return np.empty(0)
        return base.values(start, stop)


class ExpressionReader(Evaluation):
    """Reads what an expression amounts to, at the samples of its first field."""

    is_enum = False
    is_whole = False
    column = Evaluation.values


@dataclass(frozen=True, slots=True)
class NoReader:
    """Reads nothing: `problem` says what is wrong with the expression."""

    problem: str
    base = None
    origin = None
    count = 0
    unit = ""
    is_enum = False
    is_whole = False
    is_complete = True

    def update(self) -> None:
        """Nothing will ever come."""

    def column(self, _start: int, _stop: int) -> NDArray[np.generic]:
        """No values."""
        return np.empty(0)


Reader = FieldReader | ExpressionReader | NoReader


def make_reader(recording: Recording, path: str) -> Reader:
    """What reads a curve of this path from a recording; its other log is the caller's business."""
    what, _ = split_path(path)
    if not is_expression(what):
        return FieldReader(recording, what)
    try:
        expression = parse_expression(what.removeprefix(EXPRESSION_MARK))
    except ExpressionError as error:
        return NoReader(str(error))
    return ExpressionReader(expression, recording)
