"""A log format of a plugin: its files are offered by the dialog and opened."""

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.background_jobs import BackgroundJobs
from app.messages import Messages
from app.opening.logs import LogOpening
from app.plugin_loading.loader import find_plugins
from plugins.api import object_names
from telemetry.base.installation import ROOT
from tests.immediate import ImmediateJobs
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes

EXAMPLE = ROOT / "examples" / "plugin"


@pytest.fixture
def opening(monkeypatch: pytest.MonkeyPatch) -> Iterator[LogOpening]:
    monkeypatch.setattr(sys, "path", [*sys.path])
    formats = find_plugins(EXAMPLE).log_formats
    messages = Messages()
    jobs = BackgroundJobs(ImmediateJobs(), messages)
    yield LogOpening(formats, lambda: CATALOGUE, jobs, messages)
    for name in [name for name in sys.modules if name.split(".")[0] == "lapwing_height"]:
        del sys.modules[name]


def test_the_dialog_offers_its_files(opening: LogOpening) -> None:
    assert opening.patterns == "*.opl *.tll *.drlog *.opl.gz"
    assert opening.titles == (("Compressed flight log", "*.opl.gz"),)


def test_its_files_are_read_by_it(opening: LogOpening, tmp_path: Path) -> None:
    path = tmp_path / "flight.opl.gz"
    path.write_bytes(gzip.compress(b"".join(attitudes(20))))
    assert opening.read(path).recording.names()[0] == "AttitudeState"


@pytest.mark.parametrize("name", ["AccelState", "AccelSensor", "Accels"])
def test_a_plugin_learns_an_object_s_other_names(name: str) -> None:
    assert object_names(name) == ("AccelState", "AccelSensor", "Accels")
    assert object_names("FlightStatus") == ("FlightStatus",)
