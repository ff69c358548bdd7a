"""Fixtures shared by the whole suite. Tests run without a display."""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from telemetry.base.file_lock import locked
from tests.look import kept_look
from tests.order import long_ones_first
from tests.waiting import PATIENCE_MS, PATIENCE_S

os.environ["QT_QPA_PLATFORM"] = "offscreen"

# One thread for numpy in each of the processes that share the cores: more of them wait for each
# other in busy loops and take twice the time. Read when numpy is loaded, which comes later.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

# A run starts a hundred processes; without bytecode on disk each compiles all sources again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell that runs the tests in the background has them ignore Ctrl+C, and what they start as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every run, and no verdict by the clock of a busy machine.
settings.register_profile("lapwing", derandomize=True, deadline=None)
settings.load_profile("lapwing")

# Else the examples would depend on which modules a process has loaded: Hypothesis takes the
# constants of each of them, for which it parses 1,900 files in a fresh clone.
providers.is_local_module_file = lambda _path: False

# Thousands of tests are made while they are collected, and none of it is given back.
gc.disable()

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """In a fresh clone one of the processes that share a run collects before the others do, so
    that not each of them compiles all packages and sources."""
    compiled = Path(__file__).with_name("__pycache__") / "collected"
    shares_out = session.config.pluginmanager.hasplugin("dsession")
    with ExitStack() as alone:
        if not shares_out and not compiled.exists():
            with suppress(OSError):  # too long, or nothing can be kept here
                compiled.parent.mkdir(exist_ok=True)
                alone.enter_context(locked(compiled, PATIENCE_S))
            if compiled.exists():
                alone.close()
        yield
        if not shares_out:
            with suppress(OSError):
                compiled.touch()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where several processes share the run, each begins with what takes longest."""
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        files: dict[Path, list[pytest.Item]] = {}
        for item in items:
            files.setdefault(item.path, []).append(item)
        items[:] = long_ones_first(files.values(), _is_long, workers)


def _is_long(item: pytest.Item) -> bool:
    return item.get_closest_marker("long") is not None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile what flights need before the first test is timed, if one of those selected flies."""
    flies = "simulation.programs.loading" in sys.modules
    flies |= any(item.get_closest_marker("starts_simulator") for item in session.items)
    if flies and session.items and not session.config.option.collectonly:
        from simulation.programs.loading import programs

        programs()  # one process of a run compiles, the others wait and load it
    # What stands now (modules, thousands of tests, compiled programs) stays until the end: the
    # collector need not look through it again and again, nor once for the little that is garbage.
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """The collector works while tests run, and in the process that shares them out."""
    gc.set_threshold(10_000)  # as in a flight: most of what tests make ends by itself
    gc.enable()


class _PatientBot(QtBot):
    """Waits as long as a slow machine needs for what shall happen."""

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE_MS, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """A user of widgets, who waits for two minutes."""
    return _PatientBot(request)


@pytest.fixture(name="kept_look")
def _kept_look(qapp: QApplication) -> Iterator[None]:
    """For a test that gives the application a look."""
    with kept_look(qapp):
        yield


@pytest.fixture
def shared_logs() -> Path:
    """The folder of real flight logs that stands beside the project, where it is present."""
    folder = SHARED_DATA / "logs"
    if not folder.is_dir():
        pytest.skip("the real logs are not beside this checkout")
    return folder


@pytest.fixture
def shared_facts() -> Path:
    """The file of interface facts that stands beside the project, where it is present."""
    path = SHARED_DATA / "uavobjects.json"
    if not path.is_file():
        pytest.skip("the interface facts are not beside this checkout")
    return path
