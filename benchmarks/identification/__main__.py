"""Fly with a drawn truth, identify from the log, compare: `make bench-identify`.

An hour of processor time at first; logs and findings are kept in the folder of `--out`. WIND is
test A7: the wind alone is not known. AIRCRAFT is otherwise than its file says, and all is looked
for.
"""

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.identification.flights import (
    TrueFlight,
    aircraft_flight,
    found_in,
    wind_flight,
)
from telemetry.base.folders import Folders

_KINDS: Final[dict[str, tuple[Callable[[int], TrueFlight], int]]] = {
    "wind": (wind_flight, 100),
    "aircraft": (aircraft_flight, 20),
}
_NINETY: Final = 1.645
_BARS: Final = {
    "thrust_per_mass": ("rel", 0.05),
    "drag_per_mass": ("rel", 0.05),
    "motor_time_constant_ms": ("rel", 0.15),
    "dead_time_ms": ("abs", 3.0),
}

Row = dict[str, Any]


def main(words: Sequence[str]) -> int:
    """Measure and print; returns 1 when a bar was missed."""
    options = _parser().parse_args(words)
    make, count = _KINDS[options.kind]
    folder = options.out / options.kind
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for seed in range(options.first, options.first + (options.count or count)):
        rows.append(_row(make(seed), folder, again=options.again))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    flown = [row for row in rows if "told" in row]
    print(f"{len(flown)} of {len(rows)} flights came to an end.")
    return _judge_wind(flown) if options.kind == "wind" else _judge_aircraft(flown)


def _parser() -> argparse.ArgumentParser:
    cache = Folders.of_user(os.environ).cache / "bench-identify"
    parser = argparse.ArgumentParser("python -m benchmarks.identification", description=__doc__)
    parser.add_argument("kind", choices=list(_KINDS))
    parser.add_argument("--out", type=Path, default=cache, metavar="DIR")
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--count", type=int, default=0, metavar="N", help="of seeds (all)")
    parser.add_argument("--again", action="store_true", help="identify anew in logs that are there")
    return parser


def _row(flight: TrueFlight, folder: Path, *, again: bool) -> Row:
    kept = folder / f"{flight.seed}.json"
    if kept.exists() and not again:
        row: Row = json.loads(kept.read_text())
        return row
    row = {"seed": flight.seed, "truth": flight.truth}
    try:
        found, seconds = found_in(flight, flight.fly(folder))
        told = {name: (each.value, each.sigma) for name, each in found.told.items()}
        row |= {"told": told, "refused": found.refused, "processor_s": seconds}
    except (RuntimeError, ValueError) as error:
        row["lost"] = str(error)
    kept.write_text(json.dumps(row))
    return row


def _judge_wind(rows: list[Row]) -> int:
    right, covered, half_widths = 0, [], []
    for row in rows:
        true = [row["truth"][f"wind_{to}_mps"] for to in ("north", "east")]
        told = [row["told"][f"wind_{to}_mps"] for to in ("north", "east")]
        if row["refused"] is not None or any(value is None for value, _ in told):
            print(f"seed {row['seed']}: refused, {row['refused']}")
            continue
        speed, found = math.hypot(*true), [value for value, _ in told]
        error = math.dist(found, true)
        turn = math.degrees(math.atan2(found[1], found[0]) - math.atan2(true[1], true[0]))
        turn = abs((turn + 180.0) % 360.0 - 180.0)
        is_right = error < max(0.1 * speed, 0.3) and turn < (10.0 if speed >= 4.0 else 20.0)
        right += is_right
        if not is_right:
            print(f"seed {row['seed']}: {error:.2f} of {speed:.1f} m/s, {turn:.0f} deg off")
        covered += [
            abs(value - each) < _NINETY * sigma
            for each, (value, sigma) in zip(true, told, strict=True)
        ]
        if speed > 4.0:
            half_widths.append(_NINETY * max(sigma for _, sigma in told) / speed)
    slowest = max(row["processor_s"] for row in rows)
    print(
        f"{right} of {len(rows)} within the bars; the 90 % interval covers "
        f"{np.mean(covered):.0%}; its median half-width above 4 m/s is "
        f"{np.median(half_widths):.1%}; at most {slowest:.1f} s of processor time."
    )
    return int(right < len(rows) * 0.95 or not 0.84 <= float(np.mean(covered)) <= 0.96)


def _judge_aircraft(rows: list[Row]) -> int:
    sizes, missed = [], 0
    for name in rows[0]["truth"]:
        pairs = [(*row["told"][name], row["truth"][name]) for row in rows]
        told = [(value, sigma, true) for value, sigma, true in pairs if value is not None]
        errors = np.array([value - true for value, _, true in told])
        size = np.abs(errors) / np.array([sigma for _, sigma, _ in told])
        kind, bar = _BARS.get(name, ("abs", math.inf))
        if kind == "rel":
            errors = errors / np.array([true for _, _, true in told])
        worst = float(np.abs(errors).max())
        if name in _BARS:
            sizes += size.tolist()
            missed += int((np.abs(errors) > bar).sum())
        print(
            f"{name:26} told {len(told)} of {len(rows)}, worst {worst:.4f} ({kind}), |error| / "
            f"sigma median {np.median(size):.2f}, worst {size.max():.1f}"
        )
    print(
        f"{missed} beyond the bars; |error| / sigma of those with a bar: median "
        f"{np.median(sizes):.2f}, worst {max(sizes):.1f}"
    )
    return int(missed > 0 or max(sizes) > 3.0 or not 0.4 <= float(np.median(sizes)) <= 1.0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
