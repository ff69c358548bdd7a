"""Programs: the functions that are compiled ahead and cached on disk.

A program works on one record in place. Compiled code can call another program by its address,
without containing it: so each is compiled and cached without the other. Without numba, or with
NUMBA_DISABLE_JIT=1, a program is the Python function it was made from, with the same results.
"""

import ctypes
from collections.abc import Callable
from functools import cached_property
from typing import Any, NoReturn, cast

import numpy as np

from simulation.compiled import IS_COMPILING

if IS_COMPILING:
    import numba
    import numba.extending
    from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]

Function = Callable[..., None]
Handle = int | ctypes.c_int64 | Function
"""What compiled code needs to `call` a program: its address, which as a c_int64 is not converted at
every call from Python, half of what that takes. In plain Python it is the function."""
Array = np.ndarray[Any, np.dtype[np.void]]


class Program:
    """A function of a record and `numbers` whole numbers, compiled when it is first needed.

    The function must keep to what `simulation.compiled.njit_part` allows, raise nothing, and be
    keyed by all its sources: it refers to their digest, see `simulation.sources`. Handles of
    programs count as numbers. Threads that call programs run side by side.
    """

    def __init__(self, function: Function, record: "np.dtype[Any]", numbers: int = 0) -> None:
        self._function = function
        self._record = record
        self._numbers = numbers
        self._compiled: Any = None

    def load(self) -> bool:
        """Load it from the cache on disk; False if it has to be compiled."""
        if IS_COMPILING and self._compiled is None:
            try:
                self._compiled = self._compile(cache=True, pipeline_class=_refuse)
            except (_NotCachedError, RuntimeError):  # the latter: no folder for a cache
                return False
        return True

    def store(self) -> None:
        """Compile it into the cache on disk, or load it from there. Raises OSError or
        RuntimeError if the cache cannot be written."""
        if IS_COMPILING and self._compiled is None:
            self._compiled = self._compile(cache=True)

    def prepare(self) -> None:
        """Load or compile it, with or without a cache."""
        try:
            self.store()
        except (OSError, RuntimeError):
            self._compiled = self._compile()

    @property
    def handle(self) -> ctypes.c_int64 | Function:
        """For `call`; takes its time if nothing was prepared."""
        if not IS_COMPILING:
            return self._function
        self.prepare()
        return ctypes.c_int64(self._compiled.address)

    @cached_property
    def run(self) -> Function:
        """Runs it on a record given by `reference_to`, with its numbers."""
        handle = self.handle
        if not isinstance(handle, ctypes.c_int64):
            return handle
        whole = [ctypes.c_int64] * self._numbers
        return cast(Function, ctypes.CFUNCTYPE(None, ctypes.c_void_p, *whole)(handle.value))

    def _compile(self, **options: Any) -> Any:
        whole = [numba.types.int64] * self._numbers
        signature = numba.types.void(numba.from_dtype(self._record), *whole)
        options |= {"fastmath": False, "error_model": "numpy", "_nrt": False}
        return numba.cfunc(signature, **options)(self._function)


class _NotCachedError(Exception):
    """It would have to be compiled."""


def _refuse(*_arguments: Any) -> NoReturn:
    """Stands in for the compiler while only loading is wanted."""
    raise _NotCachedError


def reference_to(array: Array, index: int = 0) -> Any:
    """What a program is given to work on an element of an array. The array must be kept."""
    if not IS_COMPILING:
        return array[index]
    return ctypes.c_void_p(array.ctypes.data + index * array.itemsize)


def call(program: Handle, record: Any, *numbers: Handle) -> None:
    """Run a program on a record, from compiled code as from Python."""
    cast(Function, program)(record, *numbers)


if IS_COMPILING:

    @numba.extending.intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def _call_address(_context: Any, program: Any, record: Any, numbers: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> None:
            address, pointer, given = arguments
            handed = [pointer, *(builder.extract_value(given, i) for i in range(len(numbers)))]
            kind = ir.FunctionType(ir.VoidType(), [value.type for value in handed])
            builder.call(builder.inttoptr(address, kind.as_pointer()), handed)

        return numba.types.void(program, record, numbers), generate

    @numba.extending.overload(call)  # type: ignore[untyped-decorator, unused-ignore]
    def _call(program: Any, record: Any, *numbers: Any) -> Any:
        def implementation(program: Any, record: Any, *numbers: Any) -> None:
            _call_address(program, record, numbers)

        return implementation
