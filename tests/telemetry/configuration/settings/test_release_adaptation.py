"""Settings of one release put into the words of another."""

from telemetry.configuration.settings.difference import difference
from telemetry.configuration.settings.release_adaptation import adapted
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.configuration.settings.documents import document, one

BANK = "StabilizationSettingsBank1"


def test_options_in_another_letter_case_are_the_same(catalogue: Catalogue) -> None:
    old = document(catalogue, "OpenPilot-14.06").snapshot
    new = document(catalogue).snapshot
    path = "MotorsSpinWhileArmed"
    assert old.objects["ActuatorSettings", 0].values[path] == "FALSE"
    assert adapted(old, new).objects["ActuatorSettings", 0].values[path] == "False"
    told = {(c.name, c.path) for c in difference(new, old).changed}
    quiet = {(c.name, c.path) for c in difference(new, adapted(old, new)).changed}
    assert ("ActuatorSettings", path) in told - quiet


def test_elements_without_names_go_by_their_place(catalogue: Catalogue) -> None:
    raw = ObjectValues(BANK, 0, {f"RollRatePID.{i}": str(i) for i in range(4)})
    found = adapted(Snapshot("x", {(BANK, 0): raw}), one(catalogue, BANK).snapshot)
    values = found.objects[BANK, 0].values
    assert [values[f"RollRatePID.{name}"] for name in ("Kp", "Ki", "Kd", "ILimit")] == [0, 1, 2, 3]


def test_a_field_of_another_length_is_left_out_as_a_whole(catalogue: Catalogue) -> None:
    """Of eight numbers nobody knows which are the four gains; four of them used to be staged."""
    paths = {f"RollRatePID.{i}": str(i) for i in range(8)}
    wanted = Snapshot("x", {(BANK, 0): ObjectValues(BANK, 0, {**paths, "PitchMax": "41"})})
    bench = Bench(catalogue)
    skipped = bench.settings.stage_snapshot(wanted)
    (edit,) = bench.settings.staged()
    assert dict(edit.after) == {"PitchMax": 41}
    assert "RollRatePID has 4 elements here, and 8 there" in [entry.why for entry in skipped]


def test_what_the_other_release_does_not_know_stays(catalogue: Catalogue) -> None:
    raw = ObjectValues(BANK, 0, {"Foo": "1", "RollMax": "fast"})
    strange = ObjectValues("Strange", 0, {"A": "1"})
    wanted = Snapshot("x", {(BANK, 0): raw, ("Strange", 0): strange})
    found = adapted(wanted, one(catalogue, BANK).snapshot)
    assert found.objects == wanted.objects


def test_staging_a_set_of_another_release_adapts_it_and_tells_what_does_not_fit(
    catalogue: Catalogue,
) -> None:
    bench = Bench(catalogue)
    raw = ObjectValues(
        BANK, 0, {"EnablePiroComp": "FALSE", "Foo": "1", "RollMax": "999", "PitchMax": "41"}
    )
    wanted = Snapshot("old", {(BANK, 0): raw, ("Strange", 0): ObjectValues("Strange", 0, {})})
    skipped = bench.settings.stage_snapshot(wanted)
    (edit,) = bench.settings.staged()
    assert dict(edit.after) == {"EnablePiroComp": "False", "PitchMax": 41}
    told = "; ".join(f"{entry.name}: {entry.why}" for entry in skipped)
    assert "the board has no Foo" in told
    assert "RollMax takes" in told
    assert "Strange: not on this board" in told
