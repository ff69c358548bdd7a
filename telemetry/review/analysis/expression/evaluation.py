"""Expression evaluation: an expression computed over the columns of a recording.

The samples of its first field are those of the result; other fields count with the last value
before each of them, as long as that value counts. What a growing recording brings is appended,
and of a long one as much is computed at a time as a picture can wait for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from telemetry.base.measurement_units import UnitError, short_unit
from telemetry.recording.recording import Recording
from telemetry.review.analysis.expression.expression import Expression, function_of, meant
from telemetry.review.analysis.expression.filters import Floats, SampleRun
from telemetry.review.analysis.expression.functions import ExpressionFunction
from telemetry.review.analysis.expression.syntax import (
    CallNode,
    ExpressionError,
    NameNode,
    Node,
    NumberNode,
    PathNode,
    TextNode,
    fields_of,
)
from telemetry.review.analysis.field_paths import FieldRef, find_field, list_fields
from telemetry.review.analysis.sampling import held_values, silence_limit_s

Columns = Mapping[str, Floats]
_MOST_OPERATIONS = 1_000_000
"""How many values are computed at a time: a few milliseconds."""
_DEGREE = np.pi / 180.0


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of an expression, ready to compute: `unit` is None for a plain number."""

    compute: Callable[[SampleRun, Columns], Floats]
    unit: str | None
    cost: int = 0


