"""Configuration sets on disk: kept, found, renamed, deleted; broken ones never get in the way."""

from dataclasses import replace
from pathlib import Path

import pytest

from telemetry.base.folders import Folders
from telemetry.configuration.settings.difference import difference
from telemetry.configuration.settings.document import SettingsError
from telemetry.configuration.settings.identity import Identity
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.configuration.settings.documents import WHO, document, one

BANK = "StabilizationSettingsBank1"
OTHER = replace(WHO, serial="aa" * 11 + "bb")


@pytest.fixture
def sets(tmp_path: Path) -> ConfigurationSets:
    return ConfigurationSets(tmp_path / "sets")


def test_nothing_is_kept_at_first(sets: ConfigurationSets) -> None:
    assert sets.entries() == ()
    with pytest.raises(SettingsError, match="none is kept yet"):
        sets.find("survey")


def test_a_set_is_listed_with_what_is_to_be_known(
    sets: ConfigurationSets, catalogue: Catalogue
) -> None:
    kept = document(catalogue)
    sets.save("Survey 2", kept)
    (entry,) = sets.entries()
    assert (entry.name, entry.board, entry.problem) == ("Survey 2", WHO.serial, "")
    about = entry.about
    assert (about.identity, about.aircraft, about.purpose, about.note, about.date) == (
        WHO, kept.aircraft, kept.purpose, kept.note, kept.date,
    )  # fmt: skip
    airframe = kept.snapshot.objects["SystemSettings", 0].values["AirframeType"]
    assert (about.airframe, airframe) == ("QuadX", "QuadX")
    assert entry.objects == len(kept.snapshot.objects)
    found = difference(kept.snapshot, sets.load(sets.find("survey 2"), catalogue).snapshot)
    assert (found.changed, found.only_a, found.only_b, found.skipped) == ((), (), (), ())


def test_two_aircraft_may_have_sets_of_the_same_name(
    sets: ConfigurationSets, catalogue: Catalogue
) -> None:
    sets.save("wind", one(catalogue, BANK, RollMax=40))
    sets.save("wind", replace(one(catalogue, BANK, RollMax=41), identity=OTHER))
    with pytest.raises(SettingsError, match=f"set:{WHO.serial}/wind or set:{OTHER.serial}/wind"):
        sets.find("wind")
    found = sets.load(sets.find(f"{OTHER.serial}/wind"), catalogue)
    assert found.snapshot.objects[BANK, 0].values["RollMax"] == 41
    assert found.snapshot.title == "wind"
    assert [entry.board for entry in sets.entries(WHO.serial)] == [WHO.serial]


def test_a_board_without_a_serial_number_has_sets_too(
    sets: ConfigurationSets, catalogue: Catalogue
) -> None:
    entry = sets.save("x", replace(one(catalogue, BANK), identity=Identity(1, "ff" * 12)))
    assert entry.board == "without-serial"


def test_a_name_is_not_taken_twice_by_accident(
    sets: ConfigurationSets, catalogue: Catalogue
) -> None:
    sets.save("wind", one(catalogue, BANK, RollMax=40))
    with pytest.raises(SettingsError, match="choose another name"):
        sets.save("wind", one(catalogue, BANK, RollMax=41))
    sets.save("wind", one(catalogue, BANK, RollMax=41), is_replacing=True)
    loaded = sets.load(sets.find("wind"), catalogue)
    assert loaded.snapshot.objects[BANK, 0].values["RollMax"] == 41


def test_rename_annotate_and_delete(sets: ConfigurationSets, catalogue: Catalogue) -> None:
    entry = sets.save("wind", one(catalogue, BANK))
    taken = sets.save("calm", one(catalogue, BANK))
    with pytest.raises(SettingsError, match="choose another name"):
        sets.rename(entry, "calm")
    entry = sets.rename(entry, "strong wind")
    entry = sets.annotate(entry, catalogue, purpose="autumn", note="12 m/s")
    assert (entry.name, entry.about.purpose, entry.about.note, entry.objects) == (
        "strong wind", "autumn", "12 m/s", 1,
    )  # fmt: skip
    sets.delete(taken)
    sets.delete(taken)
    assert [entry.name for entry in sets.entries()] == ["strong wind"]


@pytest.mark.parametrize(
    "name", ["", "..", "../x", "a/b", "a\\b", ".x", "x" * 81, "con", "x ", "a\0"]
)
def test_names_that_would_be_trouble_are_refused(
    sets: ConfigurationSets, catalogue: Catalogue, name: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match="is no name for a set"):
        sets.save(name, one(catalogue, BANK))
    assert list(tmp_path.rglob("*.toml")) == []


def test_a_serial_number_cannot_lead_out_of_the_folder(
    sets: ConfigurationSets, catalogue: Catalogue, tmp_path: Path
) -> None:
    entry = sets.save("x", replace(one(catalogue, BANK), identity=Identity(1, "../../ab")))
    assert entry.path.parent.parent == tmp_path / "sets"


@pytest.mark.parametrize(
    "content", [b"", b"\xff\0", b"[lapwing", b'[lapwing]\nformat="settings"\nversion=99']
)
def test_a_broken_set_is_listed_with_the_reason_beside_the_others(
    sets: ConfigurationSets, catalogue: Catalogue, content: bytes
) -> None:
    entry = sets.save("broken", one(catalogue, BANK))
    sets.save("whole", one(catalogue, BANK))
    entry.path.write_bytes(content)
    broken, whole = sets.entries()
    assert broken.name == "broken"
    assert "broken.settings.toml" in broken.problem
    assert whole.problem == ""
    with pytest.raises(SettingsError):
        sets.load(broken, catalogue)
    sets.delete(broken)
    assert [entry.name for entry in sets.entries()] == ["whole"]


def test_a_folder_that_cannot_be_written_is_told(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "sets").write_text("in the way")
    with pytest.raises(SettingsError, match="cannot be written"):
        ConfigurationSets(tmp_path / "sets").save("x", one(catalogue, BANK))


def test_sets_lie_among_the_users_data(tmp_path: Path) -> None:
    folders = Folders.of_user({"LAPWING_HOME": str(tmp_path)})
    assert folders.configuration_sets == tmp_path / "data" / "sets"
