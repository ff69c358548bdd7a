"""Like events close together are one mark with a count, in plots as on the timeline."""

from telemetry.base.finding import Level
from telemetry.recording.events import Event, Kind
from widgets.event_clusters import merged


def event(t: float, text: str, kind: Kind = "warning", level: Level = Level.WARNING) -> Event:
    return Event(t, kind, level, text)


def counts(*events: Event) -> list[tuple[float, str, int]]:
    return [(one.t, one.text, count) for one, count in merged(events, 5.0)]


def test_those_that_differ_by_numbers_are_alike() -> None:
    told = [event(t, f"Battery low, {10.4 - t / 10:.1f} V") for t in (0.0, 2.0, 4.9)]
    assert counts(*told) == [(0.0, "Battery low, 10.4 V", 3)]


def test_others_between_them_stay_on_their_own() -> None:
    told = (event(0.0, "Too high"), event(1.0, "Armed", "arming"), event(2.0, "Too high"))
    assert counts(*told) == [(0.0, "Too high", 2), (1.0, "Armed", 1)]


def test_far_from_the_first_a_new_mark_begins() -> None:
    """It does not grow along a flight that is full of them."""
    told = [event(float(t), "Too high") for t in range(0, 12, 2)]
    assert counts(*told) == [(0.0, "Too high", 3), (6.0, "Too high", 3)]


def test_another_level_kind_or_name_is_something_else() -> None:
    told = (
        event(0.0, "Stabilized1", "mode"),
        event(0.1, "Stabilized2", "mode"),
        event(0.2, "GPS lost"),
        event(0.3, "GPS lost", level=Level.ERROR),
        event(0.4, "GPS lost", "sensor"),
    )
    assert [count for _, _, count in counts(*told)] == [1] * 5


def test_what_a_user_has_marked_is_never_merged() -> None:
    assert len(counts(event(0.0, "Here", "marker"), event(0.1, "Here", "marker"))) == 2
