"""Finding definitions: by id, by name, by release, and from the user's own folders."""

import lzma
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from telemetry.base.installation import ROOT
from telemetry.protocol.objects import definition_folder
from telemetry.protocol.objects.catalogue import (
    DEFAULT_RELEASE,
    Catalogue,
    DefinitionSet,
    UnknownObjectError,
    load_catalogue,
)
from telemetry.protocol.objects.compact import CompactDefinitions
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.definition_xml import parse_definition

SHIPPED = ROOT / "resources" / "objects" / "librepilot-next"
COMPACT = CompactDefinitions(ROOT / "resources" / "objects" / "catalogue.json.xz")

OWN = """<xml>
  <object name="KiteLine" singleinstance="true" settings="false" category="Kite">
    <description>Tension of the line.</description>
    <access gcs="readwrite" flight="readwrite"/>
    <telemetrygcs acked="false" updatemode="manual" period="0"/>
    <telemetryflight acked="false" updatemode="periodic" period="500"/>
    <logging updatemode="manual" period="0"/>
    <field name="Tension" units="N" type="float" elements="1"/>
  </object>
</xml>
"""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def test_a_name_means_the_default_release_first(catalogue: Catalogue) -> None:
    found = catalogue.find("attitudestate")
    assert (found.name, found.object_id) == ("AttitudeState", 0x7421C7BA)
    assert found.description
    assert catalogue.find("7421C7BA") == found
    assert catalogue.find("0x7421c7ba") == found


def test_a_name_of_other_releases_means_the_newest(catalogue: Catalogue) -> None:
    newest = catalogue.find("AttitudeActual")
    assert newest.object_id == catalogue.find("AttitudeActual", "dRonin-next-2021-06").object_id


def test_a_release_chooses_the_version(catalogue: Catalogue) -> None:
    found = catalogue.find("SystemStats", "OpenPilot-15.02")
    assert found.object_id == 0x40BFFEFC
    assert catalogue.find("40BFFEFC", "OpenPilot-15.02") == found


def test_unknown_things_are_refused_with_a_sentence(catalogue: Catalogue) -> None:
    for name, release in (
        ("Nonsense", None),
        ("SystemStats", "Nonsense"),
        ("Nonsense", DEFAULT_RELEASE),
    ):
        with pytest.raises(UnknownObjectError, match="Nonsense"):
            catalogue.find(name, release)
    with pytest.raises(UnknownObjectError, match=r"is it AttitudeState"):
        catalogue.find("AtitudeState")
    with pytest.raises(UnknownObjectError, match=r"TauLabs-next-2017-01"):
        catalogue.release("TauLabs-next")
    assert catalogue.get(0x12345678) is None


def test_named_picks_the_version_an_aircraft_has(catalogue: Catalogue) -> None:
    ids = [definition.object_id for definition in catalogue.release("TauLabs-20150922")]
    found = catalogue.named("SystemSettings", ids)
    assert found is not None
    assert found.object_id in ids
    assert catalogue.named("SystemSettings", []) is None


