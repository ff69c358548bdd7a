"""How long the station waits for a board that saves or erases."""

import pytest

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.session.persistence import Persistence, PersistenceJob
from telemetry.protocol.session.transactions import Address, Transaction, TransactionOutcome


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


class Acknowledging:
    """A session whose writes are all acknowledged, by the test."""

    def __init__(self) -> None:
        self.begun: list[Transaction] = []

    def begin(self, transaction: Transaction, now: float) -> None:
        self.begun.append(transaction)

    def settle(self, address: Address, now: float) -> None:
        pass

    def latest(self, address: Address) -> bytes | None:
        return None


@pytest.mark.parametrize(
    ("operation", "expected"),
    [("FullErase", TransactionOutcome.DONE), ("Save", TransactionOutcome.SILENT)],
)
def test_erasing_everything_may_take_its_time(
    catalogue: Catalogue, operation: str, expected: TransactionOutcome
) -> None:
    session, finished = Acknowledging(), list[PersistenceJob]()
    persistence = Persistence(session, 2.0, finished.append)
    carrier = catalogue.find("ObjectPersistence", DEFAULT_RELEASE)
    saved = None if operation == "FullErase" else catalogue.find("SystemSettings", DEFAULT_RELEASE)
    persistence.begin(PersistenceJob(operation, saved), carrier, 0.0)
    (write,) = session.begun
    write.outcome = TransactionOutcome.DONE
    persistence.on_transaction(write, 0.1)
    persistence.tick(12.0)
    if not finished:
        report = pack_values(carrier, {"Operation": "Completed"}, carrier.default_row())
        persistence.on_report(carrier, report, 12.5)
    (job,) = finished
    assert job.outcome is expected
