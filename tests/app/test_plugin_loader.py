"""Plugins are found, and the broken ones are reported and left out."""

from pathlib import Path

from app.plugin_loader import find_plugins

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
    (tmp_path / "lapwing_test_raises.py").write_text("raise RuntimeError('no luck')")
    (tmp_path / "lapwing_test_syntax.py").write_text("def (")
    (tmp_path / "lapwing_test_empty.py").write_text("")
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


def test_a_folder_that_is_not_there_is_no_problem(tmp_path: Path) -> None:
    assert find_plugins(tmp_path / "none").failures == ()
