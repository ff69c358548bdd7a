"""Time synchronisation of a medium with a flight: `medium = offset + rate x flight`.

A camera's clock and a logger's differ by a rate that is constant over a flight, so that one line,
fixed at both ends, is exact throughout. A loop recording loses time between its files, a video may
be joined of clips, and a user may set more than two anchors: then there are several pieces, each a
line of its own.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

LEAST_RATE, MOST_RATE = 0.5, 2.0
"""No clock is as wrong as that."""
_LEAST_DISTANCE_S = 0.5


@dataclass(frozen=True, slots=True)
class Anchor:
    """One instant that was found in both: a second of the flight and one of the medium."""

    flight_s: float
    medium_s: float


@dataclass(frozen=True, slots=True)
class Piece:
    """One line, valid from `medium_start_s` up to, but not with, `medium_end_s`.

    `sigma_s` is the largest standard error of the medium's time where both were recorded, and
    `confidence`, 0 to 1, how sure it is; None where nobody has estimated them.
    """

    offset_s: float
    rate: float = 1.0
    medium_start_s: float = -math.inf
    medium_end_s: float = math.inf
    sigma_s: float | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        if not math.isfinite(self.offset_s):
            raise ValueError(f"an offset is a number of seconds, not {self.offset_s}")
        if not LEAST_RATE <= self.rate <= MOST_RATE:
            raise ValueError(
                f"a rate lies between {LEAST_RATE:g} and {MOST_RATE:g}, not {self.rate:g}"
            )
        if not self.medium_start_s < self.medium_end_s:
            raise ValueError("a piece ends after it begins")

    def medium_s(self, flight_s: float) -> float:
        """The medium's time on this line, valid or not."""
        return self.offset_s + self.rate * flight_s

    def flight_s(self, medium_s: float) -> float:
        """The flight's time on this line, valid or not."""
        return (medium_s - self.offset_s) / self.rate

    def covers(self, medium_s: float) -> bool:
        """Whether the line is valid there."""
        return self.medium_start_s <= medium_s < self.medium_end_s

    def as_json(self) -> dict[str, float | None]:
        """Its numbers by their names; null where nobody knows one, or where it goes on."""
        return {
            key: value if value is not None and math.isfinite(value) else None
            for key, value in asdict(self).items()
        }


@dataclass(frozen=True, slots=True)
class Sync:
    """A medium's time over a flight's, in both directions.

    `pieces` ascend in the medium's time and do not overlap; the flight's may go back from one to
    the next, where clips were joined in another order than they were filmed in. `anchors` are what
    a user has set. `method` says who found it ("manual", "horizon", "rotation", "sound", ...).
    `offset_sigma_s` and `rate_sigma` are the standard errors of a line's two numbers: the offset is
    that at the flight's second 0, which may be far from what was filmed. They and the confidence, 0
    to 1, are None where nobody has estimated them.
    """

    pieces: tuple[Piece, ...] = (Piece(0.0),)
    anchors: tuple[Anchor, ...] = ()
    method: str = ""
    offset_sigma_s: float | None = None
    rate_sigma: float | None = None
    confidence: float | None = None

    def __post_init__(self) -> None:
        if not self.pieces:
            raise ValueError("a synchronisation has at least one piece")
        for before, after in itertools.pairwise(self.pieces):
            if before.medium_end_s > after.medium_start_s:
                raise ValueError("the pieces of a synchronisation ascend and do not overlap")

    @property
    def offset_s(self) -> float:
        """The first piece's."""
        return self.pieces[0].offset_s

    @property
    def rate(self) -> float:
        """The first piece's."""
        return self.pieces[0].rate

    @property
    def sigma_s(self) -> float | None:
        """The largest of the pieces'; None where one has none."""
        known = [piece.sigma_s for piece in self.pieces if piece.sigma_s is not None]
        return max(known) if len(known) == len(self.pieces) else None

    def medium_s(self, flight_s: float) -> float | None:
        """The medium's time at a time of the flight, in the first piece that shows it; None in a
        gap between two."""
        for piece in self.pieces:
            medium_s = piece.medium_s(flight_s)
            if piece.covers(medium_s):
                return medium_s
        return None

    def flight_s(self, medium_s: float) -> float | None:
        """The flight's time at a time of the medium; None where no piece is valid."""
        for piece in self.pieces:
            if piece.covers(medium_s):
                return piece.flight_s(medium_s)
        return None

    def piece_at(self, medium_s: float) -> int | None:
        """The number of the piece that is valid at a time of the medium, None where none is."""
        numbers = (n for n, piece in enumerate(self.pieces) if piece.covers(medium_s))
        return next(numbers, None)

    def shifted(self, medium_s: float) -> "Sync":
        """The same with the medium `medium_s` later: a frame's nudge, of which nobody has estimated
        how exact it is."""
        return replace(
            self,
            pieces=tuple(
                replace(piece, offset_s=piece.offset_s + medium_s, sigma_s=None, confidence=None)
                for piece in self.pieces
            ),
            anchors=tuple(
                replace(anchor, medium_s=anchor.medium_s + medium_s) for anchor in self.anchors
            ),
            method="manual",
            offset_sigma_s=None,
            confidence=None,
        )


def sync_through(anchors: Sequence[Anchor], rate: float = 1.0) -> Sync:
    """The synchronisation that meets all anchors: a line through one (at `rate`) or two, a line
    from each to the next through more.

    Raises ValueError for none, for two within half a second of each other, and for anchors that
    would need time to run backwards or at an impossible rate.
    """
    if not anchors:
        raise ValueError("a synchronisation needs at least one anchor")
    ordered = tuple(sorted(anchors, key=lambda anchor: anchor.flight_s))
    if len(ordered) == 1:
        only = ordered[0]
        pieces: tuple[Piece, ...] = (Piece(only.medium_s - rate * only.flight_s, rate),)
    else:
        lines = [_line(a, b) for a, b in itertools.pairwise(ordered)]
        borders = [-math.inf, *(anchor.medium_s for anchor in ordered[1:-1]), math.inf]
        pieces = tuple(
            replace(line, medium_start_s=start, medium_end_s=end)
            for line, start, end in zip(lines, borders, borders[1:], strict=False)
        )
    return Sync(pieces, ordered, "manual")


def _line(a: Anchor, b: Anchor) -> Piece:
    if b.flight_s - a.flight_s < _LEAST_DISTANCE_S:
        raise ValueError(
            f"two anchors at {a.flight_s:.2f} and {b.flight_s:.2f} s are too close together; "
            "set them as far apart as you can"
        )
    rate = (b.medium_s - a.medium_s) / (b.flight_s - a.flight_s)
    return Piece(a.medium_s - rate * a.flight_s, rate)
