"""An edit, the part of it that is wanted, and what takes it back."""

from telemetry.configuration.settings.edit import Edit


def test_the_inverse_takes_it_back() -> None:
    edit = Edit("A", {"V": 1}, {"V": 2}, instance=3)
    undo = edit.inverse()
    assert (undo.address, undo.before, undo.after) == (("A", 3), {"V": 2}, {"V": 1})
    assert undo.inverse() == edit


def test_a_part_of_it_keeps_both_sides() -> None:
    part = Edit("A", {"V": 1, "W": 5}, {"V": 2, "W": 6, "X": 7}).only(["W", "X"])
    assert (part.before, part.after) == ({"W": 5}, {"W": 6, "X": 7})
