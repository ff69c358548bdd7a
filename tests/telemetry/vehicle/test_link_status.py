"""What the station says of a link: rates, age, and why it is not better."""

from dataclasses import replace

import pytest

from telemetry.base.finding import Level
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.session.config import SessionState
from telemetry.protocol.session.statistics import Counters, SessionStatus
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.protocol.wire.dialect import Dialect
from telemetry.vehicle import outcomes
from telemetry.vehicle.conversation import Report
from telemetry.vehicle.link_meter import LinkMeter, LinkRates
from telemetry.vehicle.link_status import RESTARTS, link_status
from telemetry.vehicle.metadata_change import MetadataChange, sent_every
from telemetry.vehicle.vehicle import LinkState, LinkStatus

SESSION = SessionStatus(
    SessionState.CONNECTING, 3, 9, "Next", frozenset({7}), Dialect("multi", 8), Counters()
)


def report(
    state: SessionState = SessionState.CONNECTING,
    counters: Counters | None = None,
    *,
    rates: LinkRates | None = None,
    open_for_s: float = 9.0,
    progress: str = "",
    silent_s: float = 0.0,
    missing: tuple[str, ...] = (),
) -> Report:
    session = replace(SESSION, state=state, counters=counters or Counters(), missing=missing)
    return Report(session, rates or LinkRates(), open_for_s, progress, silent_s=silent_s)


def test_rates_are_those_of_the_last_second_and_quality_of_the_last_three() -> None:
    meter = LinkMeter()
    assert meter.measure(0.0, Counters()) == LinkRates()
    meter.measure(1.0, Counters(rx_bytes=1000, tx_bytes=100, objects=20, junk_bytes=0))
    rates = meter.measure(1.5, Counters(rx_bytes=2000, tx_bytes=150, objects=30, junk_bytes=500))
    assert rates == LinkRates(20.0, 2000.0, 100.0, 75)
    later = Counters(rx_bytes=3000, tx_bytes=150, objects=30, junk_bytes=1500)
    assert meter.measure(4.0, later) == LinkRates(0.0, 0.0, 0.0, 25)
    assert meter.measure(9.0, later).quality_percent is None, "a share of nothing"


def test_more_junk_than_bytes_is_no_quality_below_nothing() -> None:
    meter = LinkMeter()
    meter.measure(0.0, Counters())
    assert meter.measure(0.5, Counters(rx_bytes=10, junk_bytes=30)).quality_percent == 0


@pytest.mark.parametrize(
    ("state", "was_connected", "awaited", "silent_s", "shown"),
    [
        (SessionState.IDLE, False, False, 0.0, LinkState.CONNECTING),
        (SessionState.CONNECTING, False, False, 0.0, LinkState.CONNECTING),
        (SessionState.CONNECTING, True, False, 0.0, LinkState.RECONNECTING),
        (SessionState.FETCHING, True, False, 0.0, LinkState.FETCHING),
        (SessionState.CONNECTED, True, False, 0.0, LinkState.CONNECTED),
        (SessionState.LOST, True, False, 0.0, LinkState.LOST),
        (SessionState.LOST, True, True, 0.0, LinkState.RESTARTING),
        (SessionState.CONNECTED, True, True, 1.0, LinkState.CONNECTED),
        (SessionState.CONNECTED, True, True, 1.1, LinkState.RESTARTING),
    ],
)
def test_the_state_of_a_link(
    state: SessionState, was_connected: bool, awaited: bool, silent_s: float, shown: LinkState
) -> None:
    status = link_status(
        report(state, silent_s=silent_s),
        3.0,
        was_connected=was_connected,
        is_restart_awaited=awaited,
    )
    assert status.state is shown
    assert (status.fetched, status.total, status.release) == (3, 9, "Next")
    assert (status.reason == RESTARTS) is (shown is LinkState.RESTARTING)


@pytest.mark.parametrize(
    ("counters", "said"),
    [
        (Counters(), "nothing arrives"),
        (Counters(rx_bytes=9), "no telemetry. Check the baud rate"),
        (Counters(rx_bytes=9, frames=3, crc_errors=3), "does not answer"),
        (Counters(rx_bytes=9, frames=3, crc_errors=4), "Nearly all that arrives is damaged"),
    ],
)
def test_why_it_does_not_connect(counters: Counters, said: str) -> None:
    def reason(**members: float | str) -> str:
        told = replace(report(counters=counters), **members)
        return link_status(told, 3.0, was_connected=False).reason

    assert said in reason()
    assert reason(open_for_s=2.9) == "", "it is given some seconds"
    assert reason(open_for_s=2.9, progress="Asking.") == "Asking."
    assert reason(progress="Asking.") == "Asking."


