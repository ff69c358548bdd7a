"""Programs at the other end of lockstep: one file each, started as a user's are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.sil.target import find_compiler
from telemetry.base.installation import ROOT

HEADER_FOLDER = ROOT / "simulation" / "hitl"
needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler here")
needs_posix = pytest.mark.skipif(os.name != "posix", reason="lockstep is for POSIX systems")

_FAKE = """\
import os, socket, struct, sys, threading
end = socket.socket(fileno=int(os.environ["LAPWING_LOCKSTEP_FD"]))
def send(kind, tick, data):
    end.sendall(struct.pack("<IIQ", kind, len(data), tick) + data)
def hello(version=1, tick_us=1000, sensor_ticks=2, reserved=0):
    send(1, 0, struct.pack("<IIII", version, tick_us, sensor_ticks, reserved))
def wait():
    head = end.recv(16, socket.MSG_WAITALL)
    if len(head) < 16:
        sys.exit(0)
    _, size, tick = struct.unpack("<IIQ", head)
    return tick, end.recv(size, socket.MSG_WAITALL) if size else b""
"""


def python_program(folder: Path, text: str, name: str = "controller") -> Path:
    """An executable of Python source."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return path


def fake(folder: Path, text: str) -> Path:
    """One that speaks lockstep, as far as `text` does, by `hello`, `wait` and `send`."""
    return python_program(folder, _FAKE + text)


def emulated(folder: Path) -> Path:
    """The emulated controller."""
    return python_program(
        folder,
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from simulation.hitl.emulated_controller import main\nsys.exit(main([]))\n",
        "emulated",
    )


def compiled(folder: Path, source: str) -> Path:
    """An executable of C source that finds our header; no warning is let through."""
    file, program = folder / "controller.c", folder / "compiled"
    file.write_text(source, encoding="utf-8")
    compiler = find_compiler()
    assert compiler is not None
    flags = ("-std=c99", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wconversion", "-Werror")
    call = [compiler, *flags, f"-I{HEADER_FOLDER}", str(file), "-o", str(program)]
    subprocess.run(call, check=True)
    return program
