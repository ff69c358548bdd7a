"""The draft: one undo over everything, whatever view it was changed in."""

from pathlib import Path

from telemetry.missions.draft import MissionDraft, mission_draft_of
from telemetry.missions.edits import deleted, offset
from telemetry.missions.mission import Mission
from telemetry.vehicle.vehicle import Fleet
from tests.telemetry.missions.made import square


def test_edits_are_taken_back_and_done_again() -> None:
    draft = MissionDraft()
    first, second = square(), deleted(square(), [3])
    draft.edit("Draw", first)
    draft.edit("Delete waypoint 4", second)
    assert draft.undo() == "Delete waypoint 4"
    assert draft.mission == first
    assert draft.redo() == "Delete waypoint 4"
    assert draft.mission == second
    draft.undo()
    draft.edit("Move", offset(first, 1.0, 0.0))
    assert draft.redo() == "", "what was taken back is no more once something else was done"


def test_a_gesture_is_one_step() -> None:
    draft = MissionDraft()
    draft.edit("Draw", square())
    for metres in (1.0, 2.0, 3.0):
        draft.edit("Move", offset(square(), metres, 0.0), "drag 1")
    draft.end_gesture()
    draft.edit("Move", offset(square(), 9.0, 0.0), "drag 1")
    draft.undo()
    assert draft.mission == offset(square(), 3.0, 0.0)
    draft.undo()
    assert draft.mission == square()


def test_opening_loses_nothing() -> None:
    draft = MissionDraft()
    draft.edit("Draw", square())
    draft.open("Open", Mission(name="other"), Path("other.mission"))
    assert not draft.is_unsaved
    draft.undo()
    assert (draft.mission, draft.path) == (square(), None)
    assert draft.is_unsaved


def test_what_a_file_holds_is_known_whatever_is_undone() -> None:
    draft = MissionDraft()
    assert not draft.is_unsaved, "an empty plan need not be kept"
    draft.edit("Draw", square())
    draft.take_saved(Path("a.mission"), draft.mission)
    assert not draft.is_unsaved
    draft.edit("Move", offset(square(), 1.0, 0.0))
    assert draft.is_unsaved
    draft.undo()
    assert not draft.is_unsaved


def test_the_choice_never_names_what_is_gone() -> None:
    draft = MissionDraft()
    draft.edit("Draw", square())
    draft.select([0, 3, 17])
    assert draft.selected == (0, 3)
    draft.edit("Delete", deleted(square(), [3]))
    assert (draft.selected, draft.current) == ((0,), 0)


def test_all_views_of_a_station_share_it() -> None:
    fleet = Fleet()
    assert mission_draft_of(fleet) is mission_draft_of(fleet)
    assert mission_draft_of(fleet) is not mission_draft_of(Fleet())
