"""Compiler marks: `njit_part` and `njit_shared`, for functions that programs are compiled from.

Without llvmlite, or with LAPWING_PLAIN_PYTHON=1, they stay plain Python, with the same
floating-point results to the bit: no operation is ever reordered.
"""

import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

from simulation.compiler.code_folder import is_checking, is_compiling

IS_COMPILING: Final = is_compiling(os.environ)
IS_CHECKING: Final = is_checking(os.environ)
"""With LAPWING_CHECKED_CODE=1: a program that does what its fault says, see
`simulation.compiler.program`, ends with a RuntimeError that names the line."""
PARTS: Final[dict[Callable[..., Any], bool]] = {}
"""The functions that programs may call, and whether their code replaces the call."""

_F = TypeVar("_F", bound=Callable[..., Any])


def njit_part(function: _F) -> _F:
    """Let compiled functions call this one; called from Python it stays plain Python.

    It is compiled into its callers, which are cached by the sources of all their parts, see
    `simulation.compiler.program`. What can be used in it says `simulation.compiler`. Its code
    replaces the call: most parts are smaller than what a call takes.
    """
    PARTS[function] = not IS_CHECKING  # what is checked is three times as fast to compile so
    return function


def side_by_side(count: int) -> range:
    """`range(count)` of a loop whose rounds do not depend on each other: none reads or writes what
    another one writes. Compiled, the processor goes through four of them at a time.

    So it needs rounds without `while`, `break` or sums of real numbers, that call nothing but parts
    and `math.sqrt` or `math.floor`; others go one after another. What an `if` leaves out is
    calculated all the same, and thrown away. Members are read once and before any is written, or
    they are read four times; and `x[FIRST + i]` is slower than `x[FIRST:END][i]`."""
    return range(count)


def njit_shared(function: _F) -> _F:
    """As `njit_part`, but called: for a large function that is called from many places, or seldom.
    Its copies would take longer to compile than they save, and LLVM takes more than twice as long
    for twice the code in one piece."""
    PARTS[function] = False
    return function
