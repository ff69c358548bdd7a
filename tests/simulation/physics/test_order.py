"""With which order the kernel's step converges: half the step, a quarter of the error.

A free flight by given pulses without contact and noise, flown by the very step of the kernel in
plain Python with steps of another length. Against a flight of an eighth of the longest step, a
scheme of order n leaves errors whose ratio for steps of 8 and 4 is (8^n - 1) / (4^n - 1): 2.3 for
the first order, 4.2 for the second.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.performance import hover, hover_pulse_us
from simulation.environment import air
from simulation.physics import battery, rigid_body, rotor_wake
from simulation.programs import kernel
from simulation.records.flight import ATTITUDE, POSITION, RATES, ROTOR, VELOCITY
from simulation.simulator.simulator import Simulator

Array = npt.NDArray[np.float64]
SECONDS = 0.12
STEPS_S = (0.002, 0.001, 0.00025)
PULSES_US = ((0.0, 20.0, -10.0, 5.0), (15.0, -5.0, 10.0, -20.0))
"""Added to those of a hover in each half of the flight."""


def fly(patch: pytest.MonkeyPatch, step_s: float, ahead: float) -> Array:
    """The motion of an AR100B after SECONDS, begun tumbling slowly 100 m up; its wakes are those
    of `ahead` of the steps that they are held for."""
    for module in (kernel, rigid_body, battery, rotor_wake, air):
        patch.setattr(module, "STEP_S", step_s)
    patch.setattr(rigid_body, "_REACH", (0.0, 0.5 * step_s, 0.5 * step_s, step_s))
    patch.setattr(rotor_wake, "_HALF_S", ahead * rotor_wake.PERIOD * step_s)
    flight = Simulator(load_aircraft("ar100b")).record
    p, s, o = (flight[name] for name in ("parameters", "state", "output"))
    flight["command"]["external"] = 1
    x = s["motion"]
    x[POSITION + 2] = -100.0
    x[VELOCITY : VELOCITY + 3], x[RATES : RATES + 3] = (3.0, 1.0, -0.5), (0.2, -0.1, 0.3)
    x[ROTOR : ROTOR + 4] = hover(p).speed_radps
    steps, pulses = round(SECONDS / step_s), hover_pulse_us(p) + np.array(PULSES_US)
    for step in range(steps):
        o["actuator_command"][:4] = pulses[2 * step // steps]
        kernel.step_once(flight, step, 0, 0, 0, 0)
    return np.array(x[: ROTOR + 4])


def errors(patch: pytest.MonkeyPatch, ahead: float = 0.5) -> Array:
    """(2, 3): of place, attitude and rotor speeds with steps of 2 and 1 ms against 0.25 ms."""
    longer, shorter, finest = (fly(patch, step_s, ahead) for step_s in STEPS_S)
    rows = []
    for flown in (longer, shorter):
        missed = flown - finest
        parts = missed[POSITION:VELOCITY], missed[ATTITUDE:RATES], missed[ROTOR:]
        rows.append([float(np.linalg.norm(part)) for part in parts])
    return np.array(rows)


@pytest.fixture
def patch(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Without sensors, which nothing listens to."""

    def breathe(flight: Any, step: int, _: int) -> None:
        if step % air.PERIOD == 0:
            air.update_air(flight["parameters"], flight["world"], flight["state"], step)

    monkeypatch.setattr(kernel, "_sense", breathe)
    return monkeypatch


@pytest.mark.slow
def test_the_step_is_of_second_order(patch: pytest.MonkeyPatch) -> None:
    """4.2 by hand; and a tenth of a second's error is micrometres."""
    longer, shorter = errors(patch)
    assert (longer / shorter > 3.2).all()
    assert shorter[0] < 1e-6


@pytest.mark.slow
def test_with_wakes_as_they_were_it_is_of_first_order(patch: pytest.MonkeyPatch) -> None:
    """Negative control: 2.3 by hand for wakes that are held as they were when they changed."""
    longer, shorter = errors(patch, ahead=0.0)
    assert (longer / shorter < 2.7).any()
