"""Simulator and controller wait for each other, and for nobody who has ended."""

import multiprocessing
from collections.abc import Iterator

import pytest

from simulation.sil.mailbox import Mailbox
from tests.waiting import PATIENCE_S


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox(multiprocessing.get_context("spawn"))


def is_there() -> bool:
    return True


def is_gone() -> bool:
    return False


def test_a_turn_is_taken_once(mailbox: Mailbox) -> None:
    mailbox.ask()
    assert mailbox.await_request(is_there)
    mailbox.answer()
    assert mailbox.await_answer(PATIENCE_S, is_there)
    assert not mailbox.await_answer(0.01, is_there)


def test_who_takes_too_long_is_not_waited_for(mailbox: Mailbox) -> None:
    assert not mailbox.await_answer(0.01, is_there)


def test_nobody_waits_for_who_has_ended(mailbox: Mailbox) -> None:
    """A controller whose simulator was killed ends, and a crash needs no time-out."""
    assert not mailbox.await_request(is_gone)
    assert not mailbox.await_answer(PATIENCE_S, is_gone)


def test_the_last_word_of_who_has_ended_counts(mailbox: Mailbox) -> None:
    """It answered and ended while the other slept."""

    def answers_and_ends() -> Iterator[bool]:
        mailbox.answer()
        yield False

    ends = answers_and_ends()
    assert mailbox.await_answer(PATIENCE_S, lambda: next(ends))


def test_what_one_side_writes_the_other_reads(mailbox: Mailbox) -> None:
    mailbox.record["step"]["sensors"]["time_us"] = 1234
    assert mailbox.part("step").cast("q")[0] == 1234
    mailbox.part("actuators").cast("d")[2] = 1500.0
    assert mailbox.record["actuators"]["channel_us"][2] == 1500.0
