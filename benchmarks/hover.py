"""A quadrotor that hovers in turbulence with every sensor at work: speed is measured on it."""

import time
from collections.abc import Callable

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.records.interface import FUSION_COMPLEMENTARY_MAG_GPS, VERTICAL_HOLD
from simulation.simulator.fleet import SimulatedFleet
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import load_catalogue

READY_STEPS = 6000
_CLIMB_STEPS = 10_000
_ROUNDS = 3


def standing(fusion: int = FUSION_COMPLEMENTARY_MAG_GPS) -> Simulator:
    """On the ground, in wind and turbulence."""
    simulator = factory_simulator(load_preset("ar100b"), load_catalogue())
    simulator.settings["fusion_algorithm"] = fusion
    simulator.set_wind(3.0, 0.0)
    simulator.set_turbulence(5.0)
    return simulator


def take_off(simulator: Simulator) -> None:
    """Armed, told to hover 10 m up."""
    command = simulator.command
    command["armed"] = 1
    command["axis_mode"] = 2
    command["vertical_mode"] = VERTICAL_HOLD
    command["down_m"] = -10.0


def flown_fleet(count: int, threads: int = 1) -> SimulatedFleet:
    """Many hovering aircraft, each with its own seed."""
    pattern = standing()
    fleet = SimulatedFleet([pattern.aircraft] * count, threads=threads)
    fleet.records["settings"] = pattern.settings
    fleet.advance(READY_STEPS // 2)
    for simulator in fleet.simulators:
        take_off(simulator)
    fleet.advance(2000)
    return fleet


def steps_per_s(
    steps_per_call: int,
    total: int,
    fusion: int = FUSION_COMPLEMENTARY_MAG_GPS,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Steps per second of the hovering aircraft, the best of three times `total` steps."""
    simulator = standing(fusion)
    simulator.advance(READY_STEPS)
    take_off(simulator)
    simulator.advance(_CLIMB_STEPS)
    taken_s = []
    for _ in range(_ROUNDS):
        began_s = clock()
        for _ in range(total // steps_per_call):
            simulator.advance(steps_per_call)
        taken_s.append(clock() - began_s)
    return total / min(taken_s)
