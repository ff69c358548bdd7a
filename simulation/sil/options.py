"""`lapwing sim --sil`: the command line's part of software in the loop."""

import argparse
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from simulation.sil.plan import DEFAULT_RATE_HZ, DEFAULT_TIMEOUT_S, SilPlan

if TYPE_CHECKING:
    from simulation.sil.loop import SoftwareInTheLoop


def add_sil_options(parser: argparse.ArgumentParser) -> None:
    """Add `--sil` and what goes with it."""
    group = parser.add_argument_group(
        "software in the loop", "Runs code that you name; see examples/sil/README.md."
    )
    group.add_argument(
        "--sil",
        metavar="FILE.c|FILE.so|FILE.py:Class|module:Class",
        help="fly by these algorithms in the place of those on board",
    )
    group.add_argument(
        "--sil-rate", metavar="HZ", type=int, default=DEFAULT_RATE_HZ, help="default: %(default)s"
    )
    group.add_argument(
        "--sil-timeout",
        metavar="S",
        type=float,
        default=DEFAULT_TIMEOUT_S,
        help="the longest that one step may take (default: %(default)g)",
    )


def load_controller(
    options: argparse.Namespace, resources: ExitStack
) -> "SoftwareInTheLoop | None":
    """The controller that the options name, until `resources` are closed; raise SilError."""
    if not options.sil:
        return None
    from simulation.sil.loop import SoftwareInTheLoop

    def warn(sentence: str) -> None:
        print(f"lapwing sim: {sentence}", file=sys.stderr, flush=True)

    plan = SilPlan(options.sil, options.sil_rate, options.sil_timeout)
    loop = SoftwareInTheLoop(plan, warn)
    resources.callback(loop.close)
    return loop
