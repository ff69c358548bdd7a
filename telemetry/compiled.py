"""Compilation of inner loops: numba where it is installed, plain Python where it is not.

Import this module only from modules that are themselves imported late: numba costs 0.2 s of
start-up. Set NUMBA_DISABLE_JIT=1 to run the same functions uncompiled.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

try:
    import numba
    import numba.extending
    from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
except ImportError:
    numba = None

_F = TypeVar("_F", bound=Callable[..., Any])
Program = int | Callable[[Any], None]
"""A function of one record: its address where functions are compiled, else the function."""

HAS_NUMBA = numba is not None
IS_COMPILING = numba is not None and not numba.config.DISABLE_JIT

if numba is not None:
    # Vector units gain nothing on loops over three axes, but looking for such gains costs a
    # quarter of the time it takes to compile. Set here, before anything is compiled.
    numba.config.LOOP_VECTORIZE = numba.config.SLP_VECTORIZE = 0


def njit(function: _F) -> _F:
    """Compile to machine code, cached on disk, with the same floating-point results as Python.

    `fastmath` stays off so that compiled and uncompiled runs are bit-identical. The lock on the
    interpreter is released meanwhile, so that threads run side by side.
    """
    if numba is None:
        return function
    return cast(_F, numba.njit(cache=True, fastmath=False, nogil=True)(function))


def njit_part(function: _F) -> _F:
    """Let compiled functions call this one; called from Python it stays plain Python.

    It is compiled into its callers, not cached on disk by itself: numba's cache of an entry does
    not notice changes in the files of its parts, so the entry must be keyed by all its sources,
    see `simulation.sources`. Dividing by zero gives infinity instead of an exception, which
    saves the checks. A part gets no wrappers for calls from outside and counts no references,
    which halves the time it takes to compile; so it must not allocate arrays.
    """
    if numba is None:
        return function
    options = {"fastmath": False, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    return cast(_F, numba.extending.register_jitable(**options)(function))


def compile_program(function: Callable[[Any], None], record: Any) -> Program:
    """Compile a function of one record of this dtype, or load it from the cache on disk, as
    something that `call` takes.

    Compiled code that calls it does not contain it, so either can be compiled and cached without
    the other. It must not raise exceptions, and be keyed by all its sources as an entry is.
    """
    if not IS_COMPILING:
        return function
    signature = numba.types.void(numba.from_dtype(record))
    options = {"fastmath": False, "error_model": "numpy", "_nrt": False}
    return int(numba.cfunc(signature, cache=True, **options)(function).address)


def call(program: Program, record: Any) -> None:
    """Run a program on a record, from compiled code as from Python."""
    cast(Callable[[Any], None], program)(record)


if numba is not None:

    @numba.extending.intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def _call_address(_context: Any, program: Any, record: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> None:
            address, pointer = arguments
            kind = ir.FunctionType(ir.VoidType(), [pointer.type])
            builder.call(builder.inttoptr(address, kind.as_pointer()), [pointer])

        return numba.types.void(program, record), generate

    @numba.extending.overload(call)  # type: ignore[untyped-decorator, unused-ignore]
    def _call(program: Any, record: Any) -> Any:
        def implementation(program: Any, record: Any) -> None:
            _call_address(program, record)

        return implementation
