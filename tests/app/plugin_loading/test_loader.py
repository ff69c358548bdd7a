"""Plugins are found, and the broken ones are reported and left out."""

from pathlib import Path

from app.diagnostics.doctor import examine
from app.plugin_loading.loader import find_plugins
from telemetry.base.folders import Folders

GOOD = """
from plugins.api import Panel, Plugin
PLUGIN = Plugin("extra_good", "Good", "Does good.", panels=(Panel("one", "One", "x:Y"),))
"""


def test_the_plugins_of_the_house_load() -> None:
    found = find_plugins()
    assert found.failures == ()
    assert {"flight_display", "map", "plots", "links"} <= {plugin.id for plugin in found.plugins}


def test_the_users_folder_is_searched(tmp_path: Path) -> None:
    (tmp_path / "lapwing_test_good").mkdir()
    (tmp_path / "lapwing_test_good" / "__init__.py").write_text(GOOD)
    found = find_plugins(tmp_path)
    assert "extra_good.one" in found.panels
    assert found.failures == ()


def test_a_failing_plugin_is_left_out_and_told(tmp_path: Path) -> None:
    (tmp_path / "lapwing_test_raises.py").write_text("PLUGIN = 1\nraise RuntimeError('no luck')")
    (tmp_path / "lapwing_test_syntax.py").write_text("PLUGIN = (")
    (tmp_path / "lapwing_test_empty.py").write_text("PLUGIN = None")
    (tmp_path / "lapwing_test_twice.py").write_text(GOOD.replace("extra_good", "map"))
    (tmp_path / "json.py").write_text(GOOD.replace("extra_good", "shadow"))
    found = find_plugins(tmp_path)
    reasons = {failure.name: failure.reason for failure in found.failures}
    assert reasons["lapwing_test_raises"] == "RuntimeError: no luck"
    assert "SyntaxError" in reasons["lapwing_test_syntax"]
    assert "no PLUGIN value" in reasons["lapwing_test_empty"]
    assert "already called 'map'" in reasons["lapwing_test_twice"]
    assert "rename the plugin's folder" in reasons["json"]
    assert len(found.plugins) == len(find_plugins().plugins)
    assert "Traceback" in found.failures[0].details


def test_a_helper_beside_a_plugin_is_no_failed_plugin(tmp_path: Path) -> None:
    (tmp_path / "lapwing_test_user.py").write_text(f"import lapwing_test_helper\n{GOOD}")
    (tmp_path / "lapwing_test_helper.py").write_text("ANSWER = 42")
    found = find_plugins(tmp_path)
    assert found.failures == ()
    assert found.origins["extra_good"] == str(tmp_path)


def test_doctor_lists_folders_plugins_and_failures(tmp_path: Path) -> None:
    folders = Folders.under(tmp_path)
    folders.plugins.mkdir(parents=True)
    (folders.plugins / "lapwing_test_listed.py").write_text(GOOD)
    (folders.plugins / "lapwing_test_broken.py").write_text("PLUGIN = 1 / 0")
    texts = [finding.text for finding in examine(folders) if finding.code == "Plugins"]
    assert any(text.startswith("Lapwing: ") and " map," in text for text in texts)
    assert f"{folders.plugins}: extra_good" in texts
    assert any("lapwing_test_broken was left out: ZeroDivisionError" in text for text in texts)


def test_a_folder_that_is_not_there_is_no_problem(tmp_path: Path) -> None:
    assert find_plugins(tmp_path / "none").failures == ()
