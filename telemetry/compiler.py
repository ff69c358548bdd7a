"""The compiler, set up for the simulator."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

# Vector units and the compiler's last level gain no speed here, but together they take a third of
# the time it takes to compile. Read by numba when it is loaded.
_OPTIONS = {"LOOP_VECTORIZE": "0", "SLP_VECTORIZE": "0", "OPT": "2"}


@cache
def load_numba() -> Any:
    """numba, or None where it is not installed or is switched off by NUMBA_DISABLE_JIT=1.

    Call it where something is about to be compiled: the first call takes 0.2 s.
    """
    for name, value in _OPTIONS.items():
        os.environ.setdefault(f"NUMBA_{name}", value)
    try:
        import numba
    except ImportError:
        return None
    return None if numba.config.DISABLE_JIT else numba


@cache
def njit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile to machine code on the first call, cached on disk, with the same results as Python.

    Without a compiler this is `function` itself, which then must be given memoryviews and bytes:
    numpy's small integers overflow where Python's and the compiler's do not. Where no folder for
    the cache can be written, every process compiles anew.
    """
    compiled: Callable[..., Any]
    numba = load_numba()
    if numba is None:
        return function
    try:
        compiled = numba.njit(cache=True)(function)
    except RuntimeError:  # numba's "cannot cache function: no locator available"
        compiled = numba.njit(function)
    return compiled


def cache_folder() -> Path | None:
    """Where compiled code is kept: $NUMBA_CACHE_DIR, else beside the sources, else the user's
    cache folder, the first that can be written. None if none can, or if nothing is compiled."""
    probe: Any = njit(lambda: None)
    path = probe.stats.cache_path if load_numba() else None
    return Path(path) if path else None
