"""Files of a loop recording, told from separate films."""

from pathlib import Path

import pytest

from telemetry.review.flights.matching.facts import CAMERA, MODIFIED, VideoFacts
from telemetry.review.flights.matching.loop_recordings import group_loops


def film(name: str, duration_s: float, **starts_s: float) -> VideoFacts:
    return VideoFacts((Path("card") / name,), duration_s, starts_s)


def grouped(*films: VideoFacts) -> list[list[str]]:
    return [[path.name for path in one.files] for one in group_loops(films)]


@pytest.mark.parametrize("clock", [CAMERA, MODIFIED])
def test_files_that_go_on_are_one_medium(clock: str) -> None:
    spans = {10: (0.0, 300.0), 11: (300.4, 300.0), 12: (600.8, 100.0), 13: (5000.0, 80.0)}
    files = [film(f"DVR00{n}.avi", s, **{clock: start}) for n, (start, s) in spans.items()]
    assert grouped(*files) == [["DVR0010.avi", "DVR0011.avi", "DVR0012.avi"], ["DVR0013.avi"]]
    assert group_loops(files)[0].duration_s == 700.0


def test_without_clocks_whole_minutes_and_numbers_tell() -> None:
    assert grouped(film("a1.avi", 300.0), film("a2.avi", 300.1), film("a3.avi", 70.0)) == [
        ["a1.avi", "a2.avi", "a3.avi"]
    ]
    assert grouped(film("a1.avi", 281.0), film("a2.avi", 100.0)) == [["a1.avi"], ["a2.avi"]]


@pytest.mark.parametrize("second", ["DVR0012.avi", "MOV0011.avi"])
def test_a_gap_in_numbers_or_another_name_separates(second: str) -> None:
    first = film("DVR0010.avi", 300.0, camera=0.0)
    assert len(grouped(first, film(second, 200.0, camera=300.0))) == 2


def test_a_film_after_a_shorter_one_is_another() -> None:
    assert len(grouped(film("a1.avi", 60.0, camera=0.0), film("a2.avi", 300.0, camera=60.0))) == 2


def test_names_with_times_go_on_by_their_clock() -> None:
    files = (
        film("VID_20111120_155300.avi", 300.0, camera=0.0),
        film("VID_20111120_155800.avi", 200.0, camera=300.0),
    )
    assert len(grouped(*files)) == 1
