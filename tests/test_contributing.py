"""What CONTRIBUTING.md says is done word by word, in a copy of the tree as somebody clones it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_house_rules import ROOT

COPIED = ("app", "plugins", "widgets", "telemetry", "simulation", "resources", "tests")
PLUGIN = '''"""A view of the test."""

from plugins.api import Panel, Plugin

PLUGIN = Plugin("clock", "Clock", "Shows the time of the flight.",
                panels=(Panel("time", "Time", "plugins.clock.panel:ClockPanel"),))
'''
PANEL = '''"""The time at the cursor."""

from PySide6.QtWidgets import QLabel

from plugins.api import Json, PanelContext
from widgets.theme import Theme


class ClockPanel(QLabel):
    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        context.on_close(self.clear)

    def refresh(self, t: float) -> None:
        self.setText(f"{t:.1f} s")

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(f"color: {theme.color('text').name()}")

    def save_state(self) -> Json:
        return {}
'''
OBJECT = """<xml>
  <object name="ContributedState" singleinstance="true" settings="false" category="State">
    <description>An object of the test</description>
    <field name="Value" units="m" type="float" elements="1"/>
    <access gcs="readwrite" flight="readwrite"/>
    <telemetrygcs acked="false" updatemode="manual" period="0"/>
    <telemetryflight acked="false" updatemode="periodic" period="1000"/>
    <logging updatemode="manual" period="0"/>
  </object>
</xml>
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clone")
    for name in COPIED:
        ignored = shutil.ignore_patterns("__pycache__", "screenshots")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("main.py", "lapwing.py", "lapwing_packages.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def run(clone: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    environ = {**os.environ, "LAPWING_HOME": str(clone / "home")}
    for name in [name for name in environ if name.startswith(("PYTEST_", "COV_"))]:
        del environ[name]
    return subprocess.run(
        [sys.executable, *command],
        cwd=clone, env=environ, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip


def test_a_view_is_found_and_held_to_the_contract(clone: Path) -> None:
    folder = clone / "plugins" / "clock"
    folder.mkdir()
    (folder / "__init__.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "panel.py").write_text(PANEL, encoding="utf-8")
    done = run(clone, "-m", "pytest", "-q", "tests/contracts", "-k", "clock")
    assert "7 passed" in done.stdout, done.stdout + done.stderr


def test_an_object_is_known_by_its_file(clone: Path) -> None:
    doctor = run(clone, "main.py", "doctor").stdout
    config = next(line.split()[-1] for line in doctor.splitlines() if "Folder config" in line)
    definitions = Path(config, "definitions")
    definitions.mkdir(parents=True)
    (definitions / "contributedstate.xml").write_text(OBJECT, encoding="utf-8")
    done = run(clone, "main.py", "objects", "show", "ContributedState")
    assert done.returncode == 0, done.stderr
    assert "Value" in done.stdout
