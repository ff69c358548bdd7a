"""No input has a parser raise anything but what it says it raises; `make fuzz` tries for hours."""

import os
import signal
from itertools import islice
from multiprocessing import get_start_method
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz import campaign
from tests.fuzz.__main__ import alone, covered
from tests.fuzz.campaign import answer, run
from tests.fuzz.inputs import inputs_for, strategy_for
from tests.fuzz.parsers import PARSERS, Parser

INPUTS, EXAMPLES = 40, 10


@pytest.mark.parametrize("name", PARSERS)
def test_the_corpus_is_answered_as_it_should_be(name: str) -> None:
    assert PARSERS[name].corpus
    for data in PARSERS[name].corpus.values():
        answer(PARSERS[name], data)


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_inputs_near_to_the_corpus_are_answered_as_they_should_be(name: str) -> None:
    parser = PARSERS[name]
    for data in islice(inputs_for(parser, seed=1), INPUTS):
        answer(parser, data)

    @settings(
        max_examples=EXAMPLES,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @given(data=strategy_for(parser))
    def feed(data: bytes) -> None:
        answer(parser, data)

    feed()


def test_what_was_covered_is_said() -> None:
    assert {"mkv", "sensor", "preflight", "streams", "stream-file"} <= set(PARSERS)
    assert covered(("frames", "json"), 0.1).startswith(f"2 of {len(PARSERS)} parsers, 110,000 inp")
    assert "mkv" in covered(("frames", "json"), 0.1)
    assert "Left out" not in covered(tuple(PARSERS), 1.0)


@pytest.mark.skipif(get_start_method() != "fork", reason="it would not take over what is set here")
def test_an_input_that_ends_the_process_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(_data: bytes) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setitem(campaign.PARSERS, "json", Parser("json", end))
    is_good, words = alone(0.001, 1, tmp_path, "json")
    assert not is_good
    assert words.startswith("json: its process ended")


def test_what_a_parser_may_not_raise_is_found_and_made_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A negative control: a parser that breaks on a bracket."""

    def read(data: bytes) -> None:
        if b"[" in data:
            raise ZeroDivisionError

    monkeypatch.setitem(campaign.PARSERS, "json", Parser("json", read, (ValueError,)))
    is_good, words = run(0.01, 1, tmp_path, "json")
    assert not is_good
    assert "ZeroDivisionError" in words
    (found,) = tmp_path.iterdir()
    assert found.read_bytes() == b"["
