"""Objects are sent more often while somebody looks, and again when the link is back."""

from telemetry.vehicle.commands import (
    ChangeMetadata,
    Command,
    Commands,
    RestoreMetadata,
    Ticket,
)
from telemetry.vehicle.metadata_change import MetadataChange
from telemetry.vehicle.update_rates import UpdateRates


class _Board(Commands):
    """Keeps the changes that were asked for; the test says what becomes of them."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.asked: list[MetadataChange] = []
        self.restored: list[str] = []

    def refusal(self) -> str | None:
        return self.reason

    def post(self, command: Command) -> Ticket:
        match command:
            case ChangeMetadata(change):
                self.asked.append(change)
            case RestoreMetadata(change):
                self.restored.append(change.name)
                change.end("Restored.")
        return Ticket()


def test_what_is_wanted_is_asked_for_once_and_restored() -> None:
    board = _Board()
    rates = UpdateRates(board)
    for now in (0.0, 1.0, 10.0):
        rates.want({"A": 40, "B": 100}, now)
    assert [change.name for change in board.asked] == ["A", "B"]
    rates.want({"A": 40}, 11.0)
    assert board.restored == ["B"]
    rates.restore()
    rates.restore()
    assert board.restored == ["B", "A"]


def test_what_the_link_lost_is_asked_for_at_once_when_it_is_back() -> None:
    board = _Board()
    rates = UpdateRates(board)
    rates.want({"A": 40}, 0.0)
    board.asked[0].activate()
    board.reason = "Not sent: link lost."
    board.asked[0].end("The link ended.")
    rates.want({"A": 40}, 0.5)
    assert len(board.asked) == 1
    assert [change.text for change in rates.changes] == ["The link ended."]
    board.reason = None
    rates.want({"A": 40}, 0.6)
    assert len(board.asked) == 2


def test_what_is_refused_is_asked_for_now_and_then_and_told() -> None:
    board = _Board()
    rates = UpdateRates(board)
    for tenth in range(100):
        rates.want({"A": 40, "B": 40}, tenth / 10)
        for change in board.asked:
            if change.name == "A":
                change.end("Refused.")
            else:
                change.activate()
    assert [change.name for change in board.asked] == ["A", "B", "A", "A", "A"]
    assert rates.failed(4) == {"A": "Refused."}
    assert rates.failed(5) == {}
