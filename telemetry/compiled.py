"""Compilation of inner loops: numba where it is installed, plain Python where it is not.

Import this module only from modules that are themselves imported late: numba costs 0.2 s of
start-up. Set NUMBA_DISABLE_JIT=1 to run the same functions uncompiled.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

_F = TypeVar("_F", bound=Callable[..., Any])

try:
    import numba
except ImportError:
    numba = None

HAS_NUMBA = numba is not None


def njit(function: _F) -> _F:
    """Compile to machine code, cached on disk, with the same floating-point results as Python.

    `fastmath` stays off so that compiled and uncompiled runs are bit-identical.
    """
    if numba is None:
        return function
    return cast(_F, numba.njit(cache=True, fastmath=False)(function))


# Parts are not called from Python, so they need no wrappers: a third less to compile.
_PART = {
    "fastmath": False,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def njit_part(function: _F) -> _F:
    """Compile a part of a compiled program: callable only from functions compiled with `njit`.

    Parts are not cached on disk, because numba's cache of an entry does not notice changes in the
    files of its parts; the entry alone is, keyed by all sources, see `simulation.kernel`.
    """
    if numba is None:
        return function
    return cast(_F, numba.njit(**_PART)(function))
