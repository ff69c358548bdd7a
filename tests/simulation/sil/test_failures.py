"""Whatever a controller does, it ends there: a sentence, and an aircraft that falls."""

import sys
from pathlib import Path

import numpy as np
import pytest

from simulation.sil import target as target_module
from simulation.sil.config import SilConfig, SilError
from simulation.sil.loop import SoftwareInTheLoop
from tests.simulation.sil.flying import EXAMPLES, HOVER_C, flight_by, needs_compiler

_FAULTY_C = """
#define lapwing_sil_step hover_step
#include "{hover}"
#undef lapwing_sil_step
#include <stdlib.h>
#include <unistd.h>
void lapwing_sil_step(const struct lapwing_sensors *in, const struct lapwing_command *command,
                      struct lapwing_actuators *out)
{{
    hover_step(in, command, out);
    if (in->time_us >= {fault_us}) {{ {fault} }}
}}
"""
_FAULT_US = 5_000_000
_FAULTS = {
    "segfault": ("*(volatile int *)0 = 1;", "it crashed (SIGSEGV)"),
    "abort": ("abort();", "it crashed (SIGABRT)"),
    "exit": ("exit(3);", "it ended its process with exit code 3"),
    "hang": ("for (;;) sleep(1);", "it took longer than 1 s"),
    "nan": ("out->channel_us[2] = NAN;", "not finite in channel_us"),
    "infinity": ("out->position[0] = INFINITY;", "not finite in position"),
    "range": ("out->channel_us[1] = 2600.0;", "2600 us for channel 2, which takes 1000 to 2000 us"),
}


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("name", _FAULTS)
def test_a_fault_in_flight_stops_the_motors_and_nothing_else(name: str, tmp_path: Path) -> None:
    fault, reason = _FAULTS[name]
    source = tmp_path / f"{name}.c"
    source.write_text(_FAULTY_C.format(hover=HOVER_C, fault=fault, fault_us=_FAULT_US))
    with flight_by(str(source), **({"timeout_s": 1.0} if name == "hang" else {})) as flight:
        flight.take_off()
        flight.run(2.9)
        height_m = -float(flight.simulator.output["true_position"][2])
        flight.run(3.0)
    report, output = flight.loop.report(), flight.simulator.output
    assert height_m > 2.0
    assert reason in report["failed"]
    assert f"{name}.c failed in step 2501 at 5 s" in report["failed"]
    assert report["at_s"] == 5.0
    assert report["steps"] == 2500
    assert output["actuator_command"][:4].tolist() == [1000.0] * 4
    assert output["crashed"] == 1  # it fell
    assert output["step"] == 7900  # and the simulator went on
    assert output["attitude_valid"] == 0


