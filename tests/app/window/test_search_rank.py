"""What was typed finds the action that was meant, and no other before it."""

import pytest

from app.window.search_rank import rank

ENTRIES = [
    ("File", "Compare with another flight …"),
    ("File", "Save flight"),
    ("File", "Save flight as …"),
    ("View", "Undo the last change of layout"),
    ("View", "Add panel"),
    ("View", "Reset workspace"),
    ("Add panel", "Spectrum"),
    ("Add panel", "Plot"),
    ("Add panel", "Flight display"),
    ("Replay", "Set a marker"),
    ("", "Alarms"),
    ("", "Arm"),
]


def found(typed: str) -> list[str]:
    ranked = [(score, e[1]) for e in ENTRIES if (score := rank(typed, e[1], e[0])) is not None]
    return [title for _, title in sorted(ranked)]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("flight comp", "Compare with another flight …"),
        ("ano fli", "Compare with another flight …"),
        ("lay undo", "Undo the last change of layout"),
        ("FILE as sav", "Save flight as …"),
        ("panel spec", "Spectrum"),
        ("add plo", "Plot"),
        ("cwaf", "Compare with another flight …"),
        ("addpan", "Add panel"),
        ("ectr", "Spectrum"),
        ("mark", "Set a marker"),
        ("arm", "Arm"),
        ("save flight", "Save flight"),
        ("rst wrk", "Reset workspace"),
    ],
)
def test_parts_of_words_in_any_order_find_the_action(typed: str, first: str) -> None:
    assert found(typed)[0] == first


def test_beginnings_of_words_come_before_what_stands_inside_them() -> None:
    assert found("pan")[0] == "Add panel", "its group is called so, too"
    assert found("ar")[:3] == ["Arm", "Alarms", "Set a marker"]


def test_every_part_has_to_fit() -> None:
    assert found("flight zebra") == []
    assert found("") == sorted(title for _, title in ENTRIES)
    assert rank("(", "Save flight") is None, "no pattern is read into it"


def test_beginnings_of_words_are_no_letters_anywhere() -> None:
    inside, beginnings = rank("xport", "Export …"), rank("exfli", "Export this flight")
    anywhere = rank("epth", "Export this flight")
    assert inside is not None
    assert beginnings is not None
    assert anywhere is not None
    assert inside < beginnings < anywhere
