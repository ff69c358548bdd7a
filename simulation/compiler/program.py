"""Programs: the functions that are compiled ahead and cached on disk.

A program works on one record in place. Compiled code can call another program by its address,
without containing it: so each is compiled and cached without the other. Without llvmlite, or with
LAPWING_PLAIN_PYTHON=1, a program is the Python function it was made from, with the same results.
"""

import ctypes
from collections.abc import Callable, Collection, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from simulation.compiler.decorators import IS_CHECKING, IS_COMPILING, PARTS
from simulation.compiler.plain_record import PlainRecord

if TYPE_CHECKING:
    from simulation.compiler.body import Body
    from simulation.compiler.kinds import Value
    from simulation.compiler.translation import Translation

Function = Callable[..., None]
Handle = int | ctypes.c_int64 | Function
"""What compiled code needs to `call` a program: its address, which as a c_int64 is not converted at
every call from Python, half of what that takes. In plain Python it is the function."""
Array = np.ndarray[Any, np.dtype[np.void]]
Memory = Any
"""What compiled code needs to find an array that is no member of its record: its address, a number.
In plain Python it is what is found there."""
_FAULT: Final = np.zeros(1, np.int64)
_FAULTS: Final[list[str]] = []
"""Those of all programs together, where all are checked, because they call each other."""


class Program:
    """A function of a record and `numbers` whole numbers, compiled when it is first needed.

    The function must keep to what `simulation.compiler` can compile and raise nothing. Handles of
    programs count as numbers. Threads that call programs run side by side.

    With `sources`, the digest of all it is made of (see `simulation.compiler.source_digest`), its
    machine code is kept on disk. Without, it may work on arrays of its surroundings, too, in place.
    """

    def __init__(
        self,
        function: Function,
        record: "np.dtype[Any]",
        numbers: int = 0,
        sources: int | None = None,
        fault: "np.ndarray[Any, Any] | None" = None,
    ) -> None:
        """With `fault`, one int64, indices, shifts and conversions to whole numbers are checked:
        it is not 0 after one for which Python raises an exception, or a number beyond 64 bits."""
        self._function = function
        self._record = record
        self._numbers = numbers
        self._sources = sources
        self._fault = fault
        self._faults: list[str] = []
        if IS_CHECKING and fault is None:
            self._sources, self._fault, self._faults = None, _FAULT, _FAULTS
        self._arrays: Sequence[Any] = ()  # that the machine code refers to

    @property
    def handle(self) -> ctypes.c_int64 | Function:
        """For `call`; compiles the program or loads it, the first time. Raises CompilationError."""
        return ctypes.c_int64(self._address) if IS_COMPILING else self._function

    def take_fault(self) -> str:
        """What was wrong since this was asked last, by the name of Python's exception, with file
        and line; "" if nothing was or nothing is checked."""
        if self._fault is None:
            return ""
        number, self._fault[0] = int(self._fault[0]), 0
        return self._faults[number - 1] if number else ""

    @cached_property
    def run(self) -> Function:
        """Runs it on a record given by `reference_to`, with its numbers."""
        if not IS_COMPILING:
            return self._run_plain
        whole = [ctypes.c_int64] * self._numbers
        run = cast(Function, ctypes.CFUNCTYPE(None, ctypes.c_void_p, *whole)(self._address))
        return partial(self._run_checked, run) if IS_CHECKING else run

    def _run_checked(self, run: Function, record: Any, *numbers: Any) -> None:
        run(record, *numbers)
        if fault := self.take_fault():
            raise RuntimeError(f"{self._function.__name__}: {fault}")

    def _run_plain(self, record: Any, *numbers: Any) -> None:
        if not isinstance(record, PlainRecord):
            self._function(record, *numbers)
            return
        record.load()
        self._function(record, *numbers)
        record.store()

    @cached_property
    def _address(self) -> int:
        """Of its machine code."""
        from simulation.compiler import machine, store

        name = self._function.__name__
        if self._sources is None:
            return machine.load(machine.machine_code(self.translation()[0]), name)
        code = store.kept(name, self._key(), lambda: machine.machine_code(self.translation()[0]))
        return machine.load(code, name)

    def is_kept(self) -> bool:
        """Whether its machine code is on disk already, or none is needed."""
        from simulation.compiler import store

        if not IS_COMPILING or self._sources is None:
            return True
        return store.found(self._function.__name__, self._key()) is not None

    def _key(self) -> str:
        from simulation.compiler import machine

        return repr((machine.description(), self._sources, self._record, self._numbers))

    def translation(self) -> "tuple[str, Translation]":
        """The program in LLVM's language, and the functions it consists of. Raises
        CompilationError."""
        from simulation.compiler.kinds import WHOLE, CompilationError, Kind, RecordView
        from simulation.compiler.library import Emit
        from simulation.compiler.translation import Translation

        others: dict[Any, Emit] = {
            call: _write_call,
            reals_at: partial(_write_numbers, np.dtype(np.float64)),
            wholes_at: partial(_write_numbers, np.dtype(np.int64)),
            record_at: _write_record,
        }
        kinds: list[Kind] = [RecordView(self._record)]
        kinds += [WHOLE] * self._numbers
        translation = Translation(PARTS, others)
        translation.fault, translation.faults = self._fault, self._faults
        text = translation.program(self._function.__name__, self._function, kinds)
        if translation.arrays and self._sources is not None:
            raise CompilationError("a program that is kept on disk works on its record only")
        self._arrays = translation.arrays
        return text, translation


