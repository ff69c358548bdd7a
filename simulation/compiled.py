"""Marks the functions that the simulator's programs are compiled from.

Without numba, or with NUMBA_DISABLE_JIT=1, they stay plain Python, with the same floating-point
results to the bit: `fastmath` is never on.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from telemetry.compiler import load_numba

IS_COMPILING = load_numba() is not None

if IS_COMPILING:
    import numba.extending

    try:
        from simulation.part_compiler import PartCompiler
    except ImportError:  # see there
        PartCompiler = None  # type: ignore[assignment, misc]

_F = TypeVar("_F", bound=Callable[..., Any])


def njit_part(function: _F) -> _F:
    """Let compiled functions call this one; called from Python it stays plain Python.

    It is compiled into its callers, not cached on disk by itself: numba's cache of an entry does
    not notice changes in the files of its parts, so the entry must be keyed by all its sources,
    see `simulation.program`. Dividing by zero gives infinity instead of an exception, which
    saves the checks. A part gets no wrappers for calls from outside and counts no references,
    which halves the time it takes to compile; so it must not allocate arrays. Its code replaces
    the call, because handing over an array takes seven words on the stack each time.
    """
    return _register(function, inline=True)


def njit_shared(function: _F) -> _F:
    """As `njit_part`, but called: for a large function that is called from many places, whose
    copies would take longer to compile than they save."""
    return _register(function, inline=False)


def _register(function: _F, inline: bool) -> _F:
    if not IS_COMPILING:
        return function
    options = {"fastmath": False, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    if PartCompiler is not None:
        options["pipeline_class"] = PartCompiler
    register = numba.extending.register_jitable(forceinline=inline, **options)
    return cast(_F, register(function))
