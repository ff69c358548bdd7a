"""Watched flight as rules look at it: fields, expressions and station values at one instant.

What has not come for too long is None, whatever it last was: nobody knows it now.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from telemetry.base.measurement_units import short_unit
from telemetry.recording.flight_state import FlightState, newest, read_flight_state
from telemetry.recording.freshness import age_if_old
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.review.analysis.expression.evaluation import Evaluation
from telemetry.review.analysis.expression.expression import Expression, parse_expression
from telemetry.review.analysis.expression.syntax import ExpressionError, PathNode
from telemetry.review.analysis.field_paths import FieldRef, find_field
from telemetry.vehicle.vehicle import LinkState, Vehicle
from telemetry.warnings.firmware_needs import FirmwareNeed, field_need
from telemetry.warnings.rule_state import WatchedValue

_COUNTING = (LinkState.FETCHING, LinkState.CONNECTED, LinkState.REPLAY)


class StationValueError(Exception):
    """A value that cannot be worked out. One sentence for the user, with a remedy."""


@dataclass(frozen=True, slots=True)
class WatchedReading:
    """A value at one instant; `unit` is as short as on screen. `problem` says why it can never be
    known: its text is no field and no expression."""

    value: WatchedValue = None
    unit: str = ""
    problem: str = ""


class WatchedFlight:
    """The flight of one vehicle at `t`, which `move_to` sets. Rules of one instant share what was
    read. `seen` is for values that depend on what has been before (a fix that is lost).
    """

    def __init__(self, vehicle: Vehicle) -> None:
        self.vehicle = vehicle
        self.seen: set[str] = set()
        self.t = 0.0
        self._read: dict[str, WatchedReading] = {}
        self._ages: dict[int, float | None] = {}
        self._expressions: dict[str, Expression | ExpressionError] = {}
        self._evaluations: dict[str, Evaluation] = {}

    @property
    def recording(self) -> Recording:
        """What is read."""
        return self.vehicle.recording

    @property
    def flight(self) -> FlightState:
        """What the aircraft does."""
        return read_flight_state(self.recording, self.t)

    def move_to(self, t: float) -> None:
        """RuleLook at this instant from now on (seconds of the recording)."""
        self.t = t
        self._read.clear()
        self._ages.clear()

    def known(self, *names: str) -> Sample | None:
        """The newest sample of the first of these objects that the aircraft sends, if it holds."""
        sample = newest(self.recording, names, self.t)
        return sample if sample is not None and not self._is_old(sample) else None

    def read(self, text: str, station: "Mapping[str, StationValue]") -> WatchedReading:
        """The value that a name of `station`, a field's path or an expression has now."""
        found = self._read.get(text)
        if found is None:
            known = station.get(text)
            found = known.read_from(self) if known is not None else self._field_or_expression(text)
            self._read[text] = found
        return found

    def needs(self, text: str, station: "Mapping[str, StationValue]") -> tuple[FirmwareNeed, ...]:
        """What has to be on board for a value to be known."""
        known = station.get(text)
        if known is not None:
            return known.needs
        expression = self._parsed(text)
        if isinstance(expression, ExpressionError):
            return ()
        return tuple(field_need(path) for path in expression.fields)

    def _field_or_expression(self, text: str) -> WatchedReading:
        expression = self._parsed(text)
        if isinstance(expression, ExpressionError):
            return WatchedReading(problem=str(expression))
        refs = [find_field(self.recording, path) for path in expression.fields]
        samples = [ref.track.sample_at(self.t) if ref is not None else None for ref in refs]
        if any(sample is None or self._is_old(sample) for sample in samples):
            return WatchedReading()
        if isinstance(expression.tree, PathNode) and refs[0] is not None:
            return _field(refs[0], samples[0])
        return self._evaluated(text, expression)

    def _parsed(self, text: str) -> Expression | ExpressionError:
        if text not in self._expressions:
            try:
                self._expressions[text] = parse_expression(text)
            except ExpressionError as error:
                self._expressions[text] = error
        return self._expressions[text]

    def _evaluated(self, text: str, expression: Expression) -> WatchedReading:
        evaluation = self._evaluations.get(text)
        if evaluation is None:
            evaluation = self._evaluations[text] = Evaluation(expression, self.recording)
        evaluation.update()
        base = evaluation.base
        if base is None:
            return WatchedReading()
        index = base.track.index_at(self.t)
        is_computed = 0 <= index < evaluation.count
        value = float(evaluation.values(index, index + 1)[0]) if is_computed else math.nan
        return WatchedReading(value if math.isfinite(value) else None, evaluation.unit)

    def _is_old(self, sample: Sample) -> bool:
        definition = sample.definition
        if definition.settings:
            return False
        key = definition.object_id
        if key not in self._ages:
            self._ages[key] = age_if_old(self.recording, sample, self.t)
        return self._ages[key] is not None


@dataclass(frozen=True, slots=True)
class StationValue:
    """A value that the station works out, whatever the release calls what it is made of: `needs`
    are all of that. `read` may raise StationValueError."""

    words: str
    read: Callable[[WatchedFlight], WatchedValue]
    unit: str = ""
    needs_link: bool = True
    needs: tuple[FirmwareNeed, ...] = ()

    def read_from(self, watched: WatchedFlight) -> WatchedReading:
        """The value now; None while nothing is heard, unless it is about just that."""
        status = watched.vehicle.status
        if self.needs_link and (status.is_silent or status.state not in _COUNTING):
            return WatchedReading(None, self.unit)
        try:
            return WatchedReading(self.read(watched), self.unit)
        except StationValueError as error:
            return WatchedReading(None, self.unit, str(error))


def _field(ref: FieldRef, sample: Sample | None) -> WatchedReading:
    if sample is None:
        return WatchedReading()
    label = f".{ref.field.element_label(ref.element)}" if ref.field.elements > 1 else ""
    value = sample[f"{ref.field.name}{label}"]
    if isinstance(value, float) and not math.isfinite(value):
        value = None
    known: WatchedValue = float(value) if isinstance(value, int) else value
    return WatchedReading(known, short_unit(ref.field.units))
