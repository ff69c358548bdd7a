"""Outputs that move while somebody holds the handle, and who may hold it."""

import pytest

from telemetry.vehicle.exclusive import Exclusive
from telemetry.vehicle.output_drive import DeadMan, OutputDrive

DRIVE = OutputDrive((1500, 1600), (1000, 1000))


def sent(dead_man: DeadMan, drive: OutputDrive | None, times: list[float]) -> list[object]:
    return [dead_man.due(drive, now) for now in times]


def test_a_held_handle_is_repeated_twenty_times_a_second() -> None:
    assert sent(DeadMan(), DRIVE, [0.0, 0.04, 0.05, 0.06, 0.11]) == [
        DRIVE.pulses, None, DRIVE.pulses, None, DRIVE.pulses,
    ]  # fmt: skip


def test_let_go_it_rests_at_once_and_is_told_so_eight_times() -> None:
    dead_man = DeadMan()
    assert dead_man.due(None, 0.0) is None, "nothing moved"
    assert dead_man.due(DRIVE, 0.1) == DRIVE.pulses
    stops = sent(dead_man, None, [0.11 + 0.05 * n for n in range(10)])
    assert stops == [DRIVE.rest] * 8 + [None] * 2
    assert dead_man.remaining_stops() == ()


def test_a_conversation_that_ends_takes_all_stops_along() -> None:
    dead_man = DeadMan()
    dead_man.due(DRIVE, 0.0)
    assert dead_man.due(None, 0.01) == DRIVE.rest
    assert dead_man.due(None, 0.02) is None, "one every 50 ms"
    assert dead_man.remaining_stops() == (DRIVE.rest,) * 7
    assert dead_man.due(None, 1.0) is None


def test_one_has_it_until_he_gives_it_up_and_a_stop_ends_what_he_does() -> None:
    right, ended = Exclusive(), []
    right.take("a", "A motor test", lambda: ended.append("a"))
    right.take("a", "A motor test", lambda: ended.append("a"))
    assert right.why_not("a") == ""
    assert right.why_not("b") == "A motor test is under way. End it first."
    with pytest.raises(RuntimeError, match="A motor test is under way"):
        right.take("b", "Another")
    right.interrupt("a")
    assert ended == []
    right.interrupt("b")
    assert ended == ["a"]
    right.free("b")
    assert right.why_not("b")
    right.free("a")
    assert right.why_not("b") == ""
    right.interrupt("b")
    assert ended == ["a"]
