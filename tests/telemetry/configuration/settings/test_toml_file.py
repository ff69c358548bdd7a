"""Our own format: what hands may write into it, and what is refused."""

import pytest

from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.toml_file import read_header, read_settings_file
from telemetry.protocol.objects.catalogue import Catalogue

HEAD = '[lapwing]\nformat = "settings"\nversion = 1\n'
BANK = "StabilizationSettingsBank1"


def read(text: str, catalogue: Catalogue) -> SettingsDocument:
    return read_settings_file(text.encode(), "test.settings.toml", catalogue)


def complaints(text: str, catalogue: Catalogue) -> str:
    return "; ".join(f"{s.name}: {s.why}" for s in read(text, catalogue).snapshot.skipped)


def test_a_file_written_by_hand(catalogue: Catalogue) -> None:
    document = read(
        HEAD
        + """
        [about]
        note = "by hand"
        date = 2026-05-01
        [objects.StabilizationSettingsBank1]
        RollMax = 40
        EnablePiroComp = false
        RollRatePID = { Kp = 0.004, Ki = 1 }
        [objects.SystemSettings]
        GUIConfigData = [0, 0x10, 0, 1]
        VehicleName = "Blue"
        [objects."StabilizationSettingsBank1[2]"]
        RollMax = 42
        """,
        catalogue,
    )
    bank = document.snapshot.objects[BANK, 0].values
    assert (bank["RollMax"], bank["EnablePiroComp"], bank["RollRatePID.Ki"]) == (40, "False", 1.0)
    assert document.snapshot.objects["SystemSettings", 0].values["GUIConfigData.1"] == 16
    assert document.snapshot.objects[BANK, 2].values["RollMax"] == 42
    assert document.snapshot.skipped == ()
    assert (document.note, document.date) == ("by hand", None)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("RollMax = 300", "RollMax takes 0 to 255, not 300"),
        ("RollMax = 1.5", "RollMax takes whole numbers, not 1.5"),
        ("RollMax = inf", "RollMax takes a whole number, not inf"),
        ("RollMax = true", "RollMax takes a single value, not True"),
        ("RollMax = [1, 2]", "RollMax has 1 elements, and the file 2"),
        ("RollMax = [[1]]", "RollMax takes a single value"),
        ("RollMax = 2026-05-01", "RollMax takes a single value"),
        ("RollRatePID = { Kx = 1 }", "RollRatePID has no element Kx"),
        ("RollRatePID.Kp = 1e39", "RollRatePID takes numbers up to 3.4e38"),
        ('EnablePiroComp = "perhaps"', "it takes False, True"),
    ],
)
def test_values_that_cannot_be_are_left_out_and_told(
    catalogue: Catalogue, body: str, why: str
) -> None:
    text = f"{HEAD}[objects.{BANK}]\n{body}\nPitchMax = 33\n"
    if "." in body.partition("=")[0]:
        text = f"{HEAD}[objects.{BANK}]\nPitchMax = 33\n{body}\n"
    assert why in complaints(text, catalogue)
    assert read(text, catalogue).snapshot.objects[BANK, 0].values["PitchMax"] == 33


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "lacks [lapwing]"),
        ("[tool.ruff]\nline-length = 100\n", "lacks [lapwing]"),
        ("lapwing = 1", "lacks [lapwing]"),
        (HEAD.replace("1", "2"), "written by a newer Lapwing"),
        (HEAD.replace("1", '"1"'), "which version"),
        (HEAD + "objects = 1", ""),
        (HEAD + "[objects.A]\nx = \n", "line 5"),
        (HEAD + "[objects.A]\n[objects.A]\n", "line 5"),
        (HEAD + "x = " + "[" * 100_000, "nested too deeply"),
        ("objects = 1\n" + HEAD, "`objects` must be a table"),
        (HEAD + '[objects."A[1000]"]', "no instance"),
        (HEAD + '[objects."A[x]"]', "no instance"),
    ],
)
def test_files_that_are_none_are_refused(catalogue: Catalogue, text: str, why: str) -> None:
    if not why:
        assert not read(text, catalogue).snapshot.objects
        return
    with pytest.raises(SettingsError, match=r"test\.settings\.toml") as refused:
        read(text, catalogue)
    assert why in str(refused.value)


def test_bytes_that_are_no_text_are_refused(catalogue: Catalogue) -> None:
    with pytest.raises(SettingsError, match="Nothing was taken"):
        read_settings_file(b"\xff\xfe\0", "x", catalogue)


def test_objects_that_are_no_tables_are_told(catalogue: Catalogue) -> None:
    assert "it is not a table" in complaints(HEAD + "[objects]\nA = 1", catalogue)


def test_the_header_alone_is_read_without_judging_the_rest() -> None:
    text = HEAD + '[about]\npurpose = "survey"\nboard = "zebra"\n[objects.A]\nb = 1'
    header, objects = read_header(text.encode(), "x")
    assert objects == 1
    assert (header.purpose, header.identity.board, header.snapshot.objects) == ("survey", 0, {})
