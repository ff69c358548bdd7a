"""SIL host: the process in which a controller runs, so that whatever it does ends there.

It is spawned by `simulation.sil.process`. Each request in the mailbox that the two share is
answered there; a refusal carries the reason as text. Imports little: it is up in a fraction of a
second.
"""

import ctypes
import importlib
import importlib.util
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simulation.sil.controller import Actuators, SilController, pack
from simulation.sil.mailbox import END, START, Mailbox
from simulation.sil.records import ABI, SIL_SENSORS, SIL_SETTINGS
from simulation.sil.target import ControllerTarget

_FUNCTIONS = ("lapwing_sil_abi", "lapwing_sil_init", "lapwing_sil_step")


class RefusedError(Exception):
    """The controller cannot be loaded or does not accept its settings; the reason as words."""


def main(mailbox: Mailbox, target: ControllerTarget) -> None:
    """Load the controller, then answer until the simulator ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the simulator, which ends this
    sys.stdout.flush()
    os.dup2(2, 1)  # what a controller prints must not mix with the simulator's report
    simulator = multiprocessing.parent_process()
    assert simulator is not None
    try:
        flyer: _Library | _PythonClass = (
            _Library(target.library, mailbox) if target.library else _PythonClass(target, mailbox)
        )
    except RefusedError as refusal:
        _refuse(mailbox, str(refusal))
        return
    asked = mailbox.part("asked").cast("q")
    mailbox.answer()
    while mailbox.await_request(simulator.is_alive) and asked[0] != END:
        _reply(mailbox, flyer.start if asked[0] == START else flyer.step)


def _reply(mailbox: Mailbox, work: Callable[[], None]) -> None:
    try:
        work()
    except RefusedError as refusal:
        _refuse(mailbox, str(refusal))
    except Exception as error:  # noqa: BLE001 - the border to a user's controller: reported
        _refuse(mailbox, f"it raised {_described(error)}")
    else:
        mailbox.answer()


def _refuse(mailbox: Mailbox, reason: str) -> None:
    record = mailbox.record
    record["is_refused"] = 1
    record["reason"] = reason.encode()
    mailbox.answer()


def _described(error: Exception) -> str:
    """The exception and the line of the controller that raised it."""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.name[0] != "<" and file != Path(__file__):  # the importer, or this module
            place = f" at {file.name}:{trace.tb_lineno}"
        trace = trace.tb_next
    text = " ".join(str(error).split())  # one line
    return f"{type(error).__name__}{f' ({text})' if text else ''}{place}"


class _PythonClass:
    """A SilController."""

    def __init__(self, target: ControllerTarget, mailbox: Mailbox) -> None:
        try:
            module = _import(target.module)
            made: Callable[[], SilController] | None = getattr(module, target.cls, None)
            if not isinstance(made, type):
                raise RefusedError(f"{target.module} has no class {target.cls}")
            self._controller = made()
        except RefusedError:
            raise
        except Exception as error:  # the border to a user's controller: reported
            raise RefusedError(f"loading it raised {_described(error)}") from error
        if not all(hasattr(self._controller, name) for name in ("start", "step")):
            raise RefusedError(f"{target.cls} lacks the methods start and step")
        record = mailbox.record
        self._settings = record["settings"]
        self._sensors, self._command = record["step"]["sensors"], record["step"]["command"]
        self._actuators = mailbox.part("actuators")

    def start(self) -> None:
        self._controller.start(self._settings)

    def step(self) -> None:
        actuators = self._controller.step(self._sensors, self._command)
        if not isinstance(actuators, Actuators):
            raise RefusedError(f"it returned {type(actuators).__name__} instead of Actuators")
        self._actuators[:] = pack(actuators)


class _Library:
    """A shared library with the functions of the header."""

    def __init__(self, path: Path, mailbox: Mailbox) -> None:
        try:
            library = ctypes.CDLL(str(path))
        except OSError as error:
            raise RefusedError(f"it cannot be loaded ({error})") from error
        missing = [name for name in _FUNCTIONS if not hasattr(library, name)]
        if missing:
            raise RefusedError(f"it lacks {' and '.join(missing)}")
        library.lapwing_sil_abi.restype = ctypes.c_uint32
        abi = int(library.lapwing_sil_abi())
        if abi != ABI:
            raise RefusedError(f"it is built for interface {abi}, this Lapwing has {ABI}")
        self._init = library.lapwing_sil_init
        self._init.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
        self._step = library.lapwing_sil_step
        self._step.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._step.restype = None
        self._settings = mailbox.address("settings")
        step = mailbox.address("step")
        addresses = (step, step + SIL_SENSORS.itemsize, mailbox.address("actuators"))
        self._arguments = tuple(map(ctypes.c_void_p, addresses))
        self._actuators = mailbox.part("actuators")
        self._zeros = bytes(len(self._actuators))

    def start(self) -> None:
        code = int(self._init(self._settings, SIL_SETTINGS.itemsize))
        if code != 0:
            raise RefusedError(f"lapwing_sil_init returned {code}")

    def step(self) -> None:
        self._actuators[:] = self._zeros
        self._step(*self._arguments)


def _import(module: str) -> Any:
    if not module.endswith(".py"):
        return importlib.import_module(module)
    path = Path(module)
    sys.path.insert(0, str(path.parent))  # its neighbours may be imported
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise RefusedError(f"{path.name} is no Python file")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded
    spec.loader.exec_module(loaded)
    return loaded
