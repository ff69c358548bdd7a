"""Camera clocks that are wrong by a constant, by cases made by hand."""

import pytest

from telemetry.review.flights.matching.clock_shift import ClockSpan, find_clock_shift

DAY_S = 86_400.0
NOON_S = 1_321_790_400.0
"""2011-11-20 12:00, the second day of seed 004's flights."""
FLIGHTS = [ClockSpan(NOON_S + start, NOON_S + start + 300) for start in (0, 1500, 2100, 5400)]


def films(shift_s: float, *numbers: int) -> list[ClockSpan]:
    """Films of these flights, each begun a little before, by a clock that is so far behind."""
    return [
        ClockSpan(FLIGHTS[n].start_s - 20 - 7 * n - shift_s, FLIGHTS[n].end_s - 15 - shift_s)
        for n in numbers
    ]


@pytest.mark.parametrize("shift_s", [0.0, 3600.0, -7200.0, 5 * 365 * DAY_S + 12_345.0])
def test_the_shift_that_gives_every_film_its_flight(shift_s: float) -> None:
    found = find_clock_shift(FLIGHTS, films(shift_s, 0, 2, 3))
    assert found is not None
    assert found.pairs == ((0, 0), (1, 2), (2, 3))
    assert found.shift_s == pytest.approx(shift_s, abs=60.0)
    assert found.is_usual == (abs(shift_s) < DAY_S)


def test_films_of_no_flight_stay_alone() -> None:
    stray = ClockSpan(NOON_S + 9000, NOON_S + 9300)
    found = find_clock_shift(FLIGHTS, [*films(3600.0, 0, 1, 3), stray])
    assert found is not None
    assert found.pairs == ((0, 0), (1, 1), (2, 3))


def test_one_film_years_away_proves_nothing() -> None:
    assert find_clock_shift(FLIGHTS, films(3 * 365 * DAY_S + 777.0, 1)) is None


def test_films_that_any_shift_would_place_in_one_log_prove_nothing() -> None:
    years = 3 * 365 * DAY_S
    shorts = [ClockSpan(NOON_S - years + at, NOON_S - years + at + 5) for at in (7.0, 20.0, 33.0)]
    assert find_clock_shift(FLIGHTS, shorts) is None


def test_a_clock_that_was_set_is_believed_before_a_strange_one() -> None:
    """Both films could be two of the flights by a shift of ten minutes, too."""
    found = find_clock_shift(FLIGHTS, films(0.0, 1))
    assert found is not None
    assert found.pairs == ((0, 1),)


def test_nothing_is_found_in_nothing() -> None:
    assert find_clock_shift([], films(0.0, 1)) is None
    assert find_clock_shift(FLIGHTS, []) is None
