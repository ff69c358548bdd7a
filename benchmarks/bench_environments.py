"""Vector environment over a fleet: physics steps beside those of the bare fleet, in one run."""

import statistics
import time
from collections.abc import Callable, Iterator

import gymnasium
import numpy as np

import simulation.learning  # noqa: F401 - registers the environments
from benchmarks.hover import flown_fleet
from benchmarks.result import BenchmarkResult, at_least, beside

COUNT = 1000
CONTROL_STEPS = 50  # of an action, by default
_ACTIONS = 12
_AT_ONCE = _ACTIONS * CONTROL_STEPS
_ROUNDS = 9


def flown_environment(count: int = COUNT) -> Callable[[], int]:
    """Flies so many hovering quadrotors by random actions, `_ACTIONS` at a call; tells how many
    physics steps of episodes that were."""
    envs = gymnasium.make_vec(
        "lapwing/Hover-v0", num_envs=count, vectorization_mode="vector_entry_point"
    )
    envs.reset(seed=1)
    generator = np.random.default_rng(1)

    def fly() -> int:
        flown = 0
        for _ in range(_ACTIONS):
            actions = generator.uniform(-1.0, 1.0, (count, 4)).astype(np.float32)
            _, _, terminated, truncated, _ = envs.step(actions)
            begins = int((terminated | truncated).sum())  # at the next step, which counts for none
            flown += (count - begins) * CONTROL_STEPS
        return flown

    return fly


def processor_steps_per_s(fly: Callable[[], int]) -> float:
    """Of processor time."""
    began_s = time.process_time()
    return fly() / (time.process_time() - began_s)


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes half a minute."""
    environment = flown_environment()
    with flown_fleet(COUNT) as fleet:

        def fly_bare(block: int) -> int:
            for _ in range(_AT_ONCE // block):
                fleet.advance(block)
            return COUNT * _AT_ONCE

        rounds = [
            (
                processor_steps_per_s(environment),
                processor_steps_per_s(lambda: fly_bare(CONTROL_STEPS)),
                processor_steps_per_s(lambda: fly_bare(_AT_ONCE)),
            )
            for _ in range(_ROUNDS)
        ]
    flown, in_blocks, at_once = (statistics.median(column) for column in zip(*rounds, strict=True))
    share = statistics.median(own / bare for own, bare, _ in rounds)
    whole = statistics.median(own / bare for own, _, bare in rounds)
    yield beside(f"vector environment of {COUNT:,}", flown, "steps/s", "of processor time")
    yield beside(
        f"bare fleet, {CONTROL_STEPS} steps a call", in_blocks, "steps/s", "of processor time"
    )
    yield beside(f"bare fleet, {_AT_ONCE} steps a call", at_once, "steps/s", "of processor time")
    yield at_least(f"environment to the fleet, both {CONTROL_STEPS} steps a call", share, "x", 0.9)
    yield beside(
        f"environment to the fleet, {_AT_ONCE} steps a call", whole, "x", "caches stay warm there"
    )
