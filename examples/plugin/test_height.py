"""The plugin's own tests; they need Lapwing and pytest, and none of Lapwing's tests."""

import gzip
from pathlib import Path

import pytest
from lapwing_height import PLUGIN

from plugins.api import Panel, resolve
from plugins.testing import catalogue, check_panel
from telemetry.recording.logs.reader import LogError


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