def test_why_it_is_lost_and_what_is_missing() -> None:
    def reason(told: Report) -> str:
        return link_status(told, 3.0, was_connected=True).reason

    assert "counts as lost after 3 s" in reason(report(SessionState.LOST))
    noise = report(SessionState.LOST, rates=LinkRates(rx_bytes_per_s=5.0))
    assert "All that arrives is damaged" in reason(noise)
    assert reason(report(SessionState.CONNECTED)) == ""
    assert reason(report(SessionState.CONNECTED, missing=("A",))).startswith("1 kind of data")
    two = report(SessionState.CONNECTED, missing=("A", "B"))
    assert reason(two).startswith("2 kinds of data")
    assert reason(report(SessionState.FETCHING)) == ""


@pytest.mark.parametrize(
    ("now_s", "silent_s", "words", "level"),
    [
        (11.0, 0.0, "Connected", Level.OK),
        (11.25, 1.2, "No data for 1.2 s", Level.WARNING),
        (19.99, 9.9, "No data for 9.9 s", Level.ERROR),
        (22.9, 12.0, "No data for 12 s", Level.ERROR),
        (10.0 + 125.9, 125.0, "No data for 2:05 min", Level.ERROR),
    ],
)
def test_the_age_of_a_link(now_s: float, silent_s: float, words: str, level: Level) -> None:
    heard = LinkStatus(
        LinkState.CONNECTED, heard_s=10.0, objects_per_s=9.0, quality_percent=99, fetched=1, total=1
    )
    aged = heard.aged(now_s)
    assert (aged.silent_s, aged.age_level) == (silent_s, level)
    assert aged.word == (words if silent_s else LinkState.CONNECTED.value)
    assert aged.is_heard is (silent_s == 0.0)
    if silent_s:
        assert (aged.objects_per_s, aged.quality_percent) == (0.0, None)


def test_a_link_is_silent_after_two_seconds_and_one_never_heard_has_no_age() -> None:
    heard = LinkStatus(LinkState.CONNECTED, heard_s=10.0)
    assert not heard.aged(11.9).is_silent
    assert heard.aged(12.0).is_silent
    never = LinkStatus(LinkState.CONNECTED)
    assert never.aged(99.0) is never


@pytest.mark.parametrize(
    ("mode", "period", "asked", "sent"),
    [
        (UpdateMode.PERIODIC, 100, 40, 40),
        (UpdateMode.PERIODIC, 20, 40, 20),
        (UpdateMode.THROTTLED, 20, 40, 20),
        (UpdateMode.ONCHANGE, 20, 40, 40),
        (UpdateMode.PERIODIC, 0, 40, 40),
    ],
)
def test_nothing_is_sent_less_often_than_before(
    mode: UpdateMode, period: int, asked: int, sent: int
) -> None:
    before = Metadata.unpack(bytes(8))
    before = replace(before, flight=UpdatePolicy(mode, period))
    assert sent_every(asked)(before).flight == UpdatePolicy(UpdateMode.PERIODIC, sent)


def test_a_change_is_restored_once_and_ends_for_its_first_reason() -> None:
    restored: list[MetadataChange] = []
    change = MetadataChange("A", sent_every(40), restored.append)
    assert (change.state, change.is_active) == ("waiting", False)
    change.activate()
    assert (change.state, change.is_active) == ("active", True)
    change.restore()
    assert restored == [change]
    change.end("Refused.")
    change.end("Lost.")
    change.restore()
    change.activate()
    assert (change.state, change.text, restored) == ("ended", "Refused.", [change])


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (TransactionOutcome.DONE, ("Applied", "Received", "Saved")),
        (TransactionOutcome.REFUSED, ("Not applied", "Not received", "Not saved")),
        (TransactionOutcome.SILENT, ("Not applied", "Not received", "Not saved")),
        (TransactionOutcome.CANCELLED, ("Not done: the link ended",) * 3),
    ],
)
def test_an_outcome_says_what_happened(
    outcome: TransactionOutcome, words: tuple[str, str, str]
) -> None:
    told = (
        outcomes.written("A", outcome),
        outcomes.requested("A", outcome),
        outcomes.persisted("Save", "A", outcome),
    )
    for (state, text), begins in zip(told, words, strict=True):
        assert text.startswith(begins)
        assert state == ("done" if outcome is TransactionOutcome.DONE else "failed")
