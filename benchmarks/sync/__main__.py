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
from typing import TypeVar

from tqdm import tqdm

from benchmarks.sync.camera_outcome import CameraOutcome, as_camera_table, judge_camera
from benchmarks.sync.cases import CASES, CaseFilm, verdict
from benchmarks.sync.film import Film
from benchmarks.sync.flights import LANDED, PLAIN, SPECIAL, TWENTY
from benchmarks.sync.outcome import SyncOutcome, as_table, judge
from telemetry.base.folders import Folders

_Judged = TypeVar("_Judged", Film, CaseFilm)
_MOST_MISSING = 1
_CASES = "cases"
_MAKES = {"first": (*TWENTY, *SPECIAL), "second": PLAIN}


def main(words: Sequence[str]) -> int:
    """Measure, print tables; returns 1 when a bar of times was missed."""
    parser = _parser()
    options = parser.parse_args(words)
    every = (*TWENTY, *SPECIAL, *PLAIN, LANDED)
    films = {flight.name: Film(flight, options.out, options.size) for flight in every}
    if options.make == _CASES:
        known = {case.name: CaseFilm(case, options.out, films) for case in CASES}
        return _judge_cases(_chosen(parser, options.names, known), options.again)
    of_make = {flight.name: films[flight.name] for flight in _MAKES[options.make]}
    return _judge_films(_chosen(parser, options.names, of_make), options.again)


def _chosen(
    parser: argparse.ArgumentParser, names: list[str], known: dict[str, _Judged]
) -> list[_Judged]:
    if unknown := set(names) - set(known):
        parser.error(f"nothing is named {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return [one for name, one in known.items() if name in (names or known)]


def _judge_films(films: list[Film], again: bool) -> int:
    outcomes: list[SyncOutcome] = []
    cameras: list[CameraOutcome] = []
    for film in tqdm(films, unit="flight"):
        film.make()
        found = film.found(again=again)
        outcomes.append(judge(film, found))
        if film.flight.is_found:
            cameras.append(judge_camera(film.flight.name, film.truth, found))
        tqdm.write(outcomes[-1].line, file=sys.stderr)
    print(as_table(outcomes))
    print(as_camera_table(cameras))
    wrong = [outcome for outcome in outcomes if outcome.is_wrong]
    right = sum(outcome.is_right for outcome in outcomes)
    print(f"{right} of {len(outcomes)} right, {len(wrong)} wrong.")
    return 1 if wrong or right < len(outcomes) - _MOST_MISSING else 0


def _judge_cases(films: list[CaseFilm], again: bool) -> int:
    right = 0
    for film in tqdm(films, unit="case"):
        film.make()
        said = verdict(film.case, film.truth, film.found(again=again))
        right += said.startswith("right")
        print(f"{film.case.name:20}{said}")
    print(f"{right} of {len(films)} right.")
    return 1 if right < len(films) else 0


def _parser() -> argparse.ArgumentParser:
    cache = Folders.of_user(os.environ).cache / "bench-sync"
    parser = argparse.ArgumentParser("python -m benchmarks.sync", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all if none is named")
    parser.add_argument(
        "--make",
        choices=(*_MAKES, _CASES),
        default="first",
        help="flights as the simulator films them, as a plain second renderer does, or films that "
        "were cut, darkened, covered",
    )
    parser.add_argument("--out", type=Path, default=cache, metavar="DIR")
    parser.add_argument("--size", default="640x480", metavar="WxH", help="of the films")
    parser.add_argument("--again", action="store_true", help="find all synchronisations again")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
