"""What acts from outside: where it goes, in which axes, at which point, and how exactly."""

import math
import sys
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from simulation.environment.earth import GRAVITY
from simulation.records.flight import RATES
from simulation.records.interface import EXTERNAL_FORCE, STEP_S
from simulation.sil.target import HEADER_FOLDER, build_library
from simulation.simulator.external_force import (
    ExternalForce,
    ForceError,
    compiled_force,
    library_force,
    python_force,
)
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.simulator import Diverged, Simulator
from tests.simulation.flights import in_even_gravity, parked, thrown
from tests.simulation.sil.flying import needs_compiler

ROLL_DEG = 30.0


def airless(roll_deg: float = ROLL_DEG, rates: tuple[float, float, float] = (0, 0, 0)) -> Simulator:
    """Thrown up where no air and no motor acts, banked."""
    simulator = thrown(in_even_gravity(parked()), 200.0, rates=rates, roll_deg=roll_deg)
    for member in ("drag_force", "drag_moment", "k_d", "alpha", "c_t1", "c_t2", "k_t"):
        simulator.record["parameters"][member] = 0.0
    return simulator


def pull(e: Any) -> None:
    """Each of the constants where it belongs."""
    for i in range(3):
        e["force"][i] = e["constants"][i]
        e["force_ned"][i] = e["constants"][3 + i]
        e["point"][i] = e["constants"][6 + i]
        e["moment"][i] = e["constants"][9 + i]


def swing(e: Any) -> None:
    """A mass on a spring between it and a fixed place: 4 rad/s, damped by nothing."""
    e["state_rate"][0] = e["state"][1]
    e["state_rate"][1] = -16.0 * e["state"][0]
    e["force_ned"][1] = 0.5 * e["state"][0] + 0.01 * e["position"][2] + 0.001 * e["time_s"]


SWING_C = """
#include "lapwing_force.h"
int lapwing_force_begin(struct lapwing_force *force, uint32_t size)
{
    force->state[0] = 0.3;
    return size == sizeof *force ? 0 : 1;
}
void lapwing_force(struct lapwing_force *e)
{
    e->state_rate[0] = e->state[1];
    e->state_rate[1] = -16.0 * e->state[0];
    e->force_ned[1] = 0.5 * e->state[0] + 0.01 * e->position[2] + 0.001 * e->time_s;
}
"""


@cache
def compiled(function: Callable[[Any], None]) -> ExternalForce:
    return compiled_force(function)


def pulled(constants: list[float], steps: int = 1, **how: Any) -> Simulator:
    simulator = airless(**how)
    made = compiled(pull)
    simulator.act_with(ExternalForce(made.handle, constants, kept=made))
    simulator.advance(steps)
    return simulator


def test_a_force_accelerates_the_mass_in_its_axes() -> None:
    """Newton: in 0.1 s the velocity changes by F t / m, in the world's axes, or turned by the
    bank: a force to the body's right goes east by its cosine and down by its sine."""
    steps = 100
    simulator = pulled([0, 2, 0, 3, 0, -1], steps)
    per_mass = steps * STEP_S / float(simulator.record["parameters"]["mass"])
    bank = math.radians(ROLL_DEG)
    wanted = (
        3.0 * per_mass,
        2.0 * math.cos(bank) * per_mass,
        (2.0 * math.sin(bank) - 1.0) * per_mass + GRAVITY * steps * STEP_S,
    )
    assert simulator.output["true_velocity"] == pytest.approx(wanted, rel=1e-12)


def test_a_force_off_the_centre_of_mass_turns_it() -> None:
    """Euler: the first step turns it by (r x F + M) t / J, whatever the axes of the force."""
    right, below, force, moment = 0.2, 0.1, 1.5, 0.05
    simulator = pulled([0, 0, force, 0, 0, 0, 0.3, right, below, 0, 0, moment], roll_deg=0.0)
    inertia = simulator.record["parameters"]["inertia"]
    turned = simulator.record["state"]["motion"][RATES : RATES + 3]
    wanted = np.array((right * force, -0.3 * force, moment)) * STEP_S / inertia
    assert turned == pytest.approx(wanted, rel=1e-5)
    same = pulled([0, 0, 0, 0, 0, force, 0.3, right, below, 0, 0, moment], roll_deg=0.0)
    assert same.record["state"]["motion"][RATES : RATES + 3] == pytest.approx(turned, rel=1e-5)


def test_an_accelerometer_feels_it() -> None:
    simulator = pulled([0, 0, -4.0], 2)
    mass = float(simulator.record["parameters"]["mass"])
    assert simulator.output["true_specific_force"] == pytest.approx((0, 0, -4.0 / mass), abs=1e-12)


def test_its_own_states_are_integrated_as_exactly_as_the_motion() -> None:
    """x'' = -w2 x from 0.3 at rest is 0.3 cos(w t); RK4 strays by t w (w h)^4 / 120 of it, 3e-12
    in a second."""
    simulator = airless()
    made = compiled(swing)
    simulator.act_with(ExternalForce(made.handle, state=(0.3, 0.0), kept=made))
    simulator.advance(1000)
    x, v = simulator.record["state"]["force"]["state"][:2]
    assert x == pytest.approx(0.3 * math.cos(4.0), abs=1e-11)
    assert v == pytest.approx(-1.2 * math.sin(4.0), abs=1e-10)


