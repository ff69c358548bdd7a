import pytest

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.session.transactions import (
    Transaction,
    TransactionKind,
    TransactionOutcome,
    Transactions,
)


@pytest.fixture
def definition(catalogue: Catalogue) -> ObjectDefinition:
    return catalogue.find("Waypoint")


class Sent(list[Transaction]):
    """Collects what would be transmitted."""


def make(timeout_s: float = 0.25, attempts: int = 3) -> tuple[Transactions, Sent]:
    sent = Sent()
    return Transactions(sent.append, timeout_s, attempts), sent


def test_a_write_is_tried_three_times_250_ms_apart(definition: ObjectDefinition) -> None:
    transactions, sent = make()
    write = Transaction(TransactionKind.WRITE, definition, 0, b"x")
    transactions.begin(write, 0.0)
    times = []
    for step in range(200):
        now = step * 0.01
        before = len(sent)
        finished = transactions.tick(now)
        times += [now] * (len(sent) - before)
        if finished:
            break
    assert len(sent) == 3
    assert times == pytest.approx([0.25, 0.5])
    assert now == pytest.approx(0.75)
    assert write.outcome is TransactionOutcome.SILENT
    assert (transactions.retries, transactions.failures) == (2, 1)


def test_a_nack_ends_a_write_without_retry(definition: ObjectDefinition) -> None:
    transactions, sent = make()
    write = Transaction(TransactionKind.WRITE, definition, 0, b"x")
    transactions.begin(write, 0.0)
    assert transactions.on_nack(write.address, 0.1) is write
    assert write.outcome is TransactionOutcome.REFUSED
    assert transactions.tick(5.0) == []
    assert len(sent) == 1


def test_an_object_answers_a_request_but_not_a_write(definition: ObjectDefinition) -> None:
    transactions, _ = make()
    request = Transaction(TransactionKind.REQUEST, definition, 0)
    write = Transaction(TransactionKind.WRITE, definition, 1, b"x")
    transactions.begin(request, 0.0)
    transactions.begin(write, 0.0)
    assert transactions.on_object(request.address, 0.1) is request
    assert transactions.on_object(write.address, 0.1) is None
    assert write.outcome is TransactionOutcome.OPEN
    assert transactions.on_ack(request.address, 0.1) is None


def test_one_transaction_per_instance_the_next_waits(definition: ObjectDefinition) -> None:
    transactions, sent = make()
    first = Transaction(TransactionKind.WRITE, definition, 0, b"1")
    second = Transaction(TransactionKind.WRITE, definition, 0, b"2")
    other = Transaction(TransactionKind.WRITE, definition, 1, b"3")
    for each in (first, second, other):
        transactions.begin(each, 0.0)
    assert sent == [first, other]
    transactions.on_ack(first.address, 0.1)
    assert sent == [first, other, second]
    assert transactions.on_ack(second.address, 0.2) is second


def test_a_late_nack_does_not_hit_the_next_transaction(definition: ObjectDefinition) -> None:
    transactions, _ = make()
    request = Transaction(TransactionKind.REQUEST, definition, 0)
    write = Transaction(TransactionKind.WRITE, definition, 0, b"x")
    transactions.begin(request, 0.0)
    transactions.begin(write, 0.0)
    transactions.on_object(request.address, 0.05)
    assert transactions.on_nack(write.address, 0.06) is None
    assert write.outcome is TransactionOutcome.OPEN
    assert transactions.on_nack(write.address, 0.07) is write


def test_cancelling_ends_what_was_sent_and_what_waits(definition: ObjectDefinition) -> None:
    transactions, _ = make()
    both = [Transaction(TransactionKind.WRITE, definition, 0, b"x") for _ in range(2)]
    for each in both:
        transactions.begin(each, 0.0)
    assert transactions.cancel() == both
    assert {each.outcome for each in both} == {TransactionOutcome.CANCELLED}
    assert transactions.next_deadline() is None
