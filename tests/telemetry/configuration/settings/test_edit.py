import pytest

from telemetry.configuration.settings.edit import Edit, EditState, changes

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


def test_the_inverse_undoes_what_is_on_board() -> None:
    edit = Edit("A", {"V": 1}, {"V": 2}, instance=3)
    assert not edit.is_on_board
    saved = edit
    for state in (EditState.SENDING, EditState.APPLIED, EditState.SAVING, EditState.VERIFIED):
        saved = saved.stepped(state)
        assert saved.is_on_board == (state in (EditState.APPLIED, EditState.VERIFIED))
    assert saved.is_saved
    undo = saved.inverse()
    assert (undo.name, undo.before, undo.after, undo.instance) == ("A", {"V": 2}, {"V": 1}, 3)
    assert undo.state is EditState.EDITED
