import pytest

from telemetry.settings import Edit, EditState, EditTransaction, changes

STEPS = {
    (EditState.EDITED, EditState.SENDING),
    (EditState.SENDING, EditState.APPLIED),
    (EditState.SENDING, EditState.FAILED),
    (EditState.APPLIED, EditState.SAVING),
    (EditState.APPLIED, EditState.SENDING),
    (EditState.SAVING, EditState.VERIFIED),
    (EditState.SAVING, EditState.FAILED),
    (EditState.VERIFIED, EditState.SENDING),
    (EditState.VERIFIED, EditState.SAVING),
    (EditState.FAILED, EditState.SENDING),
    (EditState.FAILED, EditState.SAVING),
}


@pytest.mark.parametrize("before", EditState)
@pytest.mark.parametrize("after", EditState)
def test_only_the_steps_of_the_drawing_are_possible(before: EditState, after: EditState) -> None:
    edit = Edit("MixerSettings", {}, {}, state=before)
    if (before, after) in STEPS:
        assert edit.stepped(after).state is after
    else:
        with pytest.raises(ValueError, match=f"from {before.value} to {after.value}"):
            edit.stepped(after)


def test_a_failure_keeps_its_reason_until_sent_again() -> None:
    edit = Edit("MixerSettings", {}, {}).stepped(EditState.SENDING)
    failed = edit.stepped(EditState.FAILED, "refused")
    assert failed.reason == "refused"
    assert failed.stepped(EditState.SENDING).reason == ""


def test_changes_are_what_differs() -> None:
    before = {"A": 1, "B": 2.0, "C": "On"}
    edit = changes("X", before, {"A": 1, "B": 2.5, "C": "On"})
    assert edit is not None
    assert (edit.before, edit.after) == ({"B": 2.0}, {"B": 2.5})
    assert changes("X", before, dict(before)) is None


def test_the_inverse_undoes_what_reached_the_aircraft_last_first() -> None:
    first = Edit("A", {"V": 1}, {"V": 2}, state=EditState.VERIFIED)
    second = Edit("B", {"V": 3}, {"V": 4}, state=EditState.FAILED)
    third = Edit("C", {"V": 5}, {"V": 6}, state=EditState.APPLIED)
    transaction = EditTransaction((first, second, third))
    undo = transaction.inverse()
    assert [(edit.name, edit.before, edit.after) for edit in undo.edits] == [
        ("C", {"V": 6}, {"V": 5}),
        ("A", {"V": 2}, {"V": 1}),
    ]
    assert transaction.failures == (second,)
    assert not transaction.is_under_way


def test_a_transaction_is_stepped_edit_by_edit() -> None:
    edits = tuple(Edit(name, {}, {}) for name in "AB")
    sending = EditTransaction(edits).stepped(EditState.SENDING, lambda edit: True)
    assert sending.is_under_way
    done = sending.edits[0].stepped(EditState.APPLIED)
    updated = sending.updated(sending.edits[0], done)
    assert [edit.state for edit in updated.edits] == [EditState.APPLIED, EditState.SENDING]
