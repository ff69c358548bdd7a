"""Frame scan: all frames of a byte stream at once, by `FrameDecoder`'s rule, in arrays.

The stream of a log is cut into records, most of which hold whole frames. These are followed from
frame to frame in all records at the same time. Records in which that does not work out, since
frames are cut or damaged there, are joined with their neighbours of that kind and searched byte by
byte. So a record of whole frames is believed even where damage before it looks like the beginning
of a frame; otherwise what is found is what the decoder finds in the joined stream.
"""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from telemetry.protocol.wire.crc import has_crc
from telemetry.protocol.wire.frame import CRC_BYTES, HEADER_BYTES, KNOWN_TYPES, MAX_LENGTH, SYNC
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
_ROWS_AT_ONCE = 1 << 15
"""So many records are looked at in one step, whose arrays stay in the processor's cache: memory
that is new costs more than all that is worked out in it."""
_WORD_BYTES = 8
_SPREAD = 0x9E3779B97F4A7C15
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
    numbers: Positions


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


@dataclass(frozen=True, slots=True)
class _Places:
    """Where frames are: of their sync bytes, with their headers, and in which record."""

    offsets: Positions
    heads: Heads
    records: Numbers

    @property
    def lengths(self) -> npt.NDArray[np.uint16]:
        """Bytes of each, with its header and without its checksum."""
        lengths: npt.NDArray[np.uint16] = self.heads.view(_HEAD)["length"]
        return lengths

    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        """All of it, in the order of the fields."""
        return self.offsets, self.heads, self.records


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
    found = []
    for first in range(0, max(len(starts), 1), _ROWS_AT_ONCE):
        records = np.arange(first, min(first + _ROWS_AT_ONCE, len(starts)), dtype=np.int32)
        offsets = starts[first : first + _ROWS_AT_ONCE]
        ends = offsets + sizes[first : first + _ROWS_AT_ONCE]
        found.append(_followed(data, offsets, ends, records, is_torn))
    return _joined(found), is_torn


def _followed(
    data: Bytes, offsets: Positions, ends: Positions, records: Numbers, is_torn: Mask
) -> _Places:
    """Go from frame to frame in some records at once, and mark those not made of frames."""
    found: list[_Places] = []
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
        found.append(_Places(offsets, heads, records))
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


def _in_order(found: list[_Places]) -> _Places:
    if len(found) == 1:
        return found[0]
    places = _joined(found)
    order = np.argsort(places.offsets)
    return _Places(*(column[order] for column in places.columns()))


def _joined(found: list[_Places]) -> _Places:
    columns = zip(*(places.columns() for places in found), strict=True)
    return _Places(*(np.concatenate(column) for column in columns))


def _copied(data: Bytes, offsets: Positions, size: int) -> Bytes:
    """Copies of `size` bytes from each offset: a view with a row at every byte, indexed."""
    rows = max(len(data) - size + 1, 0)
    window: npt.NDArray[Any] = np.ndarray((rows,), f"V{size}", data, strides=(1,))
    return window[offsets].view(np.uint8).reshape(len(offsets), size)


def _groups(data: Bytes, places: _Places) -> tuple[list[FrameGroup], Positions]:
    """The frames by id, then length and type; and the numbers of those with a wrong checksum."""
    found: list[tuple[int, FrameGroup]] = []
    wrong = [_NONE]
    for length, alike in _by_length(_split(places.heads), places.lengths):
        numbers = np.concatenate(alike)
        rows, is_right = _checked(data, places.offsets[numbers], places.heads[numbers], length)
        wrong.append(numbers[~is_right])
        stop = 0
        for part in alike:
            start, stop = stop, stop + len(part)
            head = int(places.heads[part[0]])
            group = FrameGroup(head >> 32, head >> 8 & 0xFF, rows[start:stop], part)
            found.append((head, group))
    found.sort(key=_first)
    return [group for _, group in found], np.concatenate(wrong)


def _by_length(
    alike: list[Positions], lengths: npt.NDArray[np.uint16]
) -> list[tuple[int, list[Positions]]]:
    """Frames that are alike, by their length: in each list, those of one."""
    measured = sorted(((int(lengths[part[0]]), part) for part in alike), key=_first)
    return [(length, [part for _, part in same]) for length, same in groupby(measured, _first)]


def _checked(data: Bytes, offsets: Positions, heads: Heads, length: int) -> tuple[Bytes, Mask]:
    """What frames of one length hold between header and checksum, a row for each; and which of
    them have the right checksum."""
    size = length - HEADER_BYTES + CRC_BYTES
    before = -size % _WORD_BYTES
    rows = _copied(data, offsets + (HEADER_BYTES - before), before + size)
    starts = heads.view(">u8").astype(np.uint64) >> np.uint64(8 * before)
    return rows[:, before:-CRC_BYTES], has_crc(rows, starts)


def _split(values: npt.NDArray[Any]) -> list[Positions]:
    """Positions of equal values, ascending, for each value."""
    if not len(values):
        return []
    positions = np.argsort(_short_keys(values), kind="stable")
    in_order = values[positions]
    starts = np.flatnonzero(in_order[1:] != in_order[:-1]) + 1
    return np.split(positions, starts)


def _short_keys(values: Heads) -> npt.NDArray[Any]:
    """Distinct small keys for distinct values: 16 bits sort ten times faster than more.

    Tries multipliers until one happens to spread the few headers of a log without a collision.
    """
    value_of_key = np.zeros(1 << 16, np.uint64)
    for trial in range(64):
        multiplier = np.uint64(_SPREAD + 2 * trial * _SPREAD & 0xFFFFFFFFFFFFFFFF)
        keys = (values * multiplier >> np.uint64(48)).astype(np.uint16)
        value_of_key[keys] = values
        if (value_of_key[keys] == values).all():
            return keys
    return np.searchsorted(np.unique(values), values).astype(np.uint32)


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
        self.places = _Places(offsets, _heads(self.stream, offsets), in_records)
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
    lengths = heads.view(_HEAD)["length"]
    for length in np.unique(lengths).tolist():
        alike = np.flatnonzero(lengths == length)
        _, is_right[alike] = _checked(stream, offsets[alike], heads[alike], length)
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


def _first(entry: tuple[Any, ...]) -> Any:
    return entry[0]
