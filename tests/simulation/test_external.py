"""Actuators driven from outside: the program on board rests, physics and sensors go on."""

import ctypes
import math
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


def asked_once(function: Callable[[Any], None], constant: float) -> tuple[Any, str]:
    """An EXTERNAL_FORCE record after the compiled function, and why it failed."""
    force = compiled_force(function, constants=[constant])
    record = np.zeros(1, EXTERNAL_FORCE)
    force.begin(record[0])
    address = force.handle
    assert isinstance(address, ctypes.c_int64)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address.value)(record.ctypes.data)
    return record, force.failure(record[0])


def counted(e: Any) -> None:
    e["force_ned"][0] = int(e["constants"][0])


def shifted(e: Any) -> None:
    e["force_ned"][0] = 8 >> int(e["constants"][0])
    e["force_ned"][1] = 8 << int(e["constants"][0])


@pytest.mark.skipif(not IS_COMPILING, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("function", "values"),
    [
        (counted, {7.9: (7.0, 0.0), -(2.0**63): (-(2.0**63), 0.0)}),
        (counted, {2.0**63: "OverflowError", -1e300: "OverflowError", math.nan: "OverflowError"}),
        (shifted, {0.0: (8.0, 8.0), 2.0: (2.0, 32.0), 64.0: (0.0, 0.0), -1.0: "ValueError"}),
    ],
)
def test_a_whole_number_beyond_64_bits_and_a_negative_shift_stop_the_simulation(
    function: Callable[[Any], None], values: dict[float, tuple[float, float] | str]
) -> None:
    """Python's values, whose whole numbers wrap around at 64 bits here; the name of its exception,
    or of the one for what no 64 bits hold, with the line."""
    for number, value in values.items():
        record, failure = asked_once(function, number)
        if isinstance(value, str):
            assert value in failure
            assert f"{__file__}:" in failure
        else:
            assert (*record["force_ned"][0, :2], failure) == (*value, "")


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
        record, failure = asked_once(function, place)
        assert bool(np.isnan(record["force"][0, 0])) == (written is None), place
        assert ("IndexError" in failure and f"{__file__}:" in failure) == (written is None)
        if written is not None:
            assert record["force_ned"][0].tolist() == [float(i == written) for i in range(3)]
