"""Random small programs give the same bits compiled as in plain Python; `make fuzz` tries more."""

import pytest

from simulation.compiler.decorators import IS_COMPILING
from tests.simulation.compiler.random_programs import search

pytestmark = [
    pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled"),
    pytest.mark.slow,
    pytest.mark.long,
]


def test_random_programs_give_the_same_bits_compiled() -> None:
    compared, faults = search(0, 2_000)
    assert faults == []
    assert compared > 1_400
