"""Picture damage by a broken transfer."""

import numpy as np

from simulation.worlds.scene import Picture

_BLOCK = 16
_LEAST_SHARE, _MOST_SHARE = 0.15, 0.6
_FLAT_SHARE = 0.3
_FLAT = 128


def damaged(picture: Picture, before: Picture | None, random: np.random.Generator) -> Picture:
    """A copy in which, from some block of 16 x 16 pixels on, blocks are missing: a decoder shows
    what stood elsewhere in the picture before (or in this one, if there was none), or grey."""
    height, width = picture.shape[:2]
    across, along = -(-width // _BLOCK), -(-height // _BLOCK)
    blocks = across * along
    first = int(random.integers(0, blocks))
    length = max(1, int(blocks * random.uniform(_LEAST_SHARE, _MOST_SHARE)))
    is_lost = np.zeros(blocks, np.uint8)
    is_lost[first : first + length] = 1
    is_lost[is_lost.astype(bool) & (random.random(blocks) < _FLAT_SHARE)] = 2
    shift = random.integers(1, _BLOCK, 2).tolist()
    lost = np.kron(is_lost.reshape(along, across), np.ones((_BLOCK, _BLOCK), np.uint8))
    lost = lost[:height, :width]
    elsewhere = np.roll(picture if before is None else before, shift, axis=(0, 1))
    sent = picture.copy()
    sent[lost == 1] = elsewhere[lost == 1]
    sent[lost == 2] = _FLAT
    return sent