class Evaluation:
    """The values of an expression over a recording, as far as they are computed.

    `problem` says why there are none: a field that is not recorded, units that do not fit. `base`
    is the first field, whose samples the values belong to.
    """

    def __init__(self, expression: Expression, recording: Recording) -> None:
        self._expression = expression
        self._recording = recording
        self._refs: tuple[FieldRef, ...] = ()
        self._part: _Part | None = None
        self._seen = -1
        self._looked: tuple[object, ...] = ()
        self._values: Floats = np.empty(0)
        self._wanted = 0
        self.count = 0
        self.problem = ""

    @property
    def base(self) -> FieldRef | None:
        """The first field; None while there is a problem."""
        return self._refs[0] if self._part is not None else None

    @property
    def origin(self) -> object:
        """What the values were computed from: with another one they begin anew."""
        return self._part

    @property
    def unit(self) -> str:
        """The unit of the values, as far as it can be derived; else ""."""
        return (self._part.unit or "") if self._part is not None else ""

    @property
    def is_complete(self) -> bool:
        """Whether everything that was recorded at the last `update` is computed."""
        return self.base is None or self.count >= self._wanted

    def values(self, start: int, stop: int) -> Floats:
        """The values (n,) of samples `start` to `stop`. A view: do not write."""
        return self._values[start : min(stop, self.count)]

    def update(self) -> None:
        """Take in some more of the recording."""
        if self._seen != self._recording.version:
            self._seen = self._recording.version
            self._find()
        base = self.base
        if self._part is None or base is None:
            return
        self._wanted = base.track.count
        if self.is_complete:
            return
        most = max(1, _MOST_OPERATIONS // max(1, self._part.cost))
        stop = min(self._wanted, self.count + most)
        piece = self._compute(self._part, base, stop)
        self._keep(piece, stop)

    def finish(self) -> None:
        """Compute everything."""
        self.update()
        while not self.is_complete:
            self.update()

    def _find(self) -> None:
        """Look the fields up; begin anew where one has appeared or its object is another one."""
        found = [find_field(self._recording, path) for path in self._expression.fields]
        tracks = self._recording.tracks()
        looked = ([(ref.track, ref.field) if ref else None for ref in found], tracks)
        if looked == self._looked:
            return
        self._looked = looked
        self._refs = tuple(ref for ref in found if ref is not None)
        self._part, self.count, self.problem = None, 0, ""
        try:
            _check_fields(self._recording, self._expression.tree)
            units = {r.path: "" if r.is_enum else short_unit(r.field.units) for r in self._refs}
            self._part = _build(self._expression.tree, units)
        except ExpressionError as error:
            self.problem = str(error)

    def _compute(self, part: _Part, base: FieldRef, stop: int) -> Floats:
        start, track = self.count, base.track
        times = track.times[start:stop]
        before = track.times[start - 1] if start else -np.inf
        begins_anew = np.diff(times, prepend=before) > silence_limit_s(track)
        begins_anew[0] |= start == 0
        stretch = SampleRun(times, begins_anew)
        columns = {ref.path: self._column(ref, base, stretch, start) for ref in self._refs}
        with np.errstate(all="ignore"):
            values = part.compute(stretch, columns)
        return np.broadcast_to(values, times.shape)

    @staticmethod
    def _column(ref: FieldRef, base: FieldRef, stretch: SampleRun, start: int) -> Floats:
        column = ref.values()
        if ref.track is base.track:
            return column[start : start + len(stretch.times)].astype(np.float64)
        return held_values(ref.track, column, stretch.times)

    def _keep(self, piece: Floats, stop: int) -> None:
        if stop > len(self._values):
            grown = np.empty(max(stop, 2 * len(self._values)))
            grown[: self.count] = self._values[: self.count]
            self._values = grown
        self._values[self.count : stop] = piece
        self.count = stop


def _check_fields(recording: Recording, tree: Node) -> None:
    """Raise ExpressionError for the first field that is not recorded, or is a whole array."""
    for field in fields_of(tree):
        where = f"'{field.path}', at character {field.place[0] + 1},"
        ref = find_field(recording, field.path)
        if ref is None:
            paths = [entry.path for entry in list_fields(recording)]
            raise ExpressionError(
                f"{where} is not recorded{meant(field.path, paths)}.", *field.place
            )
        if ref.field.elements > 1 and field.path.count(".") == 1:
            example = f"{field.path}.{ref.field.element_label(0)}"
            raise ExpressionError(
                f"{where} has {ref.field.elements} elements: name one, such as {example}.",
                *field.place,
            )


def _build(node: Node, units: Mapping[str, str]) -> _Part:
    """Make a part ready to compute, with steps of its own. Raises ExpressionError if units do not
    fit."""
    if isinstance(node, NumberNode):
        constant = np.array(node.value)
        return _Part(lambda _stretch, _columns: constant, None)
    if isinstance(node, PathNode):
        path = node.path
        return _Part(lambda _stretch, columns: columns[path], units[path], 1)
    if isinstance(node, TextNode | NameNode):
        raise AssertionError(f"{node} was refused when it was parsed")
    function = function_of(node)
    try:
        return _called(node, function, units)
    except UnitError as error:
        raise ExpressionError(
            f"{node.name} at character {node.place[0] + 1} does not fit: {error}.", *node.place
        ) from None


def _called(call: CallNode, function: ExpressionFunction, units: Mapping[str, str]) -> _Part:
    given = len(call.arguments) - function.numbers - function.takes_text
    parts = [_build(argument, units) for argument in call.arguments[:given]]
    named = [part.unit for part in parts if part.unit is not None]
    cost = function.cost + sum(part.cost for part in parts)
    if function.into is not None:
        text = call.arguments[-1]
        wanted = text.value if isinstance(text, TextNode) else ""
        into = function.into(named[0] if named else "", wanted)
        inner, gain, offset = parts[0].compute, into.gain, into.offset
        return _Part(lambda s, c: inner(s, c) * gain + offset, into.unit, cost)
    unit = function.unit(named) if named else None
    if function.make is not None:
        numbers = [node.value for node in call.arguments[given:] if isinstance(node, NumberNode)]
        step, inner = function.make(*numbers), parts[0].compute
        return _Part(lambda s, c: step(s, np.broadcast_to(inner(s, c), s.times.shape)), unit, cost)
    computes = [_in_radians(part) if function.takes_angle else part.compute for part in parts]
    apply = function.apply
    if apply is None:
        raise AssertionError(f"{call.name} does nothing")
    return _Part(lambda s, c: apply(*(compute(s, c) for compute in computes)), unit, cost)


def _in_radians(part: _Part) -> Callable[[SampleRun, Columns], Floats]:
    compute = part.compute
    return (lambda s, c: compute(s, c) * _DEGREE) if part.unit == "°" else compute
