"""Output banks: outputs that share a timer, and with it one protocol and one rate.

Known for the boards listed here only; for others nobody says, and guessing would be worse.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

_COPTER_CONTROL: Final = ((1, 2, 3), (4,), (5, 7, 8), (6, 9, 10))
_REVOLUTION: Final = ((1, 2), (3,), (4,), (5, 6), (7, 12), (8, 9, 10, 11))
_BANKS: Final = {0x04: _COPTER_CONTROL, 0x09: _REVOLUTION}
"""The outputs of each bank, by the type of the board (the high byte of its number)."""


def banks_of(board: int) -> tuple[tuple[int, ...], ...]:
    """The outputs of each bank (both from 1) of a board (0x0903, ...); empty if not known."""
    return _BANKS.get(board >> 8, ())


def bank_of(output: int, board: int) -> int | None:
    """The bank (from 1) an output (from 1) belongs to; None if not known."""
    banks = enumerate(banks_of(board), 1)
    return next((number for number, outputs in banks if output in outputs), None)


def default_outputs(are_motors: Sequence[bool], board: int) -> tuple[int, ...]:
    """The output (from 1) of each motor and servo, given in their order.

    No bank gets both: one rate and protocol cannot please them. Of the ways to do that it is the
    one that needs the fewest of the first outputs and stays nearest to the order. In order where
    the banks of the board are not known, or are too few.
    """
    in_order = tuple(range(1, len(are_motors) + 1))
    banks = banks_of(board)
    ways = [
        _outputs_by_kind(are_motors, dict(zip(banks, kinds, strict=True)))
        for kinds in product((True, False), repeat=len(banks))
    ]
    whole = [way for way in ways if len(way) == len(are_motors)]
    return min(whole, key=lambda way: (max(way, default=0), _distance(way)), default=in_order)


def _outputs_by_kind(
    are_motors: Sequence[bool], is_for_motors: Mapping[tuple[int, ...], bool]
) -> tuple[int, ...]:
    """The lowest outputs of the banks for each kind; fewer where those do not suffice."""
    free = {
        kind: iter(sorted(n for bank, its in is_for_motors.items() if its == kind for n in bank))
        for kind in (True, False)
    }
    found = (next(free[is_motor], 0) for is_motor in are_motors)
    return tuple(output for output in found if output)


def _distance(outputs: Sequence[int]) -> int:
    return sum(abs(output - number) for number, output in enumerate(outputs, 1))
