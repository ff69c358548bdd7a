"""Film simulated flights, find their synchronisation, compare with the truth: `make bench-sync`.

An hour or two at first. What is done is kept in the folder of `--out`, so that it can be
interrupted at any time: films, and what was found in them until the code that finds it has changed
or `--again` is given. Errors are the worst over what was filmed while the log ran.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from benchmarks.sync.film import Film
from benchmarks.sync.flights import SPECIAL, TWENTY
from benchmarks.sync.outcome import SyncOutcome, as_table, judge
from telemetry.base.folders import Folders

_LEAST_RIGHT = 19


def main(words: Sequence[str]) -> int:
    """Measure, print a table; returns 1 when a bar was missed."""
    parser = _parser()
    options = parser.parse_args(words)
    flights = {flight.name: flight for flight in (*TWENTY, *SPECIAL)}
    if unknown := set(options.names) - set(flights):
        parser.error(
            f"no flight is named {', '.join(sorted(unknown))}; there are {', '.join(flights)}"
        )
    chosen = [flight for name, flight in flights.items() if name in (options.names or flights)]
    outcomes: list[SyncOutcome] = []
    for flight in tqdm(chosen, unit="flight"):
        film = Film(flight, options.out, options.size)
        film.make()
        outcomes.append(judge(film, film.found(again=options.again)))
        tqdm.write(outcomes[-1].line, file=sys.stderr)
    print(as_table(outcomes))
    wrong = [outcome for outcome in outcomes if outcome.is_wrong]
    right = sum(outcome.is_right for outcome in outcomes)
    missing = len(TWENTY) - _LEAST_RIGHT
    print(f"{right} of {len(outcomes)} right, {len(wrong)} wrong.")
    return 1 if wrong or right < len(outcomes) - missing else 0


def _parser() -> argparse.ArgumentParser:
    cache = Folders.of_user(os.environ).cache / "bench-sync"
    parser = argparse.ArgumentParser("python -m benchmarks.sync", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="FLIGHT", help="all if none is named")
    parser.add_argument("--out", type=Path, default=cache, metavar="DIR")
    parser.add_argument("--size", default="640x480", metavar="WxH", help="of the films")
    parser.add_argument("--again", action="store_true", help="find all synchronisations again")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
