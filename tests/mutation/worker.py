"""Runs tests on one change after the other in a copied tree: `python -m tests.mutation.worker
MODULE...`, begun in that tree, is asked by lines of JSON and answers by such.

Each run is a fork of this process, which has loaded these modules, others' that take long, and
nothing of what is changed: a run begins at once, and nothing of it stays.
"""

import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

PATIENCE_S: Final = 40.0
"""How long a test waits for what another process does and a change may have ended."""
_LONGEST_S: Final = 300
"""No test takes a tenth of it; and a run that is stuck before or after them."""
KILLED, SURVIVED, DEAD, TIMEOUT = "killed", "survived", "does not start", "timeout"
BROKEN = "broken"
"""What happens when no test could be run at all: a fault of ours."""


@dataclass
class Order:
    """Tests to run on a file that has become `text`, with the processor time they usually take;
    no test begins after `budget_s` of it.
    Tests in `files` that are neither among them nor `skipped` follow. Of a control nothing is
    changed, and all that fails is told."""

    file: str
    text: str
    tests: list[str]
    files: list[str]
    skipped: list[str]
    seconds: float
    budget_s: float
    report: str
    is_compiler: bool
    is_control: bool = False


class Watch:
    """A plugin of pytest: runs what was ordered in its order, and notes what has failed."""

    def __init__(self, order: Order) -> None:
        """For one run."""
        self._places = {test: number for number, test in enumerate(order.tests)}
        self._files = {file: number for number, file in enumerate(order.files)}
        self._skipped = set(order.skipped)
        self._is_compiler = order.is_compiler
        self._until_s = time.process_time() + order.budget_s
        self.ran = 0
        self.failed: list[str] = []
        self.is_dead = False
        self.is_late = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose, and put in order."""
        found = [one for one in items if one.nodeid in self._places]
        found += [
            one for one in items
            if one.nodeid.split("::")[0] in self._files
            and one.nodeid not in self._places and one.nodeid not in self._skipped
            and not one.get_closest_marker("long")
        ]  # fmt: skip
        items[:] = sorted(found, key=self._place)

    def _place(self, item: pytest.Item) -> tuple[int, int]:
        file = item.nodeid.split("::")[0]
        return self._places.get(item.nodeid, len(self._places)), self._files.get(file, 0)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """What cannot be collected any more."""
        if report.failed:
            self._note(report.nodeid or "collection", report.longreprtext)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What has failed."""
        self.ran += report.when == "call"
        if report.failed:
            self._note(report.nodeid, report.longreprtext)

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """What takes too long in all ends here."""
        item.session.shouldstop = time.process_time() > self._until_s

    def pytest_internalerror(self, excrepr: Any) -> None:
        """What fails in a hook, such as what compiles before the first test."""
        self._note("before the first test", str(excrepr))

    def _note(self, test: str, text: str) -> None:
        if not self.failed:
            self.is_dead = not self._is_compiler and "CompilationError" in text
            self.is_late = "Timeout (>" in text
        self.failed.append(test)

    @property
    def result(self) -> str:
        """In a word."""
        if self.is_dead:
            return DEAD
        if not self.failed:
            return SURVIVED
        return TIMEOUT if self.is_late else KILLED


def run(order: Order, codes: Path, log: Path) -> dict[str, Any]:
    """Run what is ordered in a fork; what came of it."""
    path = Path(order.file)
    before, stamp = path.read_bytes(), path.stat()
    path.write_text(order.text, encoding="utf-8")
    # Bytecode is taken for that of a source of the same second and size.
    shift = 10**9 * (1 + time.monotonic_ns() % 10**7)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns - shift))
    began = time.monotonic()
    Path(order.report).unlink(missing_ok=True)
    child = os.fork()
    if not child:
        try:
            _run_inside(order, codes, log)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)  # nothing of this process may go on in it
    status, used = _wait(child, began + _LONGEST_S + 20 * order.seconds)
    path.write_bytes(before)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    answer = _answer(order, status)
    answer["cpu_s"] = round(used.ru_utime + used.ru_stime, 2)
    answer["wall_s"] = round(time.monotonic() - began, 2)
    return answer


