"""What is staged outlives connections and the station, board by board."""

from pathlib import Path

import pytest

from telemetry.configuration.settings.draft_shelf import DraftShelf, MemoryShelf
from telemetry.objects.catalogue import Catalogue
from tests.telemetry.configuration.settings.bench import Bench

BANK, GAIN = "StabilizationSettingsBank1", "RollRatePID.Kp"
STAGED = {(BANK, 0): {GAIN: 0.004}, ("SystemSettings", 0): {"VehicleName": "Käuzchen"}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "drafts"


def test_what_is_staged_is_there_at_the_next_start(catalogue: Catalogue, folder: Path) -> None:
    shelf = DraftShelf(folder)
    shelf.put("50ab", STAGED)
    shelf.flush()
    assert DraftShelf(folder).get("50ab") == STAGED
    assert DraftShelf(folder).get("77cd") == {}


def test_nothing_is_left_behind_once_all_is_sent(folder: Path) -> None:
    shelf = DraftShelf(folder)
    shelf.put("50ab", STAGED)
    shelf.flush()
    shelf.put("50ab", {})
    shelf.flush()
    assert list(folder.iterdir()) == []
    assert not shelf.has_news


def test_a_folder_that_cannot_be_written_is_said_and_tried_again(folder: Path) -> None:
    folder.write_text("a file where the folder should be", encoding="utf-8")
    shelf = DraftShelf(folder)
    shelf.put("50ab", STAGED)
    shelf.flush()
    assert "cannot be written" in shelf.problem
    folder.unlink()
    shelf.flush()
    assert shelf.problem == ""
    assert DraftShelf(folder).get("50ab") == STAGED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"staged": 3}',
        '{"staged": [{"object": 1}]}',
        '{"staged": [null]}',
        '{"staged": [{"object": "A", "instance": 0, "values": [1]}]}',
        '{"staged": [{"object": "A", "instance": 0, "values": {"B": [1]}}]}',
    ],
)
def test_a_damaged_file_counts_as_none(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "50ab.json").write_text(text, encoding="utf-8")
    assert DraftShelf(folder).get("50ab") == {}


def test_a_new_connection_to_the_same_board_has_the_draft(catalogue: Catalogue) -> None:
    shelf = MemoryShelf()
    first = Bench(catalogue, shelf=shelf)
    first.settings.stage(BANK, GAIN, 0.004)
    first.pass_time(0.1)
    second = Bench(catalogue, shelf=shelf)
    assert second.settings.value(BANK, GAIN) == pytest.approx(0.004)
    assert second.settings.notice.startswith("1 change staged again")
    assert second.on_board(BANK, GAIN) != pytest.approx(0.004)
    second.settings.apply()
    second.finish()
    assert Bench(catalogue, shelf=shelf).settings.staged() == ()


def test_what_does_not_fit_any_more_is_left_out(catalogue: Catalogue) -> None:
    shelf = MemoryShelf()
    first = Bench(catalogue, shelf=shelf)
    first.settings.stage(BANK, GAIN, 0.004)
    first.pass_time(0.1)
    (board,) = shelf.boards
    shelf.put(board, {(BANK, 0): {GAIN: 0.004, "NoSuchField": 1, "RollMax": 1e9}})
    second = Bench(catalogue, shelf=shelf)
    assert [dict(edit.after) for edit in second.settings.staged()] == [{GAIN: pytest.approx(0.004)}]
