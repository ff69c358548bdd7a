"""What the AR.Drone tells of itself, 200 times a second (seed 002, sensor model)."""

import numpy as np

from simulation.aircraft.aircraft import load_aircraft
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.simulator.simulator import Simulator
from telemetry.protocol.streams.samples import ValueSample, check_sample, value_names
from tests.simulation.perception.rooms import room


def _standing(steps: int) -> tuple[Simulator, list[SuiteSample]]:
    aircraft = load_aircraft("ardrone")
    simulator = Simulator(aircraft)
    mounts = [mount for mount in aircraft.mounts if mount.name == "navdata"]
    suite = PerceptionSuite(simulator, room(), mounts)
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    simulator.advance(steps)
    assert not suite.failures
    return simulator, found


def test_stamps_are_five_milliseconds_apart_and_it_comes_by_radio() -> None:
    _, found = _standing(500)
    stamps = [each.sample.time_us for each in found]
    assert set(np.diff(stamps).tolist()) == {5000}
    assert stamps[-1] == 500_000 - 25_000
    for each in found:
        check_sample(each.description, each.sample)


def test_it_says_what_the_board_knows_and_not_what_is_true() -> None:
    simulator, found = _standing(400)
    names = [name for name, _ in value_names(found[0].description)]
    sample = found[-1].sample
    assert isinstance(sample, ValueSample)
    newest = dict(zip(names, sample.values.tolist(), strict=True))
    assert abs(newest["specific force z"] + 9.81) < 0.5
    assert newest["specific force z"] != simulator.output["true_specific_force"][2]
    assert 11.0 < newest["battery"] < 12.7
    assert not found[-1].truth.values
