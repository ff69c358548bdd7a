import pytest

from telemetry.recording.timeline import Timeline, format_time, parse_time


class ClockedTimeline(Timeline):
    """Remembers what time it is."""

    now_s = 0.0

    def advance(self, now: float, first_s: float, last_s: float) -> None:
        self.now_s = now
        super().advance(now, first_s, last_s)


def replay(t: float = 0.0) -> ClockedTimeline:
    """A paused replay of a flight from second 0 to 100."""
    timeline = ClockedTimeline(can_live=False)
    timeline.advance(0.0, 0.0, 100.0)
    timeline.seek(t)
    return timeline


def after(timeline: ClockedTimeline, seconds: float, last_s: float = 100.0) -> float:
    """Let time pass in one tick."""
    timeline.advance(timeline.now_s + seconds, 0.0, last_s)
    return timeline.t


def test_live_sticks_to_the_end() -> None:
    timeline = ClockedTimeline()
    timeline.advance(50.0, 0.0, 3.0)
    assert (timeline.mode, timeline.t) == ("live", 3.0)
    timeline.advance(51.0, 0.0, 4.2)
    assert timeline.t == 4.2


def test_a_live_flight_can_be_paused_and_scrubbed_back_while_it_goes_on() -> None:
    timeline = ClockedTimeline()
    timeline.advance(0.0, 0.0, 10.0)
    timeline.pause()
    assert after(timeline, 5.0, last_s=15.0) == 10.0
    timeline.seek(2.0)
    timeline.play()
    assert after(timeline, 1.0, last_s=16.0) == 3.0
    timeline.go_live()
    assert after(timeline, 1.0, last_s=17.0) == 17.0


def test_playing_catches_up_with_a_live_flight_and_sticks() -> None:
    timeline = ClockedTimeline()
    timeline.advance(0.0, 0.0, 10.0)
    timeline.seek(8.0)
    timeline.set_rate(4.0)
    timeline.play()
    after(timeline, 1.0, last_s=11.0)
    assert (timeline.mode, timeline.t) == ("live", 11.0)


@pytest.mark.parametrize("rate", [0.1, 1.0, 50.0, -0.5, -2.0])
def test_playing_moves_at_the_signed_rate(rate: float) -> None:
    timeline = replay(50.0)
    timeline.set_rate(rate)
    timeline.play()
    assert after(timeline, 0.5) == pytest.approx(50.0 + 0.5 * rate)


def test_playing_stops_at_the_ends_and_starts_again_from_the_other() -> None:
    timeline = replay(99.0)
    timeline.play()
    assert after(timeline, 5.0) == 100.0
    assert timeline.mode == "paused"
    timeline.play()
    assert after(timeline, 1.0) == 1.0
    timeline.reverse()
    assert after(timeline, 5.0) == 0.0
    assert timeline.mode == "paused"
    timeline.play()
    assert after(timeline, 1.0) == 99.0


def test_reverse_from_live_plays_back() -> None:
    timeline = ClockedTimeline()
    timeline.advance(0.0, 0.0, 10.0)
    timeline.reverse()
    assert after(timeline, 2.0, last_s=12.0) == 8.0


@pytest.mark.parametrize(("rate", "expected"), [(1.0, 21.0), (-1.0, 29.0)])
def test_a_loop_repeats_in_both_directions(rate: float, expected: float) -> None:
    timeline = replay(25.0)
    timeline.select(30.0, 20.0)
    timeline.is_looping = True
    timeline.set_rate(rate)
    timeline.play()
    assert after(timeline, 6.0) == pytest.approx(expected)
    assert timeline.mode == "playing"
    timeline.clear_selection()
    after(timeline, 200.0)
    assert timeline.mode == "paused"


def test_a_loop_to_the_end_of_the_flight_repeats() -> None:
    timeline = replay(95.0)
    timeline.select(90.0, 500.0)
    timeline.is_looping = True
    timeline.play()
    assert after(timeline, 6.0) == pytest.approx(91.0)


