"""Warm-up: programs compiled ahead, so that no flight has to wait for it."""

from dataclasses import replace

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.serving.interrupts import interrupts_postponed
from telemetry.protocol.objects.catalogue import Catalogue


def warm_up(config: AutopilotConfig, catalogue: Catalogue) -> None:
    """Fly one loop that nobody sees: everything a flight needs is compiled or loaded then. A
    controller of the user's does not take part.

    Call it in the main thread. An interrupt meanwhile raises KeyboardInterrupt when it is done.
    """
    with interrupts_postponed():
        Autopilot(replace(config, inner_loop=None), catalogue).run_loop()
