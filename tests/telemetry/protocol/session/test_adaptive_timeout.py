"""How long a session waits for answers on links of different speed."""

import pytest

from telemetry.protocol.session.adaptive_timeout import AdaptiveTimeout


def test_a_quick_link_is_never_waited_for_less_than_the_shortest() -> None:
    patience = AdaptiveTimeout(0.25)
    for _ in range(50):
        patience.on_answer(0.002)
    assert patience.wait_s == 0.25


def test_a_slow_link_is_learned() -> None:
    patience = AdaptiveTimeout(0.25)
    for _ in range(50):
        patience.on_answer(0.42)
    assert 0.42 < patience.wait_s < 0.6


def test_a_link_slower_than_the_patience_is_learned_from_waiting_in_vain() -> None:
    patience = AdaptiveTimeout(0.25)
    for _ in range(4):
        patience.on_timeout()
    assert patience.wait_s > 0.42
    patience.on_answer(0.42)
    assert patience.wait_s > 0.42


def test_a_dead_link_does_not_lengthen_it_without_end() -> None:
    patience = AdaptiveTimeout(0.25)
    for _ in range(1000):
        patience.on_timeout()
    assert patience.wait_s == pytest.approx(1.5)
    patience.on_answer(0.01)
    for _ in range(20):
        patience.on_answer(0.01)
    assert patience.wait_s == 0.25
