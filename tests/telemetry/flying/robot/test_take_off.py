"""When a robot takes off, and when it waits.

hector's receiver wanders by metres for its first seconds, and one that takes off then topples or
gives up: 3 m, vtolautotakeofffsm.cpp of LibrePilot. Without a first fix no INS13 arms at all:
filterekf.c (FILTERRESULT_CRITICAL until it is initialised) and okToArm of armhandler.c.
"""

from dataclasses import replace

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import load_preset
from simulation.simulator import controls
from telemetry.configuration.arming import procedure
from telemetry.flying.robot.errors import RobotError
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.robot.bench import RobotBench


def hector(catalogue: Catalogue, seed: int) -> RobotBench:
    """With Lapwing's own filter, which begins with the first fix: firmware's is ready a second
    later, and came up in 24 of 24 flights without being waited for."""
    preset = replace(load_preset("hector"), has_own_filter=True)
    return RobotBench(catalogue, AutopilotConfig(preset, seed=seed))


def take_off(bench: RobotBench) -> None:
    """As soon as it is powered up and has told its settings."""
    bench.finish_action(bench.robot.take_off(wait=False), limit_s=90.0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 9, 13, 16])
def test_it_waits_for_an_estimate_that_stands_still(catalogue: Catalogue, seed: int) -> None:
    bench = hector(catalogue, seed)
    take_off(bench)
    assert bench.truth[2] > 1.0
    assert not bench.autopilot.simulator.output["crashed"]


@pytest.mark.slow
def test_without_waiting_it_does_not_come_up(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative control: one of these flights, asked for at once."""
    monkeypatch.setattr(procedure, "check_position_for_take_off", lambda past: None)
    bench = hector(catalogue, 16)
    with pytest.raises(RobotError, match="disarmed before it"):
        take_off(bench)
    assert bench.truth[2] < 1.0


@pytest.mark.slow
def test_without_a_fix_it_says_so_instead_of_waiting_for_ever(catalogue: Catalogue) -> None:
    bench = RobotBench(catalogue)
    controls.apply(bench.autopilot.simulator, "gps_lost", 1.0)
    with pytest.raises(RobotError, match=r"Not armed within 60 s.*GPS"):
        take_off(bench)
    assert max(bench.rotor_speeds) == 0.0


@pytest.mark.slow
def test_without_gps_a_script_takes_off_by_the_sticks(catalogue: Catalogue) -> None:
    """Firmware arms INS13Indoor anywhere, and AltitudeVario climbs by the throttle."""
    bench = RobotBench(catalogue, AutopilotConfig(load_preset("hector-indoor")))
    controls.apply(bench.autopilot.simulator, "gps_lost", 1.0)
    with pytest.raises(RobotError, match="estimates no position"):
        take_off(bench)
    bench.finish_action(bench.robot.arm(wait=False))
    climbing = bench.robot.steer(Sticks(throttle=0.9), "Stabilized2", 5.5, wait=False)
    bench.finish_action(climbing)
    assert bench.truth[2] > 0.6