@pytest.mark.slow
@needs_compiler
def test_compiled_python_and_c_are_one_flight(tmp_path: Path) -> None:
    source = tmp_path / "swing.c"
    source.write_text(SWING_C)
    made = compiled(swing)
    library = library_force(build_library(source, tmp_path))
    forces = (
        ExternalForce(made.handle, state=(0.3, 0.0), kept=made),
        python_force(swing, state=(0.3, 0.0)),
        library,
    )
    flights = []
    for force in forces:
        simulator = airless(rates=(0.1, 0.2, 0.3))
        simulator.act_with(force)
        simulator.advance(40)
        flights.append(simulator.snapshot())
    assert flights[1] == flights[0]
    assert flights[2] == flights[0]


def test_it_does_not_depend_on_the_blocks_and_begins_anew_at_a_reset() -> None:
    made = compiled(swing)
    whole, parts = airless(), airless()
    for simulator in (whole, parts):
        simulator.act_with(ExternalForce(made.handle, state=(0.3, 0.0), kept=made))
    whole.advance(60)
    for _ in range(60):
        parts.advance(1)
    assert parts.snapshot() == whole.snapshot()
    whole.reset()
    assert whole.record["state"]["force"]["state"][0] == 0.3


def test_an_interrupt_while_it_begins_is_never_lost() -> None:
    """As Ctrl+C raises it between two lines, of numpy's own too: which drops what is raised while
    it makes an __array_interface__, so that a flight with a board went on."""
    record: Any = np.zeros(1, EXTERNAL_FORCE)[0]
    force = python_force(pull)
    line, is_interrupted = 0, True
    while is_interrupted:
        line += 1
        is_interrupted = _is_interrupted(line, lambda: force.begin(record))
    assert line > 10


def _is_interrupted(at: int, work: Callable[[], None]) -> bool:
    """Raise KeyboardInterrupt where the line with that number begins, if there is one."""
    lines = count(1)
    raised = []

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line" and next(lines) == at:
            raised.append(at)
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    assert not raised, f"the interrupt at line {at} was lost"
    return False


def test_nothing_that_acts_is_no_change() -> None:
    """To the bit the flight without; a gram of force is another one."""

    def flown(constants: list[float] | None) -> bytes:
        simulator = parked()
        if constants is not None:
            made = compiled(pull)
            simulator.act_with(ExternalForce(made.handle, constants, kept=made))
        simulator.command["armed"] = 1
        simulator.command["thrust"] = 0.9
        simulator.advance(2000)
        return bytes(simulator.output.tobytes())

    assert flown([0.0]) == flown(None)
    assert flown([0.0098]) != flown(None)


def test_an_exception_ends_the_simulation_with_its_words() -> None:
    def breaks(e: Any) -> None:
        if e["time_s"] > 0.0102:
            raise ValueError("the rope has torn")

    simulator = airless()
    simulator.act_with(python_force(breaks))
    with pytest.raises(Diverged, match=r"raised ValueError \(the rope has torn\)") as caught:
        simulator.advance(100)
    assert caught.value.time_us == 10_000
    simulator.reset()
    simulator.advance(10)


def test_in_a_fleet_a_failure_is_that_of_one() -> None:
    def breaks(e: Any) -> None:
        if e["position"][2] > -60.0:
            raise ValueError("too low")

    aircraft = parked().aircraft
    with SimulatedFleet([aircraft] * 2, threads=2) as fleet:
        force = python_force(breaks)
        for simulator, height in zip(fleet.simulators, (60.001, 90.0), strict=True):
            thrown(simulator, height)
            simulator.act_with(force)
        with pytest.raises(ExceptionGroup) as caught:
            fleet.advance(40)
        assert ["too low" in str(error) for error in caught.value.exceptions] == [True]
        assert fleet.records["output"]["step"].tolist()[1] == 40


def test_what_cannot_be_compiled_is_said() -> None:
    def reads_a_file(e: Any) -> None:
        e["force"][0] = float(Path("rope.txt").read_text())

    with pytest.raises(ForceError, match="reads_a_file cannot be compiled"):
        compiled_force(reads_a_file)


def test_too_many_states_are_refused() -> None:
    with pytest.raises(ForceError, match="room for 32 constants and 16 states, not for 0 and 17"):
        python_force(pull, state=[0.0] * 17)


def test_a_library_without_the_functions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.so"
    path.write_text("no library")
    with pytest.raises(ForceError, match=r"text\.so is no force"):
        library_force(path)


@pytest.mark.slow
@needs_compiler
def test_the_header_is_the_record(tmp_path: Path) -> None:
    """The layout as the compiler sees it."""
    names = EXTERNAL_FORCE.names or ()
    offsets = "".join(f"offsetof(struct lapwing_force, {name}), " for name in names)
    source = tmp_path / "layout.c"
    source.write_text(
        '#include "lapwing_force.h"\n#include <stddef.h>\n'
        f"const int64_t layout[] = {{{offsets}sizeof(struct lapwing_force)}};\n"
    )
    import ctypes

    library = ctypes.CDLL(str(build_library(source, tmp_path)))
    layout = (ctypes.c_int64 * (len(names) + 1)).in_dll(library, "layout")
    fields = EXTERNAL_FORCE.fields or {}
    assert list(layout) == [*(fields[name][1] for name in names), EXTERNAL_FORCE.itemsize]
    assert (HEADER_FOLDER / "lapwing_force.h").is_file()
