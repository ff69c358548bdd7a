"""Feeds parsers with very many inputs, and watches time and memory."""

import contextlib
import sys
import time
import traceback
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from telemetry.base.clock import monotonic_s
from tests.fuzz.inputs import inputs_for, smallest
from tests.fuzz.parsers import PARSERS, Parser, remove_folder

MOST_S: Final = 2.0
MOST_MB: Final = 300.0
MILLIONS: Final = ("frames", "metadata")
"""What every byte of every link goes through."""
_WARM_UP: Final = 20


class Answer(NamedTuple):
    """Whether a parser took an input, and the processor's seconds that it needed."""

    is_taken: bool
    took_s: float


class TooSlowError(AssertionError):
    """An input took longer than any may."""


def count_for(name: str, share: float) -> int:
    """How many inputs a parser gets."""
    return max(1, round((1_000_000 if name in MILLIONS else 100_000) * share))


def answer(parser: Parser, data: bytes) -> Answer:
    """Give a parser one input. Passes on what it may not raise; raises TooSlowError."""
    start_s = time.process_time()
    is_taken = False
    with contextlib.suppress(*parser.refusals):
        parser.read(data)
        is_taken = True
    took_s = time.process_time() - start_s
    if took_s > MOST_S:
        raise TooSlowError(f"{parser.name} took {took_s:.1f} s for {len(data)} bytes")
    return Answer(is_taken, took_s)


def run(share: float, seed: int, folder: Path, name: str) -> tuple[bool, str]:
    """Give a parser its share of inputs, in a process of its own.

    Returns whether it answered all as it should, and a line that says so. The input it did not
    is written into `folder`.
    """
    try:
        return _run(share, seed, folder, PARSERS[name])
    finally:
        remove_folder()


def _run(share: float, seed: int, folder: Path, parser: Parser) -> tuple[bool, str]:
    for data in islice(inputs_for(parser, seed), _WARM_UP):
        with contextlib.suppress(Exception):
            answer(parser, data)  # loads what it needs, before memory is counted
    before_mb, start_s = _peak_mb(), monotonic_s()
    count, taken, slowest_s = count_for(parser.name, share), 0, 0.0
    for number, data in enumerate(islice(inputs_for(parser, seed), count)):
        try:
            is_taken, answer_s = answer(parser, data)
        except Exception as error:  # noqa: BLE001 - what it raised is what was looked for
            path = folder / f"{parser.name}-{seed}-{number}"
            path.write_bytes(_smallest(parser, data, type(error)))
            return False, f"{parser.name}: {path} raises {traceback.format_exc()}"
        taken, slowest_s = taken + is_taken, max(slowest_s, answer_s)
    grown_mb, took_s = _peak_mb() - before_mb, monotonic_s() - start_s
    words = (
        f"{parser.name:15} {count:>9,} inputs from {len(parser.corpus):2} files, "
        f"{100 * taken / count:3.0f} % taken, {took_s:7.0f} s, "
        f"the slowest {slowest_s * 1e3:4.0f} ms, {grown_mb:4.0f} MB more than before"
    )
    return grown_mb <= MOST_MB, words


def _smallest(parser: Parser, data: bytes, kind: type[Exception]) -> bytes:
    def fails(other: bytes) -> bool:
        try:
            answer(parser, other)
        except Exception as error:  # noqa: BLE001 - compared with the one that was found
            return type(error) is kind
        return False

    return data if kind is TooSlowError else smallest(data, fails)


def _peak_mb() -> float:
    """The most memory this process ever had; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
