"""The GPS receiver: fix, satellites, errors that belong together, delay, faults."""

import numpy as np
import numpy.typing as npt
import pytest

from simulation.records.flight import TURN_ON
from simulation.records.interface import GPS_FIX_3D, GPS_NO_FIX
from simulation.records.sensor_table import GPS, GPS_VELOCITY
from simulation.sensors.gps import dilution
from simulation.simulator.controls import apply
from simulation.simulator.simulator import Simulator
from telemetry.base.earth.tangent_plane import plane_at
from tests.simulation.flights import parked, thrown

Array = npt.NDArray[np.float64]


def test_no_fix_at_first_and_then_it_knows_the_field() -> None:
    simulator = parked()
    simulator.advance(2000)
    assert simulator.output["gps_status"] == GPS_NO_FIX
    simulator.advance(4000)
    output = simulator.output
    assert output["gps_status"] == GPS_FIX_3D
    assert output["gps_satellites"] >= 8
    assert output["gps_latitude_deg"] == pytest.approx(48.946, abs=5e-5)
    assert output["gps_longitude_deg"] == pytest.approx(9.43, abs=5e-5)


def test_outage_takes_the_fix_and_gives_it_back() -> None:
    simulator = _with_fix()
    apply(simulator, "gps_lost", 1.0)
    simulator.advance(1000)
    assert simulator.output["gps_status"] == GPS_NO_FIX
    apply(simulator, "gps_lost", 0.0)
    simulator.advance(1000)
    assert simulator.output["gps_status"] == GPS_FIX_3D


def test_too_few_satellites_are_no_fix() -> None:
    simulator = _with_fix()
    simulator.world["gps_satellites"] = 1.0
    simulator.advance(1000)
    assert simulator.output["gps_status"] == GPS_NO_FIX


def test_position_jumps_when_told() -> None:
    """A4's discontinuity: only the position, at once."""
    simulator = _with_fix()
    before = _place(simulator)
    simulator.world["gps_jump"] = (5.0, -8.0)
    simulator.advance(400)
    assert _place(simulator) - before == pytest.approx((5.0, -8.0), abs=0.3)
    assert np.abs(simulator.output["gps_velocity"]).max() < 0.5


@pytest.mark.slow
def test_fewer_satellites_make_it_worse() -> None:
    """About 1 m with ten (seed 004); four times that with half as many."""
    assert dilution(10.0) == 1.0
    assert dilution(5.0) == 4.0
    spread = [np.std([_place(_settled(seed, n))[0] for seed in range(40)]) for n in (10.0, 5.0)]
    assert spread[0] == pytest.approx(1.0, rel=0.35)
    assert 2.0 < spread[1] / spread[0] < 8.0


@pytest.mark.slow
def test_velocity_error_is_what_the_position_error_grows_by() -> None:
    """e_p' = -e_p / tau + e_v from second to second, noise apart; a wrong sign would not fit."""
    simulator = parked(5)
    simulator.record["parameters"]["sensor_error"][[GPS, GPS_VELOCITY], 0] = 0.0
    simulator.advance(5000)
    rows = []
    for _ in range(600):
        simulator.advance(200)
        rows.append((_place(simulator)[0], float(simulator.output["gps_velocity"][0])))
    position, velocity = np.array(rows).T
    forgotten = position.reshape(-1, 5).mean(axis=1)[1:] / 60.0
    slope = np.diff(position[4::5]) + forgotten
    mean = velocity.reshape(-1, 5).mean(axis=1)[1:]
    assert np.abs(slope - mean).max() < 0.03  # a step of 1e-7 degrees is 11 mm
    assert np.corrcoef(slope, mean)[0, 1] > 0.98


def test_offset_of_the_run_is_felt() -> None:
    simulator = parked()
    simulator.record["parameters"]["sensor_error"][GPS_VELOCITY] = (0, 0, 1, 0, 500, 1e-3)
    simulator.record["parameters"]["sensor_error"][GPS_VELOCITY][TURN_ON] = 3.0
    simulator.advance(5000)
    assert np.abs(simulator.output["gps_velocity"]).max() > 0.5


def test_a_fix_tells_where_it_was_150_ms_ago() -> None:
    simulator = parked()
    simulator.record["parameters"]["sensor_error"][[GPS, GPS_VELOCITY]] = (0, 0, 1, 0, 1e9, 1e-3)
    simulator.record["parameters"]["gps_first_fix"] = 0
    simulator.advance(401)
    thrown(simulator, 100.0, velocity=(10.0, 0.0, 0.0))
    simulator.record["parameters"]["drag_force"] = 0.0
    fixes: list[float] = []
    count = int(simulator.output["gps_count"])
    while len(fixes) < 4:
        simulator.advance(1)
        if simulator.output["gps_count"] != count:
            count = int(simulator.output["gps_count"])
            true = float(simulator.output["true_position"][0])
            fixes.append(true - float(_place(simulator)[0]))
    assert fixes[1:] == pytest.approx([1.5] * 3, abs=0.03)


def _with_fix() -> Simulator:
    simulator = parked()
    simulator.advance(5000)
    return simulator


def _settled(seed: int, satellites: float) -> Simulator:
    """With errors as they are after a long time."""
    simulator = parked(seed)
    parameters = simulator.record["parameters"]
    parameters["gps_first_fix"] = 0
    parameters["sensor_period"][:] = 0
    parameters["sensor_period"][GPS] = 1000
    parameters["sensor_delay"][GPS] = 0
    simulator.world["gps_satellites"] = satellites
    simulator.advance(20_001)
    return simulator


def _place(simulator: Simulator) -> Array:
    """North and east of where the aircraft stood, by GPS."""
    output, origin = simulator.output, simulator.place
    plane = plane_at(origin.latitude_deg, origin.longitude_deg)
    fix = float(output["gps_latitude_deg"]), float(output["gps_longitude_deg"])
    return np.array(plane.north_east(*fix))
