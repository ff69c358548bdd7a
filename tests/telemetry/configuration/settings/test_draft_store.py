"""What is staged outlives connections and the station, board by board."""

from pathlib import Path

import pytest

from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from telemetry.protocol.objects.catalogue import Catalogue
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.missions.plan_bench import put_values
from tests.telemetry.protocol.session.fakes import small_board

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"
STAGED = {(BANK, 0): {GAIN: 0.004}, ("SystemSettings", 0): {"VehicleName": "Käuzchen"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "drafts"


def test_what_is_staged_is_there_at_the_next_start(catalogue: Catalogue, folder: Path) -> None:
    store = DraftStore(folder)
    store.put("50ab", STAGED)
    store.flush()
    assert DraftStore(folder).get("50ab") == STAGED
    assert DraftStore(folder).get("77cd") == {}


def test_nothing_is_left_behind_once_all_is_sent(folder: Path) -> None:
    store = DraftStore(folder)
    store.put("50ab", STAGED)
    store.flush()
    store.put("50ab", {})
    store.flush()
    assert list(folder.iterdir()) == []
    assert not store.is_unwritten


def test_a_folder_that_cannot_be_written_is_said_and_tried_again(folder: Path) -> None:
    folder.write_text("a file where the folder should be", encoding="utf-8")
    store = DraftStore(folder)
    store.put("50ab", STAGED)
    store.flush()
    assert "cannot be written" in store.problem
    folder.unlink()
    store.flush()
    assert store.problem == ""
    assert DraftStore(folder).get("50ab") == STAGED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"version": 1, "staged": 3}',
        '{"version": 1, "staged": [{"object": 1}]}',
        '{"version": 1, "staged": [null]}',
        '{"version": 1, "staged": [{"object": "A", "instance": 0, "values": [1]}]}',
        '{"version": 1, "staged": [{"object": "A", "instance": 0, "values": {"B": [1]}}]}',
        '{"version": 1, "staged": [{"object": "A", "instance": 0, "values": {"B": NaN}}]}',
        '{"version": 1, "staged": [{"object": "A", "instance": 0, "values": {"B": 1e999}}]}',
    ],
)
def test_a_damaged_file_counts_as_none(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "50ab.json").write_text(text, encoding="utf-8")
    store = DraftStore(folder)
    assert store.get("50ab") == {}
    assert "50ab.json could not be read" in store.problem
    assert (folder / "50ab.json.unreadable-1").read_text(encoding="utf-8") == text


def test_a_new_connection_to_the_same_board_has_the_draft(catalogue: Catalogue) -> None:
    store = DraftStore()
    first = Bench(catalogue, store=store)
    first.settings.stage(BANK, GAIN, 0.004)
    first.pass_time(0.1)
    second = Bench(catalogue, store=store)
    assert second.settings.value(BANK, GAIN) == pytest.approx(0.004)
    assert second.settings.notice.startswith("1 change staged again")
    assert second.on_board(BANK, GAIN) != pytest.approx(0.004)
    second.settings.apply()
    second.finish()
    assert Bench(catalogue, store=store).settings.staged() == ()


def test_another_aircrafts_mixer_still_asks_at_the_next_start(
    catalogue: Catalogue, folder: Path
) -> None:
    store = DraftStore(folder)
    first = Bench(catalogue, store=store)
    mixer = ObjectValues("MixerSettings", 0, {"Mixer1Type": "Servo"})
    first.settings.stage_snapshot(Snapshot("theirs", {(mixer.name, 0): mixer}), is_foreign=True)
    first.pass_time(0.1)
    store.flush()
    second = Bench(catalogue, store=DraftStore(folder))
    assert second.settings.is_staged(mixer.name, "Mixer1Type")
    assert [doubt.name for doubt in second.settings.doubts()] == [mixer.name]
    second.settings.apply()
    second.finish()
    assert second.on_board(mixer.name, "Mixer1Type") == "Disabled"


def test_what_does_not_fit_any_more_is_left_out(catalogue: Catalogue) -> None:
    store = DraftStore()
    first = Bench(catalogue, store=store)
    first.settings.stage(BANK, GAIN, 0.004)
    first.pass_time(0.1)
    store.put(
        first.settings.aircraft.board_key,
        {(BANK, 0): {GAIN: 0.004, "NoSuchField": 1, "RollMax": 1e9}},
    )
    second = Bench(catalogue, store=store)
    assert [dict(edit.after) for edit in second.settings.staged()] == [{GAIN: pytest.approx(0.004)}]


def at(catalogue: Catalogue, source: str, store: DraftStore) -> Bench:
    """An aircraft at an address, of the serial number that all of these tell."""
    board = small_board(catalogue)
    put_values(board, "FirmwareIAPObj", CPUSerial=list(range(12)))
    return Bench(catalogue, board, store=store, source=source)


def test_what_is_staged_for_a_simulated_aircraft_is_of_its_whole_address(
    catalogue: Catalogue,
) -> None:
    """Those of "sim:ar100b?erased" came back on "sim:ar100b": they tell the same serial number."""
    store = DraftStore()
    erased = at(catalogue, "sim:ar100b?erased", store)
    erased.settings.stage(BANK, GAIN, 0.004)
    erased.pass_time(0.1)
    for other in ("sim:ar100b", "sim:ar100b@office", "sim:ar100b#erased", "tcp:127.0.0.1:9000"):
        bench = at(catalogue, other, store)
        assert bench.settings.aircraft.serial == erased.settings.aircraft.serial
        assert bench.settings.staged() == (), other
        assert bench.settings.notice == ""
    again = at(catalogue, "sim:ar100b?erased", store)
    assert again.settings.value(BANK, GAIN) == pytest.approx(0.004)


def test_what_is_staged_for_a_board_is_there_over_any_link(catalogue: Catalogue) -> None:
    store = DraftStore()
    first = at(catalogue, "serial:/dev/ttyUSB0@57600", store)
    first.settings.stage(BANK, GAIN, 0.004)
    first.pass_time(0.1)
    second = at(catalogue, "tcp:10.0.0.7:9000", store)
    assert second.settings.value(BANK, GAIN) == pytest.approx(0.004)


def test_what_version_0_1_0_kept_for_a_kind_of_simulated_aircraft_is_that_of_the_plain_one(
    catalogue: Catalogue, folder: Path
) -> None:
    serial = at(catalogue, "sim:ar100b", DraftStore()).settings.aircraft.serial
    earlier = DraftStore(folder)
    earlier.put(serial, {(BANK, 0): {GAIN: 0.004}})
    earlier.flush()
    store = DraftStore(folder)
    assert at(catalogue, "sim:ar100b?erased", store).settings.staged() == ()
    assert at(catalogue, "sim:ar100b@office", store).settings.staged() == ()
    plain = at(catalogue, "sim:ar100b", store)
    assert plain.settings.value(BANK, GAIN) == pytest.approx(0.004)
    plain.settings.unstage(BANK)
    plain.pass_time(0.1)
    store.flush()
    assert list(folder.iterdir()) == [], "it does not come back"
