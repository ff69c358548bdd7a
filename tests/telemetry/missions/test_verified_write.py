"""A write that is read back, three times at most."""

import pytest

from telemetry.missions.verified_write import VerifiedWrite
from telemetry.vehicle.commands import Command, Commands, Ticket


class Noted(Commands):
    """Keeps what was asked for, and its ticket."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Ticket]] = []

    def refusal(self) -> str | None:
        return None

    def post(self, command: Command) -> Ticket:
        self.asked.append((type(command).__name__, Ticket()))
        return self.asked[-1][1]

    def set_sticks(self, sticks: object) -> None:
        raise AssertionError("nothing moves")

    def end(self, state: str, text: str = "") -> None:
        """Answer what was asked last."""
        assert state in ("done", "failed")
        self.asked[-1][1].finish("done" if state == "done" else "failed", text)


@pytest.fixture
def noted() -> Noted:
    return Noted()


def write(noted: Noted, held: list[bool]) -> VerifiedWrite:
    """`held`: what is held at each look, taken from its end."""
    made = VerifiedWrite(noted, "PathPlan", {"WaypointCount": 1}, held.pop)
    made.poll()
    return made


def test_it_is_done_once_what_is_read_back_is_right(noted: Noted) -> None:
    made = write(noted, [True])
    made.poll()
    assert len(noted.asked) == 1, "what is not answered is not asked again"
    noted.end("done")
    made.poll()
    made.poll()
    assert len(noted.asked) == 2
    assert noted.asked[0][0] != noted.asked[1][0], "a write, then a read"
    assert made.state == "waiting"
    noted.end("done")
    made.poll()
    assert (made.state, made.text) == ("done", "")
    made.poll()
    assert len(noted.asked) == 2


def test_a_board_that_holds_something_else_is_asked_three_times(noted: Noted) -> None:
    made = write(noted, [False] * 3)
    for _ in range(20):
        noted.end("done")
        made.poll()
    kinds = [kind for kind, _ in noted.asked]
    assert kinds == kinds[:2] * 3
    assert made.state == "failed"
    assert made.text == "PathPlan was not taken over. The board holds something else."


def test_the_second_time_counts_as_well(noted: Noted) -> None:
    made = write(noted, [True, False])
    for _ in range(20):
        noted.end("done")
        made.poll()
    assert (made.state, len(noted.asked)) == ("done", 4)


def test_a_refusal_is_told_as_the_board_says_it(noted: Noted) -> None:
    made = write(noted, [])
    for _ in range(20):
        noted.end("failed", "It is armed.")
        made.poll()
    assert [kind for kind, _ in noted.asked] == [noted.asked[0][0]] * 3
    assert (made.state, made.text) == ("failed", "PathPlan was not taken over. It is armed.")
