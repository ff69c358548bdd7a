"""Compilation of inner loops: numba where it is installed, plain Python where it is not.

Import this module only from modules that are themselves imported late: numba costs 0.2 s of
start-up. Set NUMBA_DISABLE_JIT=1 to run the same functions uncompiled.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

# Vector units gain nothing on loops over three axes, and the compiler's last level no speed here,
# but together they take a third of the time it takes to compile. Read by numba when it is loaded.
for _name, _value in {"LOOP_VECTORIZE": "0", "SLP_VECTORIZE": "0", "OPT": "2"}.items():
    os.environ.setdefault(f"NUMBA_{_name}", _value)

try:
    import numba
    import numba.extending
except ImportError:
    numba = None

try:
    from telemetry.part_compiler import PartCompiler
except ImportError:  # no numba, or one whose insides have moved: then compiling takes longer
    PartCompiler = None  # type: ignore[assignment, misc]

_F = TypeVar("_F", bound=Callable[..., Any])

IS_COMPILING = numba is not None and not numba.config.DISABLE_JIT


def njit(function: _F) -> _F:
    """Compile to machine code, cached on disk, with the same floating-point results as Python.

    `fastmath` stays off so that compiled and uncompiled runs are bit-identical. Where no folder
    for the cache can be written, every process compiles anew.
    """
    if numba is None:
        return function
    try:
        return cast(_F, numba.njit(cache=True, fastmath=False)(function))
    except RuntimeError:  # numba's "cannot cache function: no locator available"
        return cast(_F, numba.njit(fastmath=False)(function))


def cache_folder() -> Path | None:
    """Where compiled code is kept: $NUMBA_CACHE_DIR, else beside the sources, else the user's
    cache folder, the first that can be written. None if none can, or if nothing is compiled."""
    if not IS_COMPILING:
        return None
    path = njit(lambda: None).stats.cache_path  # type: ignore[attr-defined]
    return Path(path) if path else None


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
    if numba is None:
        return function
    options = {"fastmath": False, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    if PartCompiler is not None:
        options["pipeline_class"] = PartCompiler
    register = numba.extending.register_jitable(forceinline=inline, **options)
    return cast(_F, register(function))
