"""Sync anchors set by hand: the synchronisation they make, and contradictions between them.

A camera's clock runs at a constant rate, so all anchors of one file lie on one straight line, as
far as a hand can tell.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from telemetry.review.flights.sync import LEAST_RATE, MOST_RATE, Anchor, Piece, Sync, sync_through

CONTRADICTS_S = 0.1
"""Three frames: by more than that nobody misses who looks for one instant in both."""


@dataclass(frozen=True, slots=True)
class AnchorCheck:
    """How far each anchor lies behind (+) or before (-) the straight line through all, in seconds
    of the medium, and which of them contradicts the others; None while they agree."""

    residuals_s: tuple[float, ...]
    worst: int | None = None


def check_anchors(anchors: Sequence[Anchor]) -> AnchorCheck:
    """Compare anchors with the straight line through all of them.

    The worst one is that without which the others agree best. Two always agree, so of three the
    one is named without which the clocks run most alike.
    """
    residuals = tuple(_residuals_s(anchors))
    if len(anchors) < 3 or max(map(abs, residuals)) <= CONTRADICTS_S:
        return AnchorCheck(residuals)

    def left_over(number: int) -> tuple[float, float]:
        others = [*anchors[:number], *anchors[number + 1 :]]
        misfit_s = max(abs(residual) for residual in _residuals_s(others))
        return round(misfit_s, 3), abs(math.log(max(_line(others)[1], 1e-6)))

    return AnchorCheck(residuals, min(range(len(anchors)), key=left_over))


def sync_with_anchors(sync: Sync | None, anchors: Sequence[Anchor]) -> Sync | None:
    """The synchronisation once these are its anchors; without any it stays as it runs.

    One anchor moves it and leaves the rate, two and more are met exactly. Where it has a line for
    each file of a loop recording, or each clip of a joined one, the anchors in it move that line
    alone, and one in a stretch that no line covers begins a line for it.
    Raises ValueError as `sync_through`.
    """
    if not anchors:
        return None if sync is None else replace(sync, anchors=())
    if sync is None or not has_own_lines(sync):
        return sync_through(anchors, sync.rate if sync else 1.0)
    pieces = tuple(_moved(piece, anchors) for piece in _covering(sync.pieces, anchors))
    return Sync(pieces, tuple(sorted(anchors, key=lambda anchor: anchor.flight_s)), "manual")


def nudged(sync: Sync, medium_s: float) -> Sync:
    """The same with `medium_s` more of the medium at every instant, anchors included."""
    if sync.anchors and not has_own_lines(sync):
        moved = [replace(one, medium_s=one.medium_s + medium_s) for one in sync.anchors]
        return sync_through(moved, sync.rate)
    return sync.shifted(medium_s)


def has_own_lines(sync: Sync) -> bool:
    """Whether its lines meet elsewhere than at anchors: at the borders of files or clips."""
    borders = {piece.medium_start_s for piece in sync.pieces[1:]}
    return not borders <= {anchor.medium_s for anchor in sync.anchors}


def _covering(pieces: Sequence[Piece], anchors: Sequence[Anchor]) -> list[Piece]:
    """The pieces, with one more in each gap between them in which an anchor lies, as fast as the
    one before the gap."""
    covering = list(pieces)
    for before, after in itertools.pairwise(pieces):
        gap = before.medium_end_s, after.medium_start_s
        inside = [anchor for anchor in anchors if gap[0] <= anchor.medium_s < gap[1]]
        if inside:
            offset_s = inside[0].medium_s - before.rate * inside[0].flight_s
            covering.append(Piece(offset_s, before.rate, *gap))
    return sorted(covering, key=lambda piece: piece.medium_start_s)


def _moved(piece: Piece, anchors: Sequence[Anchor]) -> Piece:
    """The line through those anchors that lie in its file; itself if none does."""
    inside = [anchor for anchor in anchors if piece.covers(anchor.medium_s)]
    if not inside:
        return piece
    if len(inside) == 1:
        only = inside[0]
        return replace(piece, offset_s=only.medium_s - piece.rate * only.flight_s)
    offset_s, rate = _line(inside)
    if not LEAST_RATE <= rate <= MOST_RATE:
        raise ValueError("these anchors would need an impossible rate; remove one of them")
    return replace(piece, offset_s=offset_s, rate=rate)


def _residuals_s(anchors: Sequence[Anchor]) -> list[float]:
    offset_s, rate = _line(anchors)
    return [one.medium_s - (offset_s + rate * one.flight_s) for one in anchors]


def _line(anchors: Sequence[Anchor]) -> tuple[float, float]:
    """Offset and rate of the line of least squares; of rate 1 through one anchor."""
    flight = np.array([anchor.flight_s for anchor in anchors])
    medium = np.array([anchor.medium_s for anchor in anchors])
    if not len(anchors):
        return 0.0, 1.0
    along = flight - flight.mean()
    spread = float(along @ along)
    rate = float(along @ medium) / spread if spread > 0.0 else 1.0
    return float(medium.mean() - rate * flight.mean()), rate