def test_best_release_takes_most_ids_then_fewest_others(catalogue: Catalogue) -> None:
    for name in ("OpenPilot-14.06-RC3", DEFAULT_RELEASE, "TauLabs-20131212"):
        ids = [definition.object_id for definition in catalogue.release(name)]
        assert catalogue.best_release(ids) == name
        assert catalogue.best_release([i + 1 for i in ids]) == name  # metaobjects count too
        assert catalogue.best_release(ids[: len(ids) // 2 * 2 - 10]) is not None
    assert catalogue.best_release([]) is None
    assert catalogue.best_release([0x12345678]) is None


def test_a_fragment_of_a_log_is_read_as_the_newest_or_as_its_firmware_says(
    catalogue: Catalogue,
) -> None:
    """These four are in every release from OpenPilot 14.01 on."""
    names = ("BaroSensor", "AccelSensor", "AccelState", "AirspeedState")
    ids = [catalogue.find(name).object_id for name in names]
    assert all("OpenPilot-14.01" in catalogue.releases_with(i) for i in ids)
    assert catalogue.best_release(ids) == DEFAULT_RELEASE
    assert catalogue.best_release(ids, "RELEASE-14.10") == "OpenPilot-14.10"


def test_the_definition_files_say_what_the_compact_catalogue_says(catalogue: Catalogue) -> None:
    """Two resources hold the default release; they must not drift apart."""
    from_files = catalogue.release(DEFAULT_RELEASE)
    assert len(from_files) == 122
    released = COMPACT.release(DEFAULT_RELEASE)
    compact = {d.object_id: d for d in released}
    for definition in from_files:
        other = compact[definition.object_id]
        assert definition.dtype == other.dtype
        plain = tuple(replace(f, description="") for f in definition.fields)
        assert replace(definition, fields=plain, sorted_by_size=True) == replace(
            other, sorted_by_size=True
        )


def test_every_object_is_described_in_one_sentence(catalogue: Catalogue) -> None:
    for name in catalogue.release_names:
        for definition in catalogue.release(name):
            assert definition.description.endswith("."), definition.name
            assert definition.description[0].isupper(), definition.name


@pytest.mark.slow
def test_every_default_fits_its_row(catalogue: Catalogue) -> None:
    catalogue.get(0)
    for name in catalogue.release_names:
        for definition in catalogue.release(name):
            assert definition.default_row().nbytes == definition.size
    radio = catalogue.get(0x449737BC)  # a 32-character text stands as default of numbers
    assert radio is not None
    assert not radio.default_row()["AESKey"].any()


def test_defaults_reach_the_row(catalogue: Catalogue) -> None:
    definition = catalogue.find("StabilizationSettingsBank1")
    row = definition.default_row()
    assert row["RollMax"] == pytest.approx(55)
    assert row["RollRatePID"][0] == pytest.approx(0.003)


@pytest.mark.slow
def test_a_folder_of_own_definitions_is_a_release(tmp_path: Path) -> None:
    folder = tmp_path / "kite-firmware"
    folder.mkdir()
    (folder / "kiteline.xml").write_text(OWN, encoding="utf-8")
    catalogue = load_catalogue([folder])
    found = catalogue.find("KiteLine")
    assert catalogue.get(found.object_id) is found
    assert catalogue.release("kite-firmware") == (found,)
    assert catalogue.release_names[0] == "kite-firmware"
    assert catalogue.best_release([found.object_id]) == "kite-firmware"
    assert catalogue.warnings == ()


def test_one_broken_file_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(OWN.replace("</object>", "</objekt>"), encoding="utf-8")
    (tmp_path / "b.xml").write_text(OWN, encoding="utf-8")
    (tmp_path / "c.xml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "d.xml").mkdir()
    catalogue = load_catalogue([tmp_path])
    assert catalogue.find("KiteLine").name == "KiteLine"
    broken = {Path(error.file).name: error for error in catalogue.warnings}
    assert set(broken) == {"a.xml", "c.xml", "d.xml"}
    assert broken["a.xml"].line == 9
    assert catalogue.find("AttitudeState").name == "AttitudeState"


@pytest.mark.parametrize("default", ["1e999", "1e300", "9" * 5000])
def test_one_bad_default_leaves_every_look_up_working(tmp_path: Path, default: str) -> None:
    bad = OWN.replace('name="KiteLine"', 'name="BadLine"')
    bad = bad.replace('type="float"', f'type="float" defaultvalue="{default}"', 1)
    (tmp_path / "bad.xml").write_text(bad, encoding="utf-8")
    (tmp_path / "good.xml").write_text(OWN, encoding="utf-8")
    catalogue = load_catalogue([tmp_path])
    assert catalogue.find("AttitudeState").size == 32
    assert catalogue.find("KiteLine").default_row() is not None
    (warning,) = catalogue.warnings
    assert re.search(r"bad\.xml, line \d+: the default .* is more than any field", str(warning))


def test_threads_that_ask_at_once_all_get_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    unread = definition_folder.DefinitionFolder(SHIPPED, DEFAULT_RELEASE, by_file_name=True)
    catalogue = Catalogue([], unread, COMPACT)
    asked_meanwhile: list[ObjectDefinition] = []
    parse = definition_folder.parse_definitions

    def slowly(text: str, *rest: Any) -> tuple[ObjectDefinition, ...]:
        monkeypatch.setattr(definition_folder, "parse_definitions", parse)
        other = Thread(target=lambda: asked_meanwhile.append(catalogue.find("AttitudeState")))
        other.start()
        other.join()
        return parse(text, *rest)

    monkeypatch.setattr(definition_folder, "parse_definitions", slowly)
    assert catalogue.find("AttitudeState").name == "AttitudeState"
    assert [definition.name for definition in asked_meanwhile] == ["AttitudeState"]


def test_an_absent_folder_is_empty(tmp_path: Path) -> None:
    catalogue = load_catalogue([tmp_path / "absent"])
    assert catalogue.warnings == ()
    assert catalogue.release("absent") == ()


@pytest.mark.slow
def test_opening_the_catalogue_reads_nothing() -> None:
    """Start-up time: lzma, json and the parser stay out until something is looked up."""
    code = (
        "import sys; from telemetry.protocol.objects.catalogue import load_catalogue;"
        "c = load_catalogue(); c.find('AttitudeState');"
        "print(len(c._default._files), len(c._compact._objects))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "0"]


def test_definitions_that_come_during_a_search_are_found_by_the_next() -> None:
    """A link's thread looks up names while the window takes definitions."""
    catalogue = load_catalogue()
    before, after = (parse_definition(OWN.replace(">Ten", f">{word}Ten"), "") for word in "AB")

    class Interrupting(DefinitionSet):
        def all(self) -> tuple[ObjectDefinition, ...]:
            catalogue.take([DefinitionSet("mine", [after])])
            return super().all()

    catalogue.take([Interrupting("mine", [before])])
    assert catalogue.find("KiteLine", "mine") == before != after
    assert catalogue.find("KiteLine", "mine") == after


def test_definitions_of_another_format_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.json.xz"
    path.write_bytes(lzma.compress(b'{"format": 0}'))
    with pytest.raises(ValueError, match=r"old\.json\.xz has format 0, not "):
        CompactDefinitions(path).release(DEFAULT_RELEASE)
