"""Compiling ahead, so that no flight has to wait for it."""

import gc

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from telemetry.objects.catalogue import Catalogue


def warm_up(config: AutopilotConfig, catalogue: Catalogue) -> None:
    """Fly one loop that nobody sees: everything a flight needs is compiled or loaded then.

    Compiling makes objects by the million that all stay in use; without a garbage collector
    that looks through them again and again it takes a seventh less time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        Autopilot(config, catalogue).run_loop()
    finally:
        if was_enabled:
            gc.enable()
