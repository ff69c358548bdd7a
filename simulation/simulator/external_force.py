"""External force on an aircraft: a user's function of an EXTERNAL_FORCE record.

    def rope(e: Any) -> None:
        e["force_ned"][2] = -e["constants"][0]  # newtons up
        e["point"][2] = -0.1  # metres above the centre of mass

    simulator.act_with(compiled_force(rope, constants=[5.0]))

The record (`simulation.records.interface.EXTERNAL_FORCE`; for C the header `lapwing_force.h`) has
motion, air and states of the moment, and takes force, moment and the states' derivatives. The
function is asked four times a step, at the stages of RK4, so it must depend on nothing but the
record: time, motion, constants and its own states. A compiled function or one in C costs what it
computes, plus 0.2 us a step; one in plain Python 25 us a step at the least.

A function is the user's own code, given in his own program or by `--force`. No file of ours, and
none from elsewhere, can name one.
"""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from simulation.compiler.decorators import IS_COMPILING, njit_part
from simulation.compiler.kinds import CompilationError
from simulation.compiler.program import Handle, Program
from simulation.records.interface import EXTERNAL_FORCE, FORCE_CONSTANTS, FORCE_STATES

ForceFunction = Callable[[Any], None]
NO_NUMBER: Final = float("nan")
_C_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class ForceError(ValueError):
    """A force that cannot be used. The text is one sentence for the user, with a remedy."""


@dataclass(frozen=True, slots=True)
class ExternalForce:
    """A function in the form the simulation calls it, with what it begins with.

    `constants` are numbers for it, `state` are its own states at time 0. Several aircraft may have
    the same one: all it remembers stands in their records. `kept` lives as long as the handle.
    """

    handle: Handle
    constants: Sequence[float] = ()
    state: Sequence[float] = ()
    kept: object = field(default=None, repr=False)
    failures: dict[int, str] = field(default_factory=dict)
    """Why it failed in flight, by the address of the record."""

    def __post_init__(self) -> None:
        if len(self.constants) > FORCE_CONSTANTS or len(self.state) > FORCE_STATES:
            raise ForceError(
                f"A force has room for {FORCE_CONSTANTS} constants and {FORCE_STATES} states, not "
                f"for {len(self.constants)} and {len(self.state)}."
            )

    def begin(self, record: Any) -> None:
        """Prepare an EXTERNAL_FORCE record for time 0."""
        for member in record.dtype.names:
            record[member] = 0
        record["constants"][: len(self.constants)] = self.constants
        record["state_start"][: len(self.state)] = self.state
        record["state"] = record["state_start"]
        self.failures.pop(_place_of(record), None)
        if isinstance(self.kept, Program):
            self.kept.take_fault()

    def failure(self, record: Any) -> str:
        """Why it failed for that EXTERNAL_FORCE record; "" if it did not."""
        if isinstance(self.kept, Program) and (fault := self.kept.take_fault()):
            self.failures[_place_of(record)] = f"the external force raised {fault}"
        return self.failures.get(_place_of(record), "")


NO_FORCE: Final = ExternalForce(ctypes.c_int64(0) if IS_COMPILING else 0)
"""Nothing acts from outside."""


def compiled_force(
    function: ForceFunction, constants: Sequence[float] = (), state: Sequence[float] = ()
) -> ExternalForce:
    """Compile a function, which takes some hundredths of a second. It may use numbers, `math`, the
    arrays of its surroundings, and functions marked with
    `simulation.compiler.decorators.njit_part`; see `simulation.compiler`. Where nothing is compiled
    it is called as Python. Raises ForceError if it cannot be compiled."""
    if not IS_COMPILING:
        return python_force(function, constants, state)
    fault = np.zeros(1, np.int64)
    called = njit_part(function)

    def checked(e: Any) -> None:
        called(e)
        if fault[0] != 0:
            e["force"][0] = NO_NUMBER  # the simulation stops there

    program = Program(checked, EXTERNAL_FORCE, fault=fault)
    try:
        return ExternalForce(program.handle, constants, state, kept=program)
    except CompilationError as error:
        raise ForceError(
            f"{function.__name__} cannot be compiled ({error}). Keep to numbers, math and arrays, "
            "or have it called as Python with python_force."
        ) from None


def python_force(
    function: ForceFunction, constants: Sequence[float] = (), state: Sequence[float] = ()
) -> ExternalForce:
    """Have a function called as Python, with all that Python can do: 25 us a step at the least. If
    it raises an exception the simulation stops there, as with a motion that cannot be."""
    failures: dict[int, str] = {}

    def guarded(record: Any) -> None:
        try:
            function(record)
        except Exception as error:  # noqa: BLE001 - the border to a user's function: reported
            reason = f"the external force raised {type(error).__name__} ({error})"
            failures.setdefault(_place_of(record), reason)
            record["force"][:] = np.nan

    if not IS_COMPILING:
        return ExternalForce(guarded, constants, state, failures=failures)
    callback = _C_FUNCTION(lambda address: guarded(_record_at(address)))
    return ExternalForce(_address_of(callback), constants, state, callback, failures)


def library_force(path: Path) -> ExternalForce:
    """A C library that has the functions of the header `lapwing_force.h`. It runs in this process:
    if it crashes, so does the simulator. Raises ForceError."""
    try:
        library = ctypes.CDLL(str(path.resolve()))
        begin, force = library.lapwing_force_begin, library.lapwing_force
    except (OSError, AttributeError) as error:
        raise ForceError(
            f"{path.name} is no force ({error}); build it from a file that has the functions of "
            "lapwing_force.h."
        ) from None
    begin.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    record = np.zeros(1, EXTERNAL_FORCE)
    if begin(record.ctypes.data, EXTERNAL_FORCE.itemsize) != 0:
        raise ForceError(f"{path.name} does not begin; build it with this Lapwing's header.")
    first: Any = record[0]
    constants, state = first["constants"].tolist(), first["state"].tolist()
    if not IS_COMPILING:
        force.argtypes, force.restype = (ctypes.c_void_p,), None

        def called(record: Any) -> None:
            force(_place_of(record))

        return ExternalForce(called, constants, state, kept=library)
    return ExternalForce(_address_of(force), constants, state, kept=library)


def _address_of(function: Any) -> ctypes.c_int64:
    return ctypes.c_int64(ctypes.cast(function, ctypes.c_void_p).value or 0)


def _place_of(record: Any) -> int:
    # Not by __array_interface__: numpy drops a KeyboardInterrupt that arrives while it makes one.
    return int(np.asarray(record).ctypes.data)


def _record_at(address: int) -> Any:
    memory = (ctypes.c_char * EXTERNAL_FORCE.itemsize).from_address(address)
    return np.frombuffer(memoryview(memory), EXTERNAL_FORCE)[0]
