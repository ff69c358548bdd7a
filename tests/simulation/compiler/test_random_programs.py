"""Random small programs give the same bits compiled as in plain Python; LAPWING_ALL_WAYS=1
and `make fuzz` try more."""

import os

import pytest

from simulation.compiler.decorators import IS_COMPILING
from tests.simulation.compiler.random_programs import search

pytestmark = [
    pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled"),
    pytest.mark.slow,
    pytest.mark.long,
]

ALL_WAYS = "LAPWING_ALL_WAYS" in os.environ
COMPILED, OTHERS = (2_000, 2_000) if ALL_WAYS else (150, 450)
"""Compiling is most of the time: of the others only those in which Python raises, which are few."""


def test_random_programs_give_the_same_bits_compiled() -> None:
    compared, faults = search(0, COMPILED)
    assert faults == []
    assert compared > 0.7 * COMPILED


def test_those_that_raise_note_a_fault_compiled() -> None:
    compared, faults = search(COMPILED, OTHERS, only_raising=True)
    assert faults == []
    assert compared > 0.01 * OTHERS
