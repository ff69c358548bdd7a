"""The plugin's own tests; they need Lapwing and pytest, and none of Lapwing's tests."""

import gzip
from pathlib import Path

import pytest
from lapwing_height import PLUGIN

from plugins.api import Panel, resolve
from plugins.testing import catalogue, check_panel, short_flight
from plugins.types import ExportRequest, LogError, MissionFileError


@pytest.mark.parametrize("panel", PLUGIN.panels, ids=lambda panel: panel.id)
def test_the_panel_keeps_the_contract(panel: Panel) -> None:
    check_panel(panel)


def test_what_is_no_log_is_refused_with_a_sentence(tmp_path: Path) -> None:
    read = resolve(PLUGIN.log_formats[0].read)
    for content in (b"no gzip", gzip.compress(b"no log")):
        path = tmp_path / "flight.opl.gz"
        path.write_bytes(content)
        with pytest.raises(LogError):
            read(path, catalogue())


def test_heights_are_written_a_line_each(tmp_path: Path) -> None:
    write = resolve(PLUGIN.exports[0].write)
    (path,) = write(short_flight(), tmp_path, ExportRequest(start_s=3.0, end_s=4.0))
    assert path.read_text("utf-8") == "3.000 273.00\n4.000 274.00\n"


def test_what_is_no_waypoint_is_refused_with_its_line() -> None:
    read = resolve(PLUGIN.mission_formats[0].read)
    with pytest.raises(MissionFileError, match="line 2"):
        read(Path("a.waypoints.csv"), b"48.9,9.4,30\nnorth,east\n", None)
