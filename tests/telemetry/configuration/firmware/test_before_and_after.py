"""What is kept and asked for before an upload, and what is staged after it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.board.restart import Restart
from telemetry.configuration.board.restart_purpose import Purpose
from telemetry.configuration.firmware.after import stage_kept
from telemetry.configuration.firmware.before import Consent, keep_settings
from telemetry.configuration.firmware.definitions import definitions_finding
from telemetry.configuration.firmware.update import KeptSettings
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.uavo_hashes import definitions_hash
from tests.simulated_board import SimulatedBench

NOW = datetime(2026, 5, 17, 9, 41, tzinfo=UTC)
NEXT = "c16640bc7d66645e6bef1e8d042b7c7b8f7af373"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.mark.slow
def test_what_an_update_loses_is_kept_and_staged_again(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench, sets = SimulatedBench(catalogue), ConfigurationSets(tmp_path)
    bench.pass_time(2.0)
    keep_settings(bench.settings, sets, NOW)
    (entry,) = sets.entries()
    again = keep_settings(bench.settings, sets, NOW)
    assert entry.name == "Revolution Lapwing simulator 2026-05-17 09.41"
    assert again.name == f"{entry.name} (2)"  # neither takes the other's place
    kept = sets.load(entry, catalogue).snapshot
    assert stage_kept(bench.vehicle, kept).staged == 0
    assert "objects" not in KeptSettings(kept, entry.name).sentence
    assert "2 objects that got no answer" in KeptSettings(kept, entry.name, 2).sentence
    restart = Restart(bench.vehicle, Purpose.ERASE, bench.clock)
    while not restart.is_finished:
        restart.poll()
        bench.pass_time(0.1)
    after = stage_kept(bench.vehicle, kept)
    assert after.staged == len(bench.settings.draft.staged_keys()) > 10
    assert bench.settings.value("FlightModeSettings", "Arming") == "Accessory 0"
    assert bench.settings.on_board("FlightModeSettings", "Arming") == "Always Disarmed"
    assert "not on board as they had been kept" in after.sentence


def test_what_has_another_name_in_the_new_firmware_is_told(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    bench, sets = SimulatedBench(catalogue), ConfigurationSets(tmp_path)
    keep_settings(bench.settings, sets, NOW)
    (entry,) = sets.entries()
    text = (
        entry.path.read_text().replace("RollMax", "RollMost").replace("[objects.Hw", "[objects.Xw")
    )
    entry.path.write_text(text)
    after = stage_kept(bench.vehicle, sets.load(entry, catalogue).snapshot)
    assert "RollMost" in after.sentence
    assert any(entry.name.startswith("Xw") for entry in after.unlike)


def test_nothing_is_erased_before_all_was_said() -> None:
    said = Consent()
    assert "propellers" in said.missing("Revolution 1", can_keep=True)
    said = Consent(has_propellers_off=True)
    assert "battery" in said.missing("Revolution 1", can_keep=True)
    said = Consent(has_propellers_off=True, has_battery_off=True)
    assert said.missing("Revolution 1", can_keep=True) == ""
    assert "Revolution 1" in said.missing("Revolution 1", can_keep=False)
    of_another = Consent(True, True, without_settings_of="CC3D 2")
    assert of_another.missing("Revolution 1", can_keep=False)
    assert not of_another.missing("CC3D 2", can_keep=False)


def test_objects_of_a_firmware_are_known_by_their_hash_only(tmp_path: Path) -> None:
    assert definitions_finding(NEXT, tmp_path).level is Level.OK
    (tmp_path / "mine.xml").write_text("<xml/>")
    own = definitions_hash(tmp_path)
    assert definitions_finding(own, tmp_path).level is Level.OK
    (tmp_path / "mine.xml").write_text("<xml></xml>")
    unknown = definitions_finding(own, tmp_path)
    assert unknown.level is Level.WARNING
    assert str(tmp_path) in unknown.remedy
    assert definitions_finding("0" * 40, tmp_path).level is Level.WARNING
    assert definitions_finding(own, tmp_path / "none").level is Level.WARNING
