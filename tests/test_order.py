"""The order of a run: nothing is lost, and what takes long begins first."""

from itertools import chain

import pytest

from tests.order import long_ones_first

FILES = [["a1", "a2"], ["b1", "B2", "b3"], ["c1"], ["D1"], ["e1", "e2", "e3"], ["F1", "f2"]]


@pytest.mark.parametrize("workers", [1, 2, 3, 4])
def test_every_test_is_run_once(workers: int) -> None:
    order = long_ones_first(FILES, str.isupper, workers)
    assert sorted(order) == sorted(chain.from_iterable(FILES))


def test_each_workers_part_begins_with_its_long_ones() -> None:
    order = long_ones_first(FILES, str.isupper, 3)
    assert [order[:4], order[4:8], order[8:]] == [
        ["B2", "b1", "b3", "a1"],
        ["D1", "a2", "c1", "e1"],
        ["F1", "f2", "e2", "e3"],
    ]


def test_more_long_ones_than_a_part_holds_are_kept() -> None:
    assert long_ones_first([["A", "B", "C"], ["d"]], str.isupper, 4) == ["A", "B", "C", "d"]
