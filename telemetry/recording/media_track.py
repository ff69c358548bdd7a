"""Media track: pictures, scans or values of a stream; an index beside the tracks of samples.

The index is complete and in memory. Of the samples themselves the newest are, as far as a bounded
memory goes; the others are read from where they were recorded.
"""

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import numpy.typing as npt

from telemetry.recording.timed_columns import TimedColumns, Times, grown_in_memory

if TYPE_CHECKING:  # a station that starts has none, and need not wait for what they are
    from telemetry.protocol.streams.samples import StreamDescription, StreamSample

MEMORY_BYTES: Final = 32 << 20
"""Of one track: a second of pictures of 640x480."""
_FIRST_CAPACITY: Final = 64

Integers = npt.NDArray[np.int64]


class MediaStore(Protocol):
    """Where the samples of a stream were recorded."""

    def sample(self, index: int) -> "StreamSample | None":
        """The sample of that place in the track; None if it was not recorded or is damaged. Reads
        from disk: not for the GUI thread."""


class MediaTrack(TimedColumns):
    """When each sample was taken, by the flight and by its sensor, and its number.

    `missing` counts what is between the numbers that arrived, wherever it was lost; `dropped` what
    of that this side was too slow for, as the writer says, who also says whether the stream
    `is_live`. Who records the stream has put its `store` there, which has
    what is not in memory, and says in a sentence what is `unrecorded`, "" if all is recorded.
    """

    _columns: tuple[Times, Integers, Integers]

    def __init__(
        self,
        description: "StreamDescription",
        store: MediaStore | None = None,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self.description = description
        self.store = store
        self.unrecorded = ""
        self.is_live = False
        self.dropped = 0
        self.missing = 0
        self.count = 0
        self._memory_bytes = memory_bytes
        self._held: dict[int, StreamSample] = {}
        self._held_bytes = 0
        self._first_held = 0
        self._columns = (
            np.empty(_FIRST_CAPACITY),
            np.empty(_FIRST_CAPACITY, np.int64),
            np.empty(_FIRST_CAPACITY, np.int64),
        )

    @property
    def stamps_us(self) -> Integers:
        """The sensor's own stamps, in microseconds; they need not ascend where the sensor began
        anew. A view: do not write."""
        count = self.count
        return self._columns[1][:count]

    @property
    def numbers(self) -> Integers:
        """The sensor's own numbers, with gaps where samples were lost. A view: do not write."""
        count = self.count
        return self._columns[2][:count]

    def append(self, t: float, sample: "StreamSample") -> None:
        """Add a sample (writer thread only). A `t` before the newest one's is moved up to it."""
        count = self.count
        if count:
            t = max(t, self.last_s)
            self.missing += max(0, sample.number - int(self._columns[2][count - 1]) - 1)
        self._reach(count + 1)
        for column, value in zip(self._columns, (t, sample.time_us, sample.number), strict=True):
            column[count] = value
        self._hold(count, sample)
        self.count = count + 1

    def extend(self, times: Times, stamps_us: Integers, numbers: Integers) -> None:
        """Add many that were recorded (writer thread only), ascending in time."""
        count, total = self.count, self.count + len(times)
        self._reach(total)
        for column, added in zip(self._columns, (times, stamps_us, numbers), strict=True):
            column[count:total] = added
        self.missing += int(
            np.maximum(np.diff(self._columns[2][max(0, count - 1) : total]) - 1, 0).sum()
        )
        self.count = total

    def held(self, index: int) -> "StreamSample | None":
        """The sample of a place if it is in memory; never waits."""
        return self._held.get(index)

    @property
    def newest(self) -> "StreamSample | None":
        """The last sample that arrived; None where nothing did, or all of it was recorded."""
        return self._held.get(self.count - 1)

    def sample(self, index: int) -> "StreamSample | None":
        """The sample of a place, from memory or from where it was recorded: not for the GUI thread.
        None if it is nowhere."""
        held = self._held.get(index)
        if held is None and self.store is not None and 0 <= index < self.count:
            return self.store.sample(index)
        return held

    def sample_at(self, t: float) -> "StreamSample | None":
        """The last sample at or before `t`, as `sample`."""
        index = self.index_at(t)
        return self.sample(index) if index >= 0 else None

    def _hold(self, index: int, sample: "StreamSample") -> None:
        """Keep it in memory, and as many of those before as there is room for."""
        self._held[index] = sample
        self._held_bytes += sample.nbytes
        while self._held_bytes > self._memory_bytes and self._first_held < index:
            before = self._held.pop(self._first_held, None)
            self._held_bytes -= before.nbytes if before is not None else 0
            self._first_held += 1

    def _reach(self, capacity: int) -> None:
        times, stamps, numbers = self._columns
        if capacity > len(times):
            self._columns = (
                grown_in_memory(times, capacity),
                grown_in_memory(stamps, capacity),
                grown_in_memory(numbers, capacity),
            )
