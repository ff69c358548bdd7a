"""What was freed is given back."""

import sys
from pathlib import Path

import pytest

from telemetry.base.memory import give_back_freed


@pytest.mark.skipif(sys.platform != "linux", reason="only there the library keeps it")
def test_what_was_freed_between_other_things_is_given_back() -> None:
    """Blocks too small to be mapped each, with what is kept behind each of them."""
    blocks = [(bytearray(60_000), bytearray(2000)) for _ in range(1000)]
    kept = [small for _, small in blocks]
    before_kb = _resident_kb()
    blocks.clear()
    give_back_freed()
    assert _resident_kb() < before_kb - 40_000
    assert len(kept) == 1000


def _resident_kb() -> int:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0])
