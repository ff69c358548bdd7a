"""Every function of our programs gives the same bits compiled as in plain Python, and no index of
theirs is beyond its array; `make fuzz` tries more. `tests.simulation.compiler.kernel_functions`
finds the functions by itself, so that a new one is among them."""

import pytest

from simulation.compiler.decorators import IS_COMPILING
from tests.simulation.compiler.kernel_functions import called

pytestmark = [
    pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled"),
    pytest.mark.slow,
    pytest.mark.long,
]


def test_every_function_gives_the_same_bits_compiled() -> None:
    found = called(2)
    assert found["faults"] == []
    assert [name for name, count in found["compared"].items() if not count] == []
    assert found["unused"] == []