def _wait(child: int, until: float) -> tuple[int, resource.struct_rusage]:
    while True:
        ended, status, used = os.wait4(child, os.WNOHANG)
        with suppress(OSError):
            if ended or time.monotonic() > until:
                os.killpg(child, signal.SIGKILL)  # it, or what it has started and left
        if ended:
            return status, used
        time.sleep(0.02)


def _answer(order: Order, status: int) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        told: dict[str, Any] = json.loads(Path(order.report).read_text(encoding="utf-8"))
        return told
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        result = TIMEOUT if number in (signal.SIGXCPU, signal.SIGKILL) else KILLED
        return {"result": result, "failed": [signal.Signals(number).name], "ran": 0}
    return {"result": KILLED, "failed": ["it has ended"], "ran": 0}


def _run_inside(order: Order, codes: Path, log: Path) -> None:
    """In the fork: everything as in a process of its own."""
    os.setsid()
    with log.open("wb") as written:
        os.dup2(written.fileno(), 1)
        os.dup2(written.fileno(), 2)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    limit = round(20 + 3 * order.seconds + (order.budget_s if order.files else 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    if order.file.startswith("simulation/"):
        os.environ["LAPWING_CODE_FOLDER"] = str(codes)
    os.environ["PYTHONPATH"] = str(Path.cwd())
    for name in [one for one in sys.modules if one.split(".")[0] == "tests"]:
        del sys.modules[name]
    try:
        _load(order.file)
    except BaseException:  # noqa: BLE001 - whatever a change does
        _tell(order, {"result": DEAD, "failed": ["import"], "ran": 0})
        return
    watch = Watch(order)
    files = sorted({test.split("::")[0] for test in order.tests} | set(order.files))
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-o", f"timeout={_LONGEST_S}"]
    options += [] if order.is_control else ["-x"]
    ended = pytest.main([*options, *files], plugins=[watch])
    if ended == pytest.ExitCode.USAGE_ERROR:
        _tell(order, {"result": BROKEN, "failed": ["pytest"], "ran": 0})
    else:
        _tell(order, {"result": watch.result, "failed": watch.failed, "ran": watch.ran})


def _load(file: str) -> None:
    waiting = importlib.import_module("tests.waiting")
    waiting.PATIENCE_S = PATIENCE_S
    waiting.PATIENCE_MS = round(PATIENCE_S * 1000)
    importlib.import_module(".".join(Path(file).with_suffix("").parts).removesuffix(".__init__"))


def _tell(order: Order, result: dict[str, Any]) -> None:
    Path(order.report).write_text(json.dumps(result), encoding="utf-8")


def _copied_codes(codes: Path) -> None:
    """Machine code as the unchanged sources have it, in a folder where a change may replace it."""
    shutil.rmtree(codes, ignore_errors=True)
    copy = hashlib.sha256(str(Path("simulation").resolve()).encode()).hexdigest()[:16]
    (codes / copy).mkdir(parents=True)
    for path in Path("simulation/__pycache__").glob("*.machine-code"):
        shutil.copy(path, codes / copy)


def main() -> None:
    """Answer until there is no more to read."""
    os.environ.update(QT_QPA_PLATFORM="offscreen", OPENBLAS_NUM_THREADS="1")
    for name in sys.argv[1:]:
        with suppress(ImportError):
            importlib.import_module(name)
    tree = Path.cwd()
    codes, log = tree.with_name(f"{tree.name}-codes"), tree.with_name(f"{tree.name}.log")
    for line in sys.stdin:
        order = Order(**json.loads(line))
        _copied_codes(codes)
        print(json.dumps(run(order, codes, log)), flush=True)


if __name__ == "__main__":
    main()
