"""The ids kept beside the shipped definitions are theirs, and are used for nothing else."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from telemetry.protocol.objects.catalogue import COMPACT_FILE, DEFAULT_FOLDER, load_catalogue
from telemetry.protocol.objects.definition_folder import DefinitionFolder
from telemetry.protocol.objects.id_index import INDEX_NAME, stored_ids
from telemetry.protocol.objects.make_index import computed_ids

ATTITUDE_STATE = 0x7421C7BA
FOUND_BY_ID = """
from telemetry.protocol.objects.catalogue import load_catalogue
catalogue = load_catalogue()
assert catalogue.get(0x7421C7BA).name == "AttitudeState"
assert catalogue.get(0x40BFFEFC, "OpenPilot-15.02").name == "SystemStats"
assert catalogue.get(0x12345678) is None
assert catalogue.best_release([0x40BFFEFC]) == "LibrePilot-15.09"
print(len(catalogue._default._files), len(catalogue._compact._objects))
"""


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A copy of the shipped definitions and of their index; the folder of the default release."""
    shutil.copytree(DEFAULT_FOLDER.parent, tmp_path / "objects")
    return tmp_path / "objects" / DEFAULT_FOLDER.name


@pytest.mark.slow
def test_the_ids_kept_are_those_that_the_definitions_have() -> None:
    """`make index` writes them anew."""
    for name, ids in computed_ids().items():
        assert stored_ids(DEFAULT_FOLDER.parent / name) == tuple(ids), name
    assert len(computed_ids()[COMPACT_FILE.name]) > 900


@pytest.mark.slow
def test_a_look_up_builds_what_it_finds_and_nothing_else() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FOUND_BY_ID], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1", "1"]


def test_a_changed_definition_is_found_by_its_new_id(shipped: Path) -> None:
    """The control: the kept ids are wrong then, and nobody believes them."""
    assert stored_ids(shipped) is not None
    file = shipped / "attitudestate.xml"
    file.write_text(file.read_text(encoding="utf-8").replace('name="Roll"', 'name="Bank"'))
    assert stored_ids(shipped) is None
    folder = DefinitionFolder(shipped, "changed", by_file_name=True)
    changed = folder.named("AttitudeState")
    assert changed is not None
    assert folder.with_id(ATTITUDE_STATE) is None
    assert folder.with_id(changed.object_id) is changed


def test_an_added_definition_is_found(shipped: Path) -> None:
    text = (shipped / "attitudestate.xml").read_text(encoding="utf-8")
    (shipped / "kite.xml").write_text(text.replace('"AttitudeState"', '"Kite"'), encoding="utf-8")
    folder = DefinitionFolder(shipped, "changed", by_file_name=True)
    kite = folder.named("Kite")
    assert kite is not None
    assert folder.with_id(kite.object_id) is kite
    assert folder.with_id(ATTITUDE_STATE) is not None


@pytest.mark.parametrize("content", ["", "[]", '{"librepilot-next": 7}', "{}"])
def test_a_damaged_index_costs_time_only(shipped: Path, content: str) -> None:
    (shipped.parent / INDEX_NAME).write_text(content, encoding="utf-8")
    assert stored_ids(shipped) is None
    folder = DefinitionFolder(shipped, "same", by_file_name=True)
    assert folder.with_id(ATTITUDE_STATE) == load_catalogue().get(ATTITUDE_STATE)


def test_line_ends_of_another_system_change_nothing(shipped: Path) -> None:
    for file in shipped.glob("*.xml"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert stored_ids(shipped) is not None
