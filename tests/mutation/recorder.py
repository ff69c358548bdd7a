"""A plugin of pytest that keeps which test runs which lines, and how long it takes.

`LAPWING_TEST_LINES` names the folder it writes to: coverage's data file, with a context for each
phase of each test, and beside it a line for each test with its processor time and whether it
has passed.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

ROOMS = ("app", "plugins", "simulation", "telemetry", "widgets")


class Recorder:
    """Tells coverage whose lines it sees."""

    def __init__(self, folder: Path) -> None:
        """Begin to look; `folder` is made."""
        folder.mkdir(parents=True, exist_ok=True)
        name = os.environ.get("PYTEST_XDIST_WORKER", "alone")
        self._passed = True
        self._times = (folder / f"{name}.times").open("w", encoding="utf-8")
        self._coverage = coverage.Coverage(
            data_file=str(folder / f"{name}.coverage"), config_file=False, source=list(ROOMS)
        )
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Lines of fixtures may stand for other tests, too."""
        self._coverage.switch_context(f"{item.nodeid}|setup")
        yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Lines of the test itself."""
        self._coverage.switch_context(f"{item.nodeid}|call")
        yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[object]:
        """The processor time of the whole test."""
        before = time.process_time()
        self._passed = True
        result = yield
        self._coverage.switch_context("")
        spent = round(time.process_time() - before, 3)
        self._times.write(json.dumps([item.nodeid, spent, self._passed]) + "\n")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What fails, or is skipped, tells nothing of a change."""
        self._passed = self._passed and report.passed

    def pytest_sessionfinish(self) -> None:
        """Write what is not written yet."""
        self._coverage.stop()
        self._coverage.save()
        self._times.close()


def pytest_configure(config: pytest.Config) -> None:
    """Every process that runs tests records its own; the one that shares them out runs none."""
    if not config.getoption("numprocesses", None):
        config.pluginmanager.register(Recorder(Path(os.environ["LAPWING_TEST_LINES"])))
