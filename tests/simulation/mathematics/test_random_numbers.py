"""Random numbers by counter."""

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from simulation.compiler.program import Program, reference_to
from simulation.mathematics.random_numbers import LARGEST_SEED, gaussian_pair, normal_of, philox

WORDS = np.dtype([("word", np.int64, 2)])
NORMAL = np.dtype([("number", np.float64, (100_000, 2))])


def draw_words(record: Any, key: int, counter: int, stream: int) -> None:
    record["word"][0], record["word"][1] = philox(key, counter, stream)


def draw_normal(record: Any, seed: int, stream: int) -> None:
    for k in range(len(record["number"])):
        a, b = gaussian_pair(seed, stream, k)
        record["number"][k, 0] = a
        record["number"][k, 1] = b


def words_of(key: int, counter: int, stream: int) -> tuple[int, ...]:
    record = np.zeros(1, WORDS)
    Program(draw_words, WORDS, numbers=3).run(reference_to(record), key, counter, stream)
    return tuple(record["word"][0].tolist())


def normal_numbers(seed: int) -> Any:
    record = np.zeros(1, NORMAL)
    Program(draw_normal, NORMAL, numbers=2).run(reference_to(record), seed, 3)
    return record["number"][0]


@pytest.mark.parametrize(
    ("key", "counter", "stream", "words"),
    [
        (0, 0, 0, (0xFF1DAE59, 0x6CD10DF2)),
        (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, (0x2C3F628B, 0xAB4FD7AD)),
        (0x13198A2E, 0x243F6A88, 0x85A308D3, (0xDD7CE038, 0xF62A4C12)),
    ],
)
def test_known_answers_of_philox(
    key: int, counter: int, stream: int, words: tuple[int, int]
) -> None:
    """The generator's published vectors."""
    assert philox(key, counter, stream) == words
    assert words_of(key, counter, stream) == words


@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1])
def test_every_bit_of_a_seed_counts(seed: int) -> None:
    """2^32 + 7 once flew as 7 does; no stream of one is a stream of another, either."""
    seeds = [seed] + [seed ^ (1 << bit) for bit in range(63)]
    drawn = [philox(s, k, stream) for s in seeds for stream in (0, 1, 0x380, 0x400) for k in (0, 1)]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.slow
def test_seeds_of_more_than_32_bits_are_the_same_compiled() -> None:
    for seed in (2**32 + 7, 0x13198A2E85A308D3, LARGEST_SEED):
        assert words_of(seed, 5, 3) == philox(seed, 5, 3)
    numbers, others = (normal_numbers(seed)[:, 0] for seed in (7, 2**32 + 7))
    assert abs(np.corrcoef(numbers, others)[0, 1]) < 0.012


@pytest.mark.parametrize("word", [0, 1, 99, 2**20, 2**29, 2**30, 2**31 - 1, 2**31, 2**32 - 1])
def test_a_word_becomes_the_normal_number_of_its_probability(word: int) -> None:
    expected = NormalDist().inv_cdf((word + 0.5) / 2.0**32)
    assert normal_of(word) == pytest.approx(expected, rel=3e-7, abs=1e-9)


def test_the_parts_of_the_inverse_meet() -> None:
    """At the border of centre and tail, 7.5 % from either end."""
    edge = int(0.075 * 2**32)
    numbers = [normal_of(edge + i) for i in range(-2, 3)]
    assert numbers == sorted(numbers)
    assert numbers[-1] - numbers[0] < 1e-6


@pytest.mark.slow
def test_normal_numbers_are_normal_and_independent() -> None:
    numbers = normal_numbers(seed=7)
    assert numbers.mean(axis=0) == pytest.approx([0.0, 0.0], abs=0.012)
    assert numbers.std(axis=0) == pytest.approx([1.0, 1.0], abs=0.01)
    assert abs(np.corrcoef(numbers.T)[0, 1]) < 0.012
    assert abs(np.corrcoef(numbers[:-1, 0], numbers[1:, 0])[0, 1]) < 0.012
    assert (numbers**4).mean() == pytest.approx(3.0, abs=0.1)
    assert abs(np.corrcoef(numbers[:, 0], normal_numbers(seed=8)[:, 0])[0, 1]) < 0.012
