"""Output banks: outputs that share a timer, and with it one protocol and one rate.

Known for the boards listed here only; for others nobody says, and guessing would be worse.
"""

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
