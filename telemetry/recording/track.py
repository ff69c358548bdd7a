"""Track: the samples of one object instance over time, as columns of times and packed rows."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from telemetry.base.table_files import frame_of, save_parquet
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.recording.object_table import columns_of
from telemetry.recording.sample import Sample
from telemetry.recording.timed_columns import Grow, TimedColumns, Times, grown_in_memory
from telemetry.recording.unit_correction import has_doubtful_unit, true_unit, with_unit

if TYPE_CHECKING:
    import pandas as pd

Rows = npt.NDArray[Any]

_FIRST_CAPACITY = 4


class Track(TimedColumns):
    """Times and packed rows of one object instance."""

    _columns: tuple[Times, Rows]

    def __init__(
        self, definition: ObjectDefinition, instance: int, grow: Grow = grown_in_memory
    ) -> None:
        self.definition = definition
        self.is_unit_doubtful = has_doubtful_unit(definition)
        """Whether what was recorded so far does not show if the definition's unit is true."""
        self.unit_note = ""
        """Where that unit is false: what is so, as a sentence."""
        self.instance = instance
        self.count = 0
        self._size = definition.size
        self._grown = grow
        self._publish(np.empty(_FIRST_CAPACITY), np.empty(_FIRST_CAPACITY, definition.dtype))

    def _publish(self, times: Times, rows: Rows) -> None:
        """Take new arrays that already hold all counted rows."""
        self._capacity = min(len(times), len(rows))
        is_packed = self._size > 0 and rows.flags.c_contiguous
        self._bytes = rows.view(np.uint8).data if is_packed else memoryview(b"")
        self._columns = (times, rows)
        self._last_read: tuple[int, Sample] | None = None  # it would keep the old ones

    @property
    def rows(self) -> Rows:
        """Packed rows of all samples. A view: do not write."""
        count = self.count
        return self._columns[1][:count]

    def append(self, t: float, payload: bytes) -> None:
        """Add a sample (writer thread only). Raises ValueError for a payload of another size."""
        count, size = self.count, self._size
        if len(payload) != size:
            raise ValueError(f"{self.definition.name} has {size} bytes, not {len(payload)}")
        if count == self._capacity:
            self._grow(count + 1)
        self._columns[0][count] = t
        self._bytes[count * size : (count + 1) * size] = payload
        self.count = count + 1

    def extend(self, times: Times, rows: Rows) -> None:
        """Add many samples (writer thread only). An empty track takes the arrays over;
        the rows may stand apart in memory."""
        if rows.dtype != self.definition.dtype or len(times) != len(rows):
            raise ValueError(f"these columns do not fit {self.definition.name}")
        count, total = self.count, self.count + len(times)
        if count == 0 and times.dtype == np.float64:
            self._publish(times, rows)
        else:
            if total > self._capacity:
                self._grow(total)
            self._columns[0][count:total] = times
            self._columns[1][count:total] = rows
        self.count = total

    def _grow(self, capacity: int) -> None:
        times, rows = (
            column if len(column) >= capacity else self._grown(column, capacity)
            for column in self._columns
        )
        self._publish(times, rows)

    def take_definition(self, define: Callable[[int], ObjectDefinition | None]) -> bool:
        """Use what `define` says of this id (writer thread only); True if it is something else."""
        said = define(self.definition.object_id)
        if said is None or said.dtype != self.definition.dtype:
            return False
        before, self.definition = self.definition, said
        self.is_unit_doubtful = has_doubtful_unit(said)
        if self.is_unit_doubtful:
            self.judge_unit()
        return self.definition != before

    def judge_unit(self) -> None:
        """See by the newest sample in which unit it really is (writer thread only)."""
        unit = true_unit(self.rows[-1]) if self.count else ""
        if unit:
            self.definition, self.unit_note = with_unit(self.definition, unit)
            self.is_unit_doubtful = False

    def sample(self, index: int) -> Sample:
        """The sample at a position from 0 to `count` - 1."""
        times, rows = self._columns
        return Sample(float(times[index]), self.definition, self.instance, rows[index])

    def sample_at(self, t: float) -> Sample | None:
        """The value that held at `t`; None before the first one arrived.

        The same object is returned while it is the same sample, so that what was worked out of
        it can be kept.
        """
        index = self.index_at(t)
        if index < 0:
            return None
        last = self._last_read
        if last is None or last[0] != index or last[1].definition is not self.definition:
            last = self._last_read = (index, self.sample(index))
        return last[1]

    def repeats_itself(self) -> bool:
        """Whether the newest sample says the same as the one before."""
        count, (_, rows) = self.count, self._columns
        return count > 1 and rows[count - 1].tobytes() == rows[count - 2].tobytes()

    def values(
        self, field: str, element: int | str | None = None, start: int = 0, stop: int | None = None
    ) -> Rows:
        """One column over positions [start, stop), enums as numbers. A view: do not write.

        Shape (n,), or (n, elements) for an array field without `element`, which is an index
        or a name. Raises KeyError for an unknown field, ValueError for an unknown element.
        """
        definition = self.definition.field_named(field)
        column: Rows = self.rows[field][start:stop]
        if element is None or definition.elements == 1:
            return column
        index = definition.element_index(element) if isinstance(element, str) else element
        return column[:, index]

    def columns(self) -> dict[str, Rows]:
        """All samples as one column per number: `time_s`, then "Field [unit]" or "Field.Element
        [unit]"; options as texts."""
        count = self.count
        return {"time_s": self.times[:count], **columns_of(self.definition, self.rows[:count])}

    def frame(self) -> "pd.DataFrame":
        """The same as a DataFrame of pandas. Raises TableError without pandas."""
        return frame_of(self.columns())

    def save(self, path: Path) -> None:
        """Write the same as a Parquet file. Raises TableError without pyarrow, or if the file
        cannot be written."""
        save_parquet(self.columns(), path)
