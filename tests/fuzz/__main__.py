"""Every parser with as many inputs as the bars ask for, in parallel processes: `make fuzz`."""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tests.fuzz.campaign import count_for, run
from tests.fuzz.parsers import PARSERS
from tests.simulation.compiler.kernel_functions import called
from tests.simulation.compiler.random_programs import search

_PROGRAMS = 27_000  # of which 20,000 can be compared
_CALLS = 100  # of each function of the simulator's programs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--only", metavar="A,B", default=",".join(PARSERS))
    parser.add_argument("--share", metavar="X", type=float, default=1.0, help="of the inputs")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="another one, others")
    parser.add_argument("--processes", metavar="N", type=int)
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="lapwing-found-"))
    held = True
    names = options.only.split(",")
    with ThreadPoolExecutor(options.processes or os.cpu_count()) as pool:
        jobs = [pool.submit(alone, options.share, options.seed, folder, name) for name in names]
        for job in as_completed(jobs):
            is_good, words = job.result()
            print(words, flush=True)
            held = held and is_good
    print(covered(names, options.share))
    if options.only == ",".join(PARSERS):
        compared, faults = search(options.seed * _PROGRAMS, int(_PROGRAMS * options.share))
        print(f"random programs: {compared} compared, {len(faults)} differ", *faults, sep="\n")
        held = held and not faults
        functions = called(max(int(_CALLS * options.share), 1), options.seed)
        counts, faults = functions["compared"], functions["faults"]
        words = f"{len(counts)} functions: {sum(counts.values())} calls compared"
        print(f"{words}, {len(faults)} differ", *faults, sep="\n")
        held = held and not faults
    return 0 if held else 1


def alone(share: float, seed: int, folder: Path, name: str) -> tuple[bool, str]:
    """See `run`; in a process of its own, which an input may end."""
    with ProcessPoolExecutor(1) as pool:
        try:
            return pool.submit(run, share, seed, folder, name).result()
        except BrokenProcessPool:
            return False, f"{name}: its process ended; seed {seed} has the input again"


def covered(names: Sequence[str], share: float) -> str:
    """What was fed with how much, and what was left out, as sentences."""
    inputs = sum(count_for(name, share) for name in names)
    left_out = [name for name in PARSERS if name not in names]
    without = f" Left out: {', '.join(left_out)}." if left_out else ""
    return f"{len(names)} of {len(PARSERS)} parsers, {inputs:,} inputs.{without}"


if __name__ == "__main__":
    sys.exit(main())
