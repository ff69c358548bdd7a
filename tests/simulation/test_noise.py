"""Random numbers by counter."""

from collections.abc import Callable
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np
import pytest

from simulation.noise import gaussian_pair, normal_of, philox

_F = TypeVar("_F", bound=Callable[..., Any])
njit: Callable[[_F], _F] = pytest.importorskip("numba").njit


@njit
def _philox(key: int, counter: int, stream: int) -> tuple[int, int]:
    return philox(key, counter, stream)


@njit
def _gaussians(seed: int, stream: int, out: Any) -> None:
    for k in range(out.shape[0]):
        a, b = gaussian_pair(seed, stream, k)
        out[k, 0] = a
        out[k, 1] = b


def _normal(count: int, seed: int = 7) -> Any:
    out = np.zeros((count, 2))
    _gaussians(seed, 3, out)
    return out


@pytest.mark.parametrize(
    ("key", "counter", "stream", "words"),
    [
        (0, 0, 0, (0xFF1DAE59, 0x6CD10DF2)),
        (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, (0x2C3F628B, 0xAB4FD7AD)),
        (0x13198A2E, 0x243F6A88, 0x85A308D3, (0xDD7CE038, 0xF62A4C12)),
    ],
)
@pytest.mark.slow
def test_known_answers_of_philox(
    key: int, counter: int, stream: int, words: tuple[int, int]
) -> None:
    """The generator's published vectors."""
    assert philox(key, counter, stream) == words
    assert _philox(key, counter, stream) == words


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
    numbers = _normal(100_000)
    assert numbers.mean(axis=0) == pytest.approx([0.0, 0.0], abs=0.012)
    assert numbers.std(axis=0) == pytest.approx([1.0, 1.0], abs=0.01)
    assert abs(np.corrcoef(numbers.T)[0, 1]) < 0.012
    assert abs(np.corrcoef(numbers[:-1, 0], numbers[1:, 0])[0, 1]) < 0.012
    assert (numbers**4).mean() == pytest.approx(3.0, abs=0.1)
    assert abs(np.corrcoef(numbers[:, 0], _normal(100_000, seed=8)[:, 0])[0, 1]) < 0.012
