"""A fleet is many single flights, to the bit, however they are shared out."""

import hashlib
import math

import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.mathematics.random_numbers import LARGEST_SEED
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.simulator import Diverged, Simulator
from tests.simulation.flights import parked

SIZE = 7
SEED = 40


def prepare(simulator: Simulator) -> None:
    """Sensors run, the autopilot's settings are there, the air moves."""
    simulator.record["settings"] = parked().settings
    simulator.set_wind(3.0, -2.0)


def command(simulator: Simulator) -> None:
    simulator.command["armed"] = 1
    simulator.command["axis_mode"][:] = (2, 2, 3)
    simulator.command["thrust"] = 0.72


def flown(threads: int, block: int) -> list[str]:
    """Hashes of every flight."""
    aircraft = [load_aircraft("ar100b")] * SIZE
    with SimulatedFleet(aircraft, SEED, threads=threads) as fleet:
        for simulator in fleet.simulators:
            prepare(simulator)
        for part in range(2):
            for _ in range(1200 // block):
                fleet.advance(block)
            if part == 0:
                for simulator in fleet.simulators:
                    command(simulator)
        return [hashlib.sha256(s.snapshot()).hexdigest() for s in fleet.simulators]


def alone(seed: int) -> str:
    simulator = Simulator(load_aircraft("ar100b"), seed)
    prepare(simulator)
    simulator.advance(1200)
    command(simulator)
    simulator.advance(1200)
    assert simulator.output["true_position"][2] < -0.5
    return hashlib.sha256(simulator.snapshot()).hexdigest()


def test_seeds_beyond_32_bits_fly_their_own_flights() -> None:
    """And beyond those of 63 bits they begin again."""
    seeds = (SEED, 2**32 + SEED, 2**62 + SEED)
    assert len({alone(seed) for seed in seeds}) == len(seeds)
    with SimulatedFleet([load_aircraft("ar100b")] * 2, LARGEST_SEED) as fleet:
        assert fleet.records["state"]["seed"].tolist() == [LARGEST_SEED, 0]


@pytest.mark.parametrize(("threads", "block"), [(1, 1200), (2, 40), (3, 400), (2, 1200)])
def test_each_flies_as_if_alone(threads: int, block: int) -> None:
    hashes = flown(threads, block)
    assert hashes == [alone(SEED + i) for i in range(SIZE)]
    assert len(set(hashes)) == SIZE


def test_one_that_diverges_is_told_once_and_the_others_go_on() -> None:
    with SimulatedFleet([load_aircraft("ar100b")] * 3, threads=2) as fleet:
        fleet.advance(10)
        broken = fleet.simulators[1]
        broken.command["external"] = 1
        broken.output["actuator_command"] = math.nan
        with pytest.raises(ExceptionGroup, match="diverged") as caught:
            fleet.advance(10)
        assert [type(error) for error in caught.value.exceptions] == [Diverged]
        fleet.advance(10)
        assert [s.time_us for s in fleet.simulators] == [30_000, 10_000, 30_000]
        assert fleet.records["output"]["step"].tolist() == [30, 10, 30]
