"""The motor test on the simulator's own board: the motor asked for turns, and no other."""

import pytest

from telemetry.configuration.actuator_test.state_machine import ActuatorTest, Phase
from telemetry.protocol.objects.catalogue import load_catalogue
from tests.flown_bench import FlownBench

ME = "a panel"
TURNING = 50.0


@pytest.fixture(scope="module")
def bench() -> FlownBench:
    return FlownBench(load_catalogue())


def watch(bench: FlownBench, test: ActuatorTest, seconds: float) -> None:
    end_s = bench.clock.now + seconds

    def is_over() -> bool:
        test.poll()
        return bench.clock.now >= end_s

    bench.run(is_over)


@pytest.mark.slow
def test_each_motor_turns_alone_while_held_and_runs_down_after(bench: FlownBench) -> None:
    test = ActuatorTest(bench.vehicle, bench.clock)
    watch(bench, test, 2.0)
    test.confirm_propellers("propellers off")
    assert test.begin(ME), test.message
    watch(bench, test, 2.0)
    assert test.phase is Phase.READY
    assert max(bench.rotor_speeds) == 0.0  # taking over moves nothing
    for number in (1, 4):
        assert test.hold(ME, number), test.message
        watch(bench, test, 1.0)
        turning = [speed > TURNING for speed in bench.rotor_speeds]
        assert turning == [n == number for n in (1, 2, 3, 4)]
        test.release(ME)
        watch(bench, test, 2.0)
        assert test.phase is Phase.READY, test.message
        watch(bench, test, 3.0)
        assert max(bench.rotor_speeds) < TURNING
    test.end(ME)
    watch(bench, test, 1.0)
    command = bench.autopilot.board["ActuatorCommand"]
    assert not command.metadata.flight_readonly
    assert command.metadata == command.factory_metadata


@pytest.mark.slow
def test_without_a_beginning_nothing_turns(bench: FlownBench) -> None:
    test = ActuatorTest(bench.vehicle, bench.clock)
    test.confirm_propellers("propellers off")
    assert not test.hold(ME, 1)
    watch(bench, test, 1.0)
    assert max(bench.rotor_speeds) < TURNING
