"""Frame scan: all frames of a byte stream at once, by `FrameDecoder`'s rule, in arrays.

The stream of a log is cut into records, most of which hold whole frames. These are followed from
frame to frame in all records at the same time. Records in which that does not work out, since
frames are cut or damaged there, are joined with their neighbours of that kind and searched byte by
byte. So a record of whole frames is believed even where damage before it looks like the beginning
of a frame; otherwise what is found is what the decoder finds in the joined stream.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from telemetry.protocol.wire.crc import has_crc
from telemetry.protocol.wire.frame import CRC_BYTES, HEADER_BYTES, KNOWN_TYPES, MAX_LENGTH, SYNC
from telemetry.protocol.wire.growing import GrowingArray
from telemetry.protocol.wire.trust import believed

Bytes = npt.NDArray[np.uint8]
Positions = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.signedinteger[Any]]
Mask = npt.NDArray[np.bool_]

_KNOWN = np.array([value in KNOWN_TYPES for value in range(256)])
_HEAD = np.dtype([("sync", "u1"), ("type", "u1"), ("length", "<u2"), ("id", "<u4")])
Heads = npt.NDArray[np.uint64]
"""The headers of frames as numbers, first byte lowest: equal where frames are alike, and in the
order of their object ids."""
Kinds = npt.NDArray[np.unsignedinteger[Any]]
_ROWS_AT_ONCE = 1 << 15
"""So many records are looked at in one step, whose arrays stay in the processor's cache: memory
that is new costs more than all that is worked out in it."""
_FRAMES_AT_ONCE = 1 << 18
"""Of so many what they hold is taken by their kinds: that stays in a cache, too."""
_WORD_BYTES = 8
_SPREAD = 0x9E3779B97F4A7C15
_TRIALS = 64
_NONE: Positions = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class FrameGroup:
    """Frames that are alike: of one object id, one type and one length.

    `bodies` has a row for each, without header and checksum. `numbers` says which of the frames
    of the stream they are, counted from 0; ascending.
    """

    object_id: int
    type: int
    bodies: Bytes
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class FoundFrames:
    """The good frames of a stream, in groups ordered by object id.

    `records` has for each frame the record that brought its last byte, in the order of the
    stream. Bytes outside these frames are `junk_bytes`. `doubtful_frames` had a good checksum
    among too many bad ones, and are left out.
    """

    groups: list[FrameGroup]
    records: Numbers
    crc_errors: int
    junk_bytes: int
    doubtful_frames: int

    def __len__(self) -> int:
        return len(self.records)


class _Found(NamedTuple):
    """Where frames are: of their sync bytes, with their headers, and in which record."""

    offsets: Numbers
    heads: Heads
    records: Numbers


@dataclass(frozen=True, slots=True)
class _Places:
    """The same of all frames, but for each of which kind it is: `heads` has the different headers,
    those of fewer words first."""

    offsets: Numbers
    heads: Heads
    kinds: Kinds
    records: Numbers

    @property
    def lengths(self) -> npt.NDArray[np.uint16]:
        """Bytes of each, with its header and without its checksum."""
        lengths: npt.NDArray[np.uint16] = self.heads.view(_HEAD)["length"][self.kinds]
        return lengths


def scan(data: Bytes, starts: Positions | None = None, sizes: Numbers | None = None) -> FoundFrames:
    """Return the frames of the stream in `data` whose record i has `sizes[i]` bytes from
    `starts[i]` on, ascending; without records, `data` is the stream.
    """
    if starts is None or sizes is None:
        starts, sizes = np.zeros(1, np.int64), np.array([len(data)])
    places, is_torn = _follow(data, starts, sizes)
    groups, wrong = _groups(data, places)
    is_torn[places.records[wrong]] = True
    stream_bytes = int(sizes.sum(dtype=np.int64))
    if not is_torn.any():
        framed_bytes = int(places.lengths.sum(dtype=np.int64)) + CRC_BYTES * len(places.offsets)
        return FoundFrames(groups, places.records, 0, stream_bytes - framed_bytes, 0)
    torn = _Torn(data, starts, sizes, is_torn)
    return _merged(stream_bytes, groups, places, torn)


def _follow(data: Bytes, starts: Positions, sizes: Numbers) -> tuple[_Places, Mask]:
    """Where frames are in all records; also tell which records are not made of frames."""
    is_torn = np.zeros(len(starts), np.bool_)
    room = len(starts)  # one in each is usual
    fitting = np.int32 if len(data) <= np.iinfo(np.int32).max else np.int64
    columns = [GrowingArray(kind, room) for kind in (fitting, np.uint64, np.int32)]
    for first in range(0, max(len(starts), 1), _ROWS_AT_ONCE):
        records = np.arange(first, min(first + _ROWS_AT_ONCE, len(starts)), dtype=np.int32)
        offsets = starts[first : first + _ROWS_AT_ONCE]
        ends = offsets + sizes[first : first + _ROWS_AT_ONCE]
        found = _followed(data, offsets, ends, records, is_torn)
        for column, piece in zip(columns, found, strict=True):
            column.add(piece)
    return _places(_Found(*(column.items for column in columns))), is_torn


def _places(found: _Found) -> _Places:
    return _Places(found.offsets, *_kinds(found.heads), found.records)


def _followed(
    data: Bytes, offsets: Positions, ends: Positions, records: Numbers, is_torn: Mask
) -> _Found:
    """Go from frame to frame in some records at once, and mark those not made of frames."""
    found: list[_Found] = []
    while len(offsets) or not found:
        is_room = offsets <= ends - HEADER_BYTES - CRC_BYTES
        if not is_room.all():
            is_torn[records[~is_room]] = True
            offsets, records, ends = offsets[is_room], records[is_room], ends[is_room]
        heads = _heads(data, offsets)
        following = offsets + heads.view(_HEAD)["length"] + CRC_BYTES
        is_frame = _is_head(heads) & (following <= ends)
        if not is_frame.all():
            is_torn[records[~is_frame]] = True
            offsets, records, ends = offsets[is_frame], records[is_frame], ends[is_frame]
            heads, following = heads[is_frame], following[is_frame]
        found.append(_Found(offsets, heads, records))
        goes_on = following < ends
        offsets, records, ends = following[goes_on], records[goes_on], ends[goes_on]
    return _in_order(found)


def _heads(data: Bytes, offsets: Positions) -> Heads:
    heads: Heads = _copied(data, offsets, HEADER_BYTES).view("<u8")[:, 0]
    return heads


def _is_head(numbers: Heads) -> Mask:
    heads = numbers.view(_HEAD)
    lengths = heads["length"]
    is_head: Mask = (heads["sync"] == SYNC) & _KNOWN[heads["type"]]
    return is_head & (lengths >= HEADER_BYTES) & (lengths <= MAX_LENGTH)


def _in_order(found: list[_Found]) -> _Found:
    if len(found) == 1:
        return found[0]
    columns = [np.concatenate(column) for column in zip(*found, strict=True)]
    order = np.argsort(columns[0])
    return _Found(*(column[order] for column in columns))


def _copied(data: Bytes, offsets: Positions, size: int) -> Bytes:
    """Copies of `size` bytes from each offset: a view with a row at every byte, indexed."""
    rows = max(len(data) - size + 1, 0)
    window: npt.NDArray[Any] = np.ndarray((rows,), f"V{size}", data, strides=(1,))
    return window[offsets].view(np.uint8).reshape(len(offsets), size)


def _groups(data: Bytes, places: _Places) -> tuple[list[FrameGroup], Numbers]:
    """The frames by id, then length and type; and the numbers of those with a wrong checksum."""
    heads = places.heads
    filling = _Filling(heads, np.bincount(places.kinds))
    wrong: list[Numbers] = [_NONE]
    for first in range(0, len(places.kinds), _FRAMES_AT_ONCE):
        block = slice(first, first + _FRAMES_AT_ONCE)
        order = np.argsort(places.kinds[block], kind="stable")
        kinds, offsets = places.kinds[block][order], places.offsets[block][order]
        numbers = (order + first).astype(np.int32)
        for part, present, counts in _alike_in_size(kinds, heads):
            rows, is_right = _checked(data, offsets[part], heads[present], counts)
            wrong.append(numbers[part][~is_right])
            filling.take(present, counts, rows, numbers[part])
    return filling.groups(), np.concatenate(wrong)


class _Filling:
    """Groups of frames while they are filled, by the kinds of their headers.

    All lie in one piece of memory, which the system hands out in large pages: the many small ones
    of many groups take longer than to fill them.
    """

    def __init__(self, heads: Heads, counts: Positions) -> None:
        self._heads = heads
        sizes = _words(heads) * _WORD_BYTES
        last, last_byte = np.cumsum(counts), np.cumsum(sizes * counts)
        self._next, self._next_byte = (
            (last - counts).tolist(),
            (last_byte - sizes * counts).tolist(),
        )
        self._sizes, self._counts = sizes.tolist(), counts.tolist()
        self._bytes = np.empty(last_byte[-1] if len(heads) else 0, np.uint8)
        self._numbers = np.empty(last[-1] if len(heads) else 0, np.int32)

    def take(self, kinds: Positions, counts: Positions, rows: Bytes, numbers: Numbers) -> None:
        """Have rows that end with checksums, `counts` for each of these kinds."""
        here, here_byte, flat = 0, 0, rows.ravel()
        for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
            at, byte, size = self._next[kind], self._next_byte[kind], count * self._sizes[kind]
            self._bytes[byte : byte + size] = flat[here_byte : here_byte + size]
            self._numbers[at : at + count] = numbers[here : here + count]
            self._next[kind], self._next_byte[kind] = at + count, byte + size
            here, here_byte = here + count, here_byte + size

    def groups(self) -> list[FrameGroup]:
        """All of them, filled."""
        found = []
        for kind in np.argsort(self._heads).tolist():
            head, count, size = int(self._heads[kind]), self._counts[kind], self._sizes[kind]
            at, byte = self._next[kind] - count, self._next_byte[kind] - count * size
            rows = self._bytes[byte : byte + count * size].reshape(count, size)
            body_bytes = (head >> 16 & 0xFFFF) - HEADER_BYTES
            bodies = rows[:, size - CRC_BYTES - body_bytes : size - CRC_BYTES]
            numbers = self._numbers[at : at + count]
            found.append(FrameGroup(head >> 32, head >> 8 & 0xFF, bodies, numbers))
        return found


def _alike_in_size(kinds: Kinds, heads: Heads) -> Iterator[tuple[slice, Positions, Positions]]:
    """For frames in the order of their kinds, a part for each number of words that they take: where
    it is, the kinds in it, and how many there are of each."""
    starts = _starts(kinds)
    present = kinds[starts].astype(np.int64)
    edges = np.append(starts, len(kinds))
    firsts = _starts(_words(heads[present]))
    for first, stop in pairwise([*firsts.tolist(), len(present)]):
        counts = np.diff(edges[first : stop + 1])
        yield slice(int(edges[first]), int(edges[stop])), present[first:stop], counts


def _starts(values: npt.NDArray[Any]) -> Positions:
    """Where another value begins than was before it."""
    return np.flatnonzero(np.append(np.True_, values[1:] != values[:-1]))


def _checked(
    data: Bytes, offsets: Positions, heads: Heads, counts: Positions
) -> tuple[Bytes, Mask]:
    """What ends with the checksums of frames that take as many words, a row for each; and which of
    the checksums are right. `heads` are headers of frames that follow each other in `offsets`, the
    first `counts[0]` with the first."""
    size = int(_words(heads[:1])[0]) * _WORD_BYTES
    starts = heads.view(_HEAD)["length"].astype(np.int64) + CRC_BYTES - size
    rows = _copied(data, offsets + np.repeat(starts, counts), size)
    before = heads << (8 * (HEADER_BYTES - starts)).astype(np.uint64)
    return rows, has_crc(rows, np.repeat(before, counts))


def _words(heads: Heads) -> Positions:
    """How many words it takes to hold what follows such headers."""
    sizes = heads.view(_HEAD)["length"].astype(np.int64) - HEADER_BYTES + CRC_BYTES
    words: Positions = -(-sizes // _WORD_BYTES)
    return words


def _kinds(heads: Heads) -> tuple[Heads, Kinds]:
    """The different headers, those of fewer words first, and which of them each is: few, so that
    they sort ten times faster than headers."""
    for trial in range(_TRIALS):
        found = _keys(heads, np.uint64(_SPREAD + 2 * trial * _SPREAD & 0xFFFFFFFFFFFFFFFF))
        if found is not None:
            keys, head_of_key = found
            used = np.flatnonzero(head_of_key)
            different = head_of_key[used]
            break
    else:
        different, keys = np.unique(heads, return_inverse=True)  # type: ignore[assignment]
        used = np.arange(len(different))
    order = np.lexsort((different, _words(different)))
    least = np.min_scalar_type(len(order))
    number_of_key = np.zeros(int(used[-1]) + 1 if len(used) else 0, least)
    number_of_key[used[order]] = np.arange(len(order))
    return different[order], number_of_key[keys]


def _keys(heads: Heads, multiplier: np.uint64) -> tuple[Kinds, Heads] | None:
    """Small keys, and which header each is of; None if two headers come to the same key."""
    keys = np.empty(len(heads), np.uint16)
    head_of_key = np.zeros(1 << 16, np.uint64)
    for first in range(0, len(heads), _ROWS_AT_ONCE):
        ours = heads[first : first + _ROWS_AT_ONCE]
        theirs = keys[first : first + _ROWS_AT_ONCE]
        theirs[:] = ours * multiplier >> np.uint64(48)
        is_other = head_of_key[theirs] != ours
        if is_other.any():
            new, at = ours[is_other], theirs[is_other]
            is_taken = head_of_key[at].any()
            head_of_key[at] = new
            if is_taken or (head_of_key[at] != new).any():
                return None
    return keys, head_of_key


class _Torn:
    """The frames in records that are not made of whole frames, which are joined and searched.

    `places.offsets` are in the joined `stream`; `last_bytes` and `errors`, of wrong checksums, are
    positions in the file.
    """

    def __init__(self, data: Bytes, starts: Positions, sizes: Positions, is_torn: Mask) -> None:
        records = np.flatnonzero(is_torn)
        starts, sizes = starts[records], sizes[records]
        raw = data.data
        spans = zip(starts.tolist(), sizes.tolist(), strict=True)
        joined = b"".join([raw[start : start + size] for start, size in spans])
        self.is_torn = is_torn
        self.stream = np.frombuffer(joined, np.uint8)
        self._ends = np.cumsum(sizes)
        self._shifts = starts - (self._ends - sizes)
        is_last = np.append(np.diff(records) > 1, True)
        offsets, lengths, errors = _search(self.stream, self._ends[is_last])
        last_bytes = offsets + lengths
        in_records = records[self._record_at(last_bytes)]
        self.places = _places(_Found(offsets, _heads(self.stream, offsets), in_records))
        self.last_bytes = last_bytes + self._shifts[self._record_at(last_bytes)]
        self.errors = errors + self._shifts[self._record_at(errors)]

    def _record_at(self, positions: Positions) -> Positions:
        return np.searchsorted(self._ends, positions, "right")


def _search(stream: Bytes, ends: Positions) -> tuple[Positions, Positions, Positions]:
    """Try every byte of the streams that end at `ends`, one behind the other.

    Returns offsets and lengths of the frames, and where a wrong checksum gave a false one away.
    """
    offsets = np.flatnonzero(stream == SYNC)
    limits = ends[np.searchsorted(ends, offsets, "right")]
    is_room = offsets <= limits - HEADER_BYTES - CRC_BYTES
    offsets, limits = offsets[is_room], limits[is_room]
    heads = _heads(stream, offsets)
    lengths = heads.view(_HEAD)["length"].astype(np.int64)
    is_frame = _is_head(heads) & (offsets + lengths < limits)
    offsets, heads, lengths = offsets[is_frame], heads[is_frame], lengths[is_frame]
    is_right = _are_right(stream, offsets, heads)
    wrong = offsets[~is_right]
    offsets, lengths = _one_after_the_other(offsets[is_right], lengths[is_right])
    before = np.searchsorted(offsets, wrong, "right") - 1
    inside = np.zeros(len(wrong), np.bool_)
    if len(offsets):
        inside = (before >= 0) & (wrong <= (offsets + lengths)[before])
    return offsets, lengths, wrong[~inside]


def _are_right(stream: Bytes, offsets: Positions, heads: Heads) -> Mask:
    """Which of the frames have the right checksum."""
    is_right = np.empty(len(offsets), np.bool_)
    words = _words(heads)
    for count in np.unique(words).tolist():
        alike = np.flatnonzero(words == count)
        once = np.ones(len(alike), np.int64)
        _, is_right[alike] = _checked(stream, offsets[alike], heads[alike], once)
    return is_right


def _one_after_the_other(offsets: Positions, lengths: Positions) -> tuple[Positions, Positions]:
    """Leave out frames that begin inside a frame before them."""
    following = np.searchsorted(offsets, offsets + lengths, "right")
    if (following == np.arange(1, len(offsets) + 1)).all():
        return offsets, lengths
    steps = following.tolist()
    kept, number = [], 0
    while number < len(steps):
        kept.append(number)
        number = steps[number]
    return offsets[kept], lengths[kept]


def _merged(
    stream_bytes: int, groups: list[FrameGroup], places: _Places, torn: _Torn
) -> FoundFrames:
    """The frames of whole records and of torn ones, as far as they are believed, in one order."""
    is_whole = ~torn.is_torn[places.records]
    last_bytes = np.concatenate(((places.offsets + places.lengths)[is_whole], torn.last_bytes))
    order = np.argsort(last_bytes)
    errors_before = np.searchsorted(torn.errors, last_bytes[order]).astype(np.uint32)
    is_believed = believed(errors_before)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.where(is_believed, np.cumsum(is_believed) - 1, -1)
    whole_numbers = np.full(len(is_whole), -1)
    whole_numbers[is_whole], torn_numbers = np.split(numbers, [np.count_nonzero(is_whole)])
    all_groups = [_renumbered(group, whole_numbers) for group in groups]
    for group in _groups(torn.stream, torn.places)[0]:
        all_groups.append(_renumbered(group, torn_numbers))
    all_groups = sorted((g for g in all_groups if len(g.numbers)), key=_object_id)
    records = np.concatenate((places.records[is_whole], torn.places.records))
    framed_bytes = sum(
        len(g.numbers) * (HEADER_BYTES + g.bodies.shape[1] + CRC_BYTES) for g in all_groups
    )
    return FoundFrames(
        all_groups,
        records[order][is_believed],
        len(torn.errors),
        stream_bytes - framed_bytes,
        len(order) - int(np.count_nonzero(is_believed)),
    )


def _renumbered(group: FrameGroup, numbers: Positions) -> FrameGroup:
    """The frames of a group that have a number now, with that."""
    mine = numbers[group.numbers]
    is_kept = mine >= 0
    bodies = group.bodies if is_kept.all() else group.bodies[is_kept]
    return FrameGroup(group.object_id, group.type, bodies, mine[is_kept])


def _object_id(group: FrameGroup) -> int:
    return group.object_id
