"""A station that supplies ActuatorCommand spins single motors, as on a real board's bench."""

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.metadata import Metadata, metaobject
from tests.simulation.bench import Bench

STILL = [1000] * 12


@pytest.fixture
def bench(catalogue: Catalogue, preset: Preset) -> Bench:
    bench = Bench(AutopilotConfig(preset), catalogue)
    bench.run(2.0)
    return bench


def take_over(bench: Bench, taken: bool) -> None:
    definition = bench.definition("ActuatorCommand")
    own = bench.autopilot.board["ActuatorCommand"].factory_metadata
    metadata = Metadata(flight_readonly=True, flight=own.flight) if taken else own
    bench.station.write(metaobject(definition), 0, metadata.pack(8))
    bench.run(0.1)


def spin(bench: Bench, motor: int, pulse_us: int) -> None:
    channels = STILL.copy()
    channels[motor - 1] = pulse_us
    bench.write("ActuatorCommand", {"Channel": channels})


def speeds(bench: Bench) -> list[float]:
    return [float(s) for s in bench.autopilot.simulator.output["rotor_speed"][:4]]


@pytest.mark.parametrize("motor", [1, 3])
def test_one_motor_spins_and_stops_with_control_given_back(bench: Bench, motor: int) -> None:
    take_over(bench, taken=True)
    spin(bench, motor, 1300)
    bench.run(1.0)
    turning = [speed > 50.0 for speed in speeds(bench)]
    assert turning == [number == motor for number in (1, 2, 3, 4)]
    assert bench.value("FlightStatus", "Armed") == "Disarmed"
    assert float(bench.autopilot.simulator.output["battery_current"]) > 0.3
    spinning = max(speeds(bench))
    take_over(bench, taken=False)
    bench.run(3.0)
    assert max(speeds(bench)) < 0.3 * spinning  # it runs down


def test_the_faster_pulse_turns_the_motor_faster(bench: Bench) -> None:
    take_over(bench, taken=True)
    spin(bench, 2, 1150)
    bench.run(1.0)
    slow = speeds(bench)[1]
    spin(bench, 2, 1400)
    bench.run(1.0)
    assert speeds(bench)[1] > 1.5 * slow


def test_without_taking_over_a_write_moves_nothing(bench: Bench) -> None:
    spin(bench, 3, 1500)
    bench.run(1.0)
    assert max(speeds(bench)) == 0.0


def test_nothing_turns_before_the_first_command(bench: Bench) -> None:
    take_over(bench, taken=True)
    bench.run(1.0)
    assert max(speeds(bench)) == 0.0


def test_the_last_command_outlives_the_station_as_on_a_real_board(bench: Bench) -> None:
    take_over(bench, taken=True)
    spin(bench, 3, 1300)
    for _ in range(round(15.0 * 50)):
        bench.autopilot.run_loop()  # nobody speaks to it any more
    assert not bench.autopilot.session.is_connected
    assert speeds(bench)[2] > 50.0


def test_the_board_tells_what_the_station_commands(bench: Bench) -> None:
    take_over(bench, taken=True)
    spin(bench, 3, 1300)
    bench.run(2.0)
    assert bench.value("ActuatorCommand", "Channel")[2] == 1300
