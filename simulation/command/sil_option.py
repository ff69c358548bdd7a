"""`lapwing sim --sil`: the command line's part of software in the loop."""

import argparse
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from simulation.sil.config import DEFAULT_RATE_HZ, DEFAULT_TIMEOUT_S, SilConfig

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
    group.add_argument("--sil-rate", metavar="HZ", type=int, help=f"default: {DEFAULT_RATE_HZ}")
    group.add_argument(
        "--sil-timeout",
        metavar="S",
        type=float,
        help=f"the longest that one step may take (default: {DEFAULT_TIMEOUT_S:g})",
    )


def load_controller(
    options: argparse.Namespace, resources: ExitStack
) -> "SoftwareInTheLoop | None":
    """The controller that the options name, until `resources` are closed; raise SilError."""
    if options.sil is None:
        return None
    from simulation.sil.loop import SoftwareInTheLoop

    def warn(sentence: str) -> None:
        print(f"lapwing sim: {sentence}", file=sys.stderr, flush=True)

    rate_hz = DEFAULT_RATE_HZ if options.sil_rate is None else options.sil_rate
    timeout_s = DEFAULT_TIMEOUT_S if options.sil_timeout is None else options.sil_timeout
    plan = SilConfig(options.sil, rate_hz, timeout_s)
    loop = SoftwareInTheLoop(plan, warn)
    resources.callback(loop.close)
    return loop
