"""The process in which a controller runs, so that whatever it does ends there.

It is spawned by `simulation.sil.process` with one end of a pipe. Each message from the simulator
is answered by one of its own, whose first byte says whether it went well; a refusal carries the
reason as text. Imports little: it is up in a fraction of a second.
"""

import ctypes
import importlib
import importlib.util
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from simulation.sil.controller import Actuators, SilController, pack
from simulation.sil.records import ABI, ACTUATORS, SIL_SENSORS, SIL_SETTINGS, STEP
from simulation.sil.target import ControllerTarget

START: Final = b"S"
STEP_ON: Final = b"T"
DONE: Final = b"+"
REFUSED: Final = b"-"

_FUNCTIONS = ("lapwing_sil_abi", "lapwing_sil_init", "lapwing_sil_step")


class RefusedError(Exception):
    """The controller cannot be loaded or does not accept its settings; the reason as words."""


class _Flyer(Protocol):
    """A loaded controller, bytes in and bytes out."""

    def start(self, settings: bytes) -> None: ...

    def step(self, request: bytes) -> bytes: ...


def main(pipe: Connection, target: ControllerTarget) -> None:
    """Load the controller, then answer until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the simulator, which ends this
    sys.stdout.flush()
    os.dup2(2, 1)  # what a controller prints must not mix with the simulator's report
    try:
        flyer = _load(target)
    except RefusedError as refusal:
        _answer(pipe, REFUSED, str(refusal).encode())
        return
    _answer(pipe, DONE)
    while True:
        try:
            message = pipe.recv_bytes()
        except (EOFError, OSError):
            return  # the simulator has ended
        _answer(pipe, *_reply(flyer, message[:1], message[1:]))


def _answer(pipe: Connection, kind: bytes, content: bytes = b"") -> None:
    try:
        pipe.send_bytes(kind + content)
    except OSError:
        sys.exit(0)


def _reply(flyer: _Flyer, kind: bytes, content: bytes) -> tuple[bytes, bytes]:
    try:
        if kind == START:
            flyer.start(content)
            return DONE, b""
        return DONE, flyer.step(content)
    except RefusedError as refusal:
        return REFUSED, str(refusal).encode()
    except Exception as error:  # noqa: BLE001 - the border to a user's controller: reported
        return REFUSED, f"it raised {_described(error)}".encode()


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


def _load(target: ControllerTarget) -> _Flyer:
    return _Library(target.library) if target.library else _PythonClass(target)


class _PythonClass:
    """A SilController."""

    def __init__(self, target: ControllerTarget) -> None:
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

    def start(self, settings: bytes) -> None:
        self._controller.start(_record(settings, SIL_SETTINGS))

    def step(self, request: bytes) -> bytes:
        record: Any = _record(request, STEP)
        actuators = self._controller.step(record["sensors"], record["command"])
        if not isinstance(actuators, Actuators):
            raise RefusedError(f"it returned {type(actuators).__name__} instead of Actuators")
        return pack(actuators)


class _Library:
    """A shared library with the functions of the header."""

    def __init__(self, path: Path) -> None:
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
        self._request = ctypes.create_string_buffer(STEP.itemsize)
        self._actuators = ctypes.create_string_buffer(ACTUATORS.itemsize)
        start = ctypes.addressof(self._request)
        self._arguments = (start, start + SIL_SENSORS.itemsize, ctypes.addressof(self._actuators))

    def start(self, settings: bytes) -> None:
        code = int(self._init(settings, len(settings)))
        if code != 0:
            raise RefusedError(f"lapwing_sil_init returned {code}")

    def step(self, request: bytes) -> bytes:
        self._request.raw = request
        ctypes.memset(self._actuators, 0, ACTUATORS.itemsize)
        self._step(*self._arguments)
        return self._actuators.raw


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


def _record(data: bytes, kind: np.dtype[Any]) -> np.void:
    row: np.void = np.frombuffer(data, kind)[0]
    return row
