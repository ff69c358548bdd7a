"""Actuators driven from outside: the program on board rests, physics and sensors go on."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulation.compiler.decorators import IS_COMPILING
from simulation.records.interface import EXTERNAL_FORCE
from simulation.simulator.external_force import compiled_force
from simulation.simulator.simulator import Simulator
from tests.simulation.flights import parked

PULSE_US = 1700.0


def driven(pulse_us: float) -> Simulator:
    simulator = parked()
    simulator.command["external"] = 1
    simulator.output["actuator_command"] = pulse_us
    simulator.advance(2000)
    return simulator


def test_the_actuators_do_what_was_written() -> None:
    simulator = driven(PULSE_US)
    assert (simulator.output["actuator_command"] == PULSE_US).all()
    assert simulator.output["true_position"][2] < -1.0


def test_without_pulses_it_stays_on_the_ground() -> None:
    simulator = driven(1000.0)
    assert simulator.output["touches_ground"] == 1


def test_the_program_on_board_rests_and_sensors_go_on() -> None:
    simulator = driven(1000.0)
    assert simulator.output["attitude_valid"] == 0
    assert simulator.output["imu_count"] == 1000
    assert simulator.output["battery_voltage"] > 10.0


def test_on_board_control_takes_over_again() -> None:
    """Negative control: with the flag at 0 what is written is overwritten, once the filter has
    given up waiting for rest: it flies."""
    simulator = driven(PULSE_US)
    simulator.command["external"] = 0
    simulator.advance(6000)
    assert simulator.output["actuator_command"][0] == pytest.approx(1000.0)
    assert simulator.output["attitude_valid"] == 1


def indexed(e: Any) -> None:
    e["force_ned"][int(e["constants"][0])] = 1.0


def stretched(e: Any) -> None:
    n = int(e["constants"][0])
    part = e["force_ned"][n : n + 2]
    part[1] = 1.0


@pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("function", "places"),
    [
        (indexed, {2.0: 2, -1.0: 2, -3.0: 0, 3.0: None, 40_000_000.0: None, -4.0: None}),
        (stretched, {0.0: 1, 1.0: 2, 2.0: None, 40_000_000.0: None, -1.0: None, -4.0: None}),
    ],
)
def test_an_index_beyond_its_array_stops_the_simulation_with_its_line(
    function: Callable[[Any], None], places: dict[float, int | None]
) -> None:
    """Where plain Python writes; None where it raises, or where a stretch is not that wide, or
    begins before its array, which this language has not."""
    for place, written in places.items():
        force = compiled_force(function, constants=[place])
        record = np.zeros(1, EXTERNAL_FORCE)
        force.begin(record[0])
        address = force.handle
        assert isinstance(address, ctypes.c_int64)
        run = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address.value)
        run(record.ctypes.data)
        assert bool(np.isnan(record["force"][0, 0])) == (written is None), place
        failure = force.failure(record[0])
        assert ("IndexError" in failure and f"{__file__}:" in failure) == (written is None)
        if written is not None:
            assert record["force_ned"][0].tolist() == [float(i == written) for i in range(3)]
