"""`lapwing sim --sil`: the command line's part of software in the loop."""

import argparse
from contextlib import ExitStack
from typing import TYPE_CHECKING

from simulation.command.options import Options, value
from simulation.command.terminal import tell
from simulation.sil.config import DEFAULT_RATE_HZ, DEFAULT_TIMEOUT_S, SilConfig

if TYPE_CHECKING:
    from simulation.sil.loop import SoftwareInTheLoop


SIL_OPTIONS: Options = {
    "--sil": value(
        "FILE.c|FILE.so|FILE.py:Class|module:Class",
        "fly by these algorithms of yours in the place of those on board, see "
        "examples/sil/README.md",
    ),
    "--sil-rate": value("HZ", f"default: {DEFAULT_RATE_HZ}", int),
    "--sil-timeout": value(
        "S", f"the longest that one step may take (default: {DEFAULT_TIMEOUT_S:g})", float
    ),
}


def load_controller(
    options: argparse.Namespace, resources: ExitStack
) -> "SoftwareInTheLoop | None":
    """The controller that the options name, until `resources` are closed. Raises SilError, and
    ValueError for options of a controller without one."""
    if options.sil is None:
        for name in ("sil_rate", "sil_timeout"):
            if getattr(options, name) is not None:
                option = name.replace("_", "-")
                raise ValueError(f"--{option} says something about --sil; add --sil.")
        return None
    from simulation.sil.loop import SoftwareInTheLoop

    rate_hz = DEFAULT_RATE_HZ if options.sil_rate is None else options.sil_rate
    timeout_s = DEFAULT_TIMEOUT_S if options.sil_timeout is None else options.sil_timeout
    plan = SilConfig(options.sil, rate_hz, timeout_s)
    loop = SoftwareInTheLoop(plan, tell)
    resources.callback(loop.close)
    return loop