def test_a_selection_alone_repeats_nothing() -> None:
    timeline = replay(25.0)
    timeline.select(20.0, 30.0)
    timeline.play()
    assert after(timeline, 6.0) == pytest.approx(31.0)


def test_a_stretch_needs_two_times() -> None:
    with pytest.raises(ValueError, match="two different times"):
        replay().select(3.0, 3.0)


def test_one_point_chooses_up_to_the_end_of_the_flight_which_may_grow() -> None:
    timeline = Timeline()
    timeline.advance(0.0, 0.0, 10.0)
    assert timeline.selection is None
    timeline.set_in(4.0)
    assert timeline.selection == (4.0, 10.0)
    timeline.advance(1.0, 0.0, 30.0)
    assert timeline.selection == (4.0, 30.0)
    timeline.set_out(20.0)
    assert timeline.selection == (4.0, 20.0)
    timeline.set_in(25.0)
    assert timeline.selection == (25.0, 30.0)
    timeline.set_out(3.0)
    assert timeline.selection == (0.0, 3.0)
    timeline.clear_selection()
    assert timeline.selection is None


def test_steps_stand_still_and_stay_inside() -> None:
    timeline = replay(50.0)
    timeline.play()
    timeline.step_s(-0.1)
    assert (timeline.mode, timeline.t) == ("paused", pytest.approx(49.9))
    timeline.step_s(1000.0)
    assert timeline.t == 100.0


def test_seeking_stays_inside_and_refuses_nonsense() -> None:
    timeline = replay()
    timeline.seek(-5.0)
    assert timeline.t == 0.0
    with pytest.raises(ValueError, match="number of seconds"):
        timeline.seek(float("nan"))


def test_toggle_and_rate_limits() -> None:
    timeline = replay()
    timeline.toggle()
    assert timeline.mode == "playing"
    timeline.toggle()
    assert timeline.mode == "paused"
    timeline.set_rate(-1000.0)
    assert timeline.rate == -50.0
    timeline.set_rate(0.0)
    assert timeline.rate == 0.1


def test_a_replay_has_no_live_and_an_ended_flight_stays_where_it_is() -> None:
    timeline = replay(10.0)
    timeline.go_live()
    assert (timeline.mode, timeline.t) == ("paused", 100.0)
    live = ClockedTimeline()
    live.advance(0.0, 0.0, 5.0)
    live.end_live()
    assert (live.mode, live.t) == ("paused", 5.0)


def test_a_clock_that_steps_back_does_not_move_the_cursor() -> None:
    timeline = replay(50.0)
    timeline.play()
    timeline.advance(-10.0, 0.0, 100.0)
    assert timeline.t == 50.0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0:00.0"),
        (59.96, "1:00.0"),
        (747.463, "12:27.5"),
        (3723.4, "1:02:03.4"),
        (-1.5, "-0:01.5"),
        (-0.01, "0:00.0"),
    ],
)
def test_times_are_written_for_people(seconds: float, text: str) -> None:
    assert format_time(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (747.4638, "12:27.464"),
        (59.9996, "1:00.000"),
        (3723.0006, "1:02:03.001"),
        (-1.5, "-0:01.500"),
    ],
)
def test_a_cursor_that_stands_is_written_to_a_millisecond(seconds: float, text: str) -> None:
    assert format_time(seconds, 3) == text


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("75.5", 75.5), ("1:15.5", 75.5), (" 12:27 ", 747.0), ("1:02:03.4", 3723.4), ("0", 0.0)],
)
def test_typed_times_are_read(text: str, seconds: float) -> None:
    assert parse_time(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "abc", "1:2:3:4", "-5", "nan", "1::2"])
def test_text_that_is_no_time_gets_a_hint(text: str) -> None:
    with pytest.raises(ValueError, match="is not a time; write seconds"):
        parse_time(text)
