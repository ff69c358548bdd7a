"""Random numbers by counter: the k-th number of a stream is a function of (seed, stream, k).

No generator state exists, so a sensor's noise does not depend on who else drew numbers, on block
sizes or on the order of vehicles. Generator: Philox 2x32-10 (Salmon et al., SC 2011), whose key is
the low word of the seed; its high word chooses other streams.
"""

import math
from typing import Any

import numpy as np

from simulation.compiler.decorators import njit_part

Whole = int | np.integer[Any]
LARGEST_SEED = 2**63 - 1

_WORD = 0xFFFFFFFF
_MULTIPLIER = 0xD256D193
_WEYL = 0x9E3779B9
_ROUNDS = 10
_TO_UNIT = 1.0 / 4294967296.0

MOST_NORMAL = 6.4
"""No `normal_of` is larger: that of 32 bits ends at 6.34."""

# Coefficients of AS 241, PPND7: the centre, and the tails as far as 32 bits reach (6.2 sigma).
_CENTRE, _TAIL = 0.425, 1.6
_A0, _A1, _A2, _A3 = 3.3871327179, 50.434271938, 159.29113202, 59.109374720
_B1, _B2, _B3 = 17.895169469, 78.757757664, 67.187563600
_C0, _C1, _C2, _C3 = 1.4234372777, 2.7568153900, 1.3067284816, 0.17023821103
_D1, _D2 = 0.73700164250, 0.12021132975


@njit_part
def philox(seed: Whole, counter: Whole, stream: Whole) -> tuple[int, int]:
    """Two uniform 32-bit words; `seed` from 0 to LARGEST_SEED. Only low words of products are
    kept, so that 64-bit wrap-around in compiled code and Python's long integers agree.

    Seeds that differ in their high word only turn each stream into another one, since multiplying
    by an odd number maps words one to one.
    """
    low = int(counter) & _WORD
    high = (int(stream) ^ ((int(seed) >> 32) * _WEYL)) & _WORD
    key = int(seed) & _WORD
    for _ in range(_ROUNDS):
        product = low * _MULTIPLIER
        low = (((product >> 32) & _WORD) ^ key ^ high) & _WORD
        high = product & _WORD
        key = (key + _WEYL) & _WORD
    return low, high


@njit_part
def normal_of(word: int) -> float:
    """The standard normal number whose probability is that of the uniform 32-bit `word`: the
    inverse distribution function by algorithm AS 241, PPND7 (Wichura, Applied Statistics 37,
    1988), seven digits. Seven words of eight take neither a logarithm nor a root."""
    offset = (word + 0.5) * _TO_UNIT - 0.5
    if abs(offset) <= _CENTRE:
        r = _CENTRE * _CENTRE - offset * offset
        above = ((_A3 * r + _A2) * r + _A1) * r + _A0
        return offset * above / (((_B3 * r + _B2) * r + _B1) * r + 1.0)
    r = math.sqrt(-math.log(0.5 - abs(offset))) - _TAIL
    value = (((_C3 * r + _C2) * r + _C1) * r + _C0) / ((_D2 * r + _D1) * r + 1.0)
    return -value if offset < 0.0 else value


@njit_part
def gaussian_pair(seed: Whole, stream: Whole, k: Whole) -> tuple[float, float]:
    """Two independent standard normal numbers."""
    a, b = philox(seed, k, stream)
    return normal_of(a), normal_of(b)