_FAULTY_PYTHON = """
import os, signal
from simulation.sil.controller import Actuators
print("words of a controller do not disturb")
class Raises:
    def start(self, settings): pass
    def step(self, sensors, command): return [][len(sensors["gyro"])]
class Forgets:
    def start(self, settings): pass
    def step(self, sensors, command): pass
class Short:
    def start(self, settings): pass
    def step(self, sensors, command): return Actuators([1000.0] * 4)
class Picky:
    def start(self, settings): raise ValueError("no such\\nairframe")
    def step(self, sensors, command): pass
class Interrupted:
    def start(self, settings): os.kill(os.getpid(), signal.SIGINT)
    def step(self, sensors, command): return Actuators([1000.0] * 12)
number = 3
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cls", "reason"),
    [
        ("Raises", "it raised IndexError (list index out of range) at faulty.py:7"),
        ("Forgets", "it returned NoneType instead of Actuators"),
        ("Short", "channel_us has 12 values, not 4"),
        ("Picky", "it raised ValueError (no such airframe) at faulty.py:15"),
    ],
)
def test_a_python_controller_fails_with_its_reason(cls: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "faulty.py"
    file.write_text(_FAULTY_PYTHON)
    with flight_by(f"{file}:{cls}") as flight:
        flight.run(0.5)
    assert reason in flight.loop.failure
    assert "in step 1 at 0 s" in flight.loop.failure
    assert flight.simulator.output["crashed"] == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there a console's Ctrl+C is no signal")
def test_an_interrupt_is_not_for_the_controller(tmp_path: Path) -> None:
    """A terminal sends it to all processes; only the simulator heeds it."""
    file = tmp_path / "faulty.py"
    file.write_text(_FAULTY_PYTHON)
    with flight_by(f"{file}:Interrupted") as flight:
        flight.run(0.1)
    assert flight.loop.failure == ""


@pytest.mark.slow
def test_what_is_no_class_is_refused_before_the_flight(tmp_path: Path) -> None:
    file = tmp_path / "faulty.py"
    file.write_text(_FAULTY_PYTHON)
    for name in ("number", "Nix"):
        with pytest.raises(SilError, match=rf"faulty\.py has no class {name}\. Correct it"):
            SoftwareInTheLoop(SilConfig(f"{file}:{name}"))
    file.write_text("class Half(:")
    with pytest.raises(SilError, match=r"SyntaxError \([^)]*faulty\.py, line 1\)\)\. Correct"):
        SoftwareInTheLoop(SilConfig(f"{file}:Half"))


_LIBRARY = """
#include "lapwing_sil.h"
uint32_t lapwing_sil_abi(void) {{ return {abi}; }}
int lapwing_sil_init(const struct lapwing_settings *settings, uint32_t bytes) {{ return 7; }}
{step}
"""
_STEP = """void lapwing_sil_step(const struct lapwing_sensors *in,
    const struct lapwing_command *command, struct lapwing_actuators *out) {}"""


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize(
    ("abi", "step", "reason"),
    [
        ("99u", _STEP, "it is built for interface 99, this Lapwing has 1"),
        ("LAPWING_SIL_ABI", "", "it lacks lapwing_sil_step"),
    ],
)
def test_a_library_that_does_not_fit_is_refused_before_the_flight(
    abi: str, step: str, reason: str, tmp_path: Path
) -> None:
    source = tmp_path / "odd.c"
    source.write_text(_LIBRARY.format(abi=abi, step=step))
    with pytest.raises(SilError, match=reason):
        SoftwareInTheLoop(SilConfig(str(source)))


@pytest.mark.slow
@needs_compiler
def test_settings_that_a_library_refuses_are_no_flight(tmp_path: Path) -> None:
    source = tmp_path / "refuses.c"
    source.write_text(_LIBRARY.format(abi="LAPWING_SIL_ABI", step=_STEP))
    with flight_by(str(source)) as flight:
        flight.run(0.2)
    assert "lapwing_sil_init returned 7" in flight.loop.failure


@pytest.mark.slow
@needs_compiler
def test_source_that_does_not_compile_is_refused_with_its_line(tmp_path: Path) -> None:
    source = tmp_path / "typo.c"
    source.write_text('#include "lapwing_sil.h"\nint oops(void) { return nothing; }\n')
    with pytest.raises(SilError, match=r"typo.c cannot be built: .*typo.c:2:.*nothing"):
        SoftwareInTheLoop(SilConfig(str(source)))


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("gone.so", "There is no file gone.so"),
        ("gone.c", "There is no file gone.c"),
        ("gone.py:Hover", "There is no file gone.py"),
        ("hover", "'hover' is no controller"),
        ("hover.py", "'hover.py' is no controller"),
    ],
)
def test_what_is_not_there_is_refused(target: str, reason: str) -> None:
    with pytest.raises(SilError, match=reason):
        SoftwareInTheLoop(SilConfig(target))


@pytest.mark.slow
def test_a_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    library = tmp_path / "text.so"
    library.write_text("not a library")
    with pytest.raises(SilError, match=r"text.so cannot be used: it cannot be loaded"):
        SoftwareInTheLoop(SilConfig(str(library)))


@pytest.mark.slow
def test_a_class_that_is_not_there_is_refused() -> None:
    with pytest.raises(SilError, match="has no class Fly"):
        SoftwareInTheLoop(SilConfig(f"{EXAMPLES / 'hover.py'}:Fly"))


def test_without_a_compiler_source_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target_module, "find_compiler", lambda: None)
    with pytest.raises(SilError, match="this machine has no C compiler"):
        SoftwareInTheLoop(SilConfig(HOVER_C))


@pytest.mark.parametrize("rate_hz", [0, 49, 300, 2000, -500])
def test_a_rate_that_no_step_fits_is_refused(rate_hz: int) -> None:
    with pytest.raises(SilError, match=f"cannot run at {rate_hz} Hz"):
        SilConfig("hover.c", rate_hz)


@pytest.mark.parametrize("timeout_s", [0.0, -1.0, np.nan, np.inf])
def test_a_time_limit_that_is_none_is_refused(timeout_s: float) -> None:
    with pytest.raises(SilError, match="no time limit"):
        SilConfig("hover.c", timeout_s=timeout_s)
