"""Lapwing's vector environment: a thousand quadrotors with sensors, estimation and control, flown
by random actions, with observations and rewards."""

import statistics

from benchmarks.bench_environments import flown_environment, processor_steps_per_s
from benchmarks.peers import manoeuvre as m

_ROUNDS = 5


def speed() -> float:
    """Physics steps of all aircraft together."""
    environment = flown_environment()
    environment()
    return statistics.median(processor_steps_per_s(environment) for _ in range(_ROUNDS))


if __name__ == "__main__":
    m.print_flown(speed())
