"""Fixtures shared by the whole suite. Tests run without a display."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["QT_QPA_PLATFORM"] = "offscreen"

# A shell that runs the tests in the background has them ignore Ctrl+C, and what they start as well.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples on every run, and no verdict by the clock of a busy machine.
settings.register_profile("lapwing", derandomize=True, deadline=None)
settings.load_profile("lapwing")

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


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