def reference_to(array: Array, index: int = 0, shared: Collection[str] = ()) -> Any:
    """What a program is given to work on an element of an array. The array must be kept. `shared`:
    members, of members too, that other functions than parts of programs are given."""
    if not IS_COMPILING:
        return PlainRecord(array[index], shared)
    return ctypes.c_void_p(array.ctypes.data + index * array.itemsize)


def call(program: Handle, record: Any, *numbers: Handle) -> None:
    """Run a program on a record, from compiled code as from Python."""
    cast(Function, program)(record, *numbers)


def address_of(program: Handle) -> Memory:
    """A handle as a record holds it."""
    return program.value if isinstance(program, ctypes.c_int64) else program


def reals_at(memory: Memory) -> Any:
    """The float64 numbers there, from compiled code as from Python."""
    return memory


def wholes_at(memory: Memory) -> Any:
    """The int64 numbers there."""
    return memory


def record_at(memory: Memory, record: "np.dtype[Any]") -> Any:
    """The record of this kind there; in plain Python it may be a dictionary of its members."""
    return memory


def _write_call(body: "Body", given: "Sequence[Value]") -> "Value":
    """What `call` is in compiled code."""
    from simulation.compiler.kinds import NOTHING, WHOLE, Value

    address, record, *numbers = given
    pointer = body.add(f"inttoptr i64 {address.operand} to ptr")
    handed = [f"i64 {body.convert(number, WHOLE).operand}" for number in numbers]
    body.do(f"call void {pointer}({', '.join([f'ptr {record.operand}', *handed])})")
    return Value(NOTHING, ())


def _write_numbers(dtype: "np.dtype[Any]", body: "Body", given: "Sequence[Value]") -> "Value":
    """What `reals_at` and `wholes_at` are in compiled code."""
    from simulation.compiler.kinds import RecordView, Value

    pointer = body.add(f"inttoptr i64 {given[0].operand} to ptr")
    return Value(RecordView(dtype, (None,), (dtype.itemsize,)), (pointer,))


def _write_record(body: "Body", given: "Sequence[Value]") -> "Value":
    """What `record_at` is in compiled code."""
    from simulation.compiler.kinds import Fixed, RecordView, Value

    address, dtype = given
    assert isinstance(dtype.kind, Fixed)
    pointer = body.add(f"inttoptr i64 {address.operand} to ptr")
    return Value(RecordView(dtype.kind.what), (pointer,))
