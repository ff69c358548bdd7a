"""The C header and our side of the contract are one."""

import re
import subprocess
from pathlib import Path

import pytest

from simulation.hitl.lockstep import wire
from simulation.hitl.lockstep.program import LockstepProgram, ProgramFailed
from tests.simulation.hitl.lockstep.programs import (
    HEADER_FOLDER,
    compiled,
    needs_compiler,
    needs_posix,
)

pytestmark = needs_posix

ECHO = """
#include "lapwing_lockstep.h"
#include <string.h>

static unsigned char data[LAPWING_LOCKSTEP_LONGEST];

int main(void)
{
    uint64_t tick, expected = 0;
    long size;
    int fd = lapwing_begin(1000, 2);

    if (fd < 0) {
        return 7;
    }
    while ((size = lapwing_next_tick(fd, &tick, data)) >= 0) {
        if (tick != expected++) {
            return 8;
        }
        if (size == 4 && memcmp(data, "stop", 4) == 0) {
            return 9;
        }
        if (lapwing_done(fd, tick, data, (uint32_t)size)) {
            return 10;
        }
    }
    return 0;
}
"""


@pytest.mark.slow
@needs_compiler
def test_a_program_of_the_header_answers_tick_by_tick(tmp_path: Path) -> None:
    program = LockstepProgram(compiled(tmp_path, ECHO))
    try:
        assert (program.hello.version, program.hello.reserved) == (wire.VERSION, 0)
        assert (program.hello.tick_us, program.hello.sensor_ticks) == (1000, 2)
        for n in range(300):
            said = bytes([n % 256]) * (n * n % 5000)
            assert program.advance(said) == said
        longest = bytes(wire.LONGEST)
        assert program.advance(longest) == longest
        with pytest.raises(ProgramFailed, match="exit code 9 in tick 301"):
            program.advance(b"stop")
    finally:
        program.close()


@pytest.mark.slow
@needs_compiler
def test_without_lockstep_a_program_is_told_that_nobody_asked(tmp_path: Path) -> None:
    done = subprocess.run([compiled(tmp_path, ECHO)], env={}, check=False)
    assert done.returncode == 7


def test_the_header_has_our_numbers() -> None:
    text = (HEADER_FOLDER / "lapwing_lockstep.h").read_text(encoding="utf-8")
    defined = dict(re.findall(r"#define (LAPWING_LOCKSTEP_\w+) (\d+)u", text))
    assert defined == {
        "LAPWING_LOCKSTEP_VERSION": str(wire.VERSION),
        "LAPWING_LOCKSTEP_LONGEST": str(wire.LONGEST),
    }
    kinds = dict(re.findall(r"LAPWING_(HELLO|ADVANCE|DONE) = (\d)", text))
    assert kinds == {"HELLO": str(wire.HELLO), "ADVANCE": str(wire.ADVANCE), "DONE": str(wire.DONE)}
    assert f'getenv("{wire.FD_VARIABLE}")' in text
