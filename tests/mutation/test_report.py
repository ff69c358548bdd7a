"""The verdict on a sample, and the list of changes that change nothing."""

from pathlib import Path

import pytest

from tests.mutation.places import Mutant, changes_at, places_in
from tests.mutation.report import REVIEWED, Verdict, is_enough, key_of, read_reviewed, text_of

ROOT = Path(__file__).resolve().parents[2]
MUTANT = Mutant("flying", "a.py", "f", "sign", 7, 7, 3, "x = 1", "1", "(-1)", 40, 41)


def verdicts(noticed: int, equivalent: int, survived: int) -> list[Verdict]:
    told = {"failed": [], "ran": 1, "of": 1, "chosen": 1, "cpu_s": 1.0}
    return [
        *[Verdict(MUTANT, {**told, "result": "killed"})] * noticed,
        *[Verdict(MUTANT, {**told, "result": "survived"}, "an area is not signed")] * equivalent,
        *[Verdict(MUTANT, {**told, "result": "survived"})] * survived,
    ]


@pytest.mark.parametrize(
    ("counts", "enough"),
    [
        ((95, 0, 5), True),
        ((94, 0, 6), False),
        ((95, 5, 0), True),
        ((94, 6, 0), False),
        ((91, 5, 4), True),
        ((90, 5, 5), False),
    ],
)
def test_95_of_100_are_noticed_beside_5_that_change_nothing(
    counts: tuple[int, int, int], enough: bool
) -> None:
    assert is_enough(verdicts(*counts)) is enough


def test_the_report_counts_by_area_and_shows_what_survived() -> None:
    lines = text_of("A sample", verdicts(19, 1, 1), 2).splitlines()
    assert lines[0] == "A sample"
    assert ["flying", "21", "19", "1", "1"] in [line.split() for line in lines]
    assert any("Noticed: 95.0% of 20" in line and "2 more did not start" in line for line in lines)
    assert "SURVIVED a.py:7 f (1 of 1 tests, 1 ran, 1.0 s)" in lines
    assert "  sign: 1 -> (-1)" in lines


def test_what_is_said_to_change_nothing_stands_in_the_tree_with_a_reason() -> None:
    reviewed = read_reviewed()
    assert REVIEWED.read_text(encoding="utf-8").count("[[equivalent]]") == len(reviewed)
    found = {
        key_of(mutant)
        for file in {key[0] for key in reviewed}
        for place in places_in(ROOT, file)
        for mutant in changes_at(ROOT, "", *place)
    }
    assert [key for key, reason in reviewed.items() if key not in found or len(reason) < 20] == []
