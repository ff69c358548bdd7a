"""What came of a sample: a table by area, what survived with its place, whether it is enough."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.mutation.places import AREAS, Mutant
from tests.mutation.worker import DEAD, KILLED, SURVIVED, TIMEOUT

KILLED_SHARE: Final = 0.95
"""Of what is no equivalent."""
EQUIVALENT_SHARE: Final = 0.05
REVIEWED: Final = Path(__file__).with_name("equivalent.toml")


@dataclass(frozen=True)
class Verdict:
    """What tests said of a change: `told` as a worker answers, with `reason` if it is known to
    change nothing that anybody can see."""

    mutant: Mutant
    told: dict[str, Any]
    reason: str = ""

    @property
    def result(self) -> str:
        """In a word."""
        is_equivalent = self.reason and self.told["result"] == SURVIVED
        return "equivalent" if is_equivalent else self.told["result"]


def read_reviewed(path: Path = REVIEWED) -> dict[tuple[str, ...], str]:
    """The changes that were looked at and change nothing, with the reason of each."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", [])
    return {
        tuple(row[key] for key in ("file", "function", "operator", "statement", "change")): row[
            "reason"
        ]
        for row in rows
    }


def key_of(mutant: Mutant) -> tuple[str, ...]:
    """What says which change it is, wherever the lines have moved."""
    return mutant.file, mutant.function, mutant.operator, mutant.statement, mutant.words


def is_enough(verdicts: Sequence[Verdict]) -> bool:
    """Whether the tests notice what they should."""
    counts = _counts(verdicts)
    decided = counts["all"] - counts["equivalent"]
    return (
        counts["noticed"] >= KILLED_SHARE * decided
        and counts["equivalent"] <= EQUIVALENT_SHARE * counts["all"]
    )


def _counts(verdicts: Sequence[Verdict]) -> dict[str, int]:
    results = [one.result for one in verdicts]
    counts = {name: results.count(name) for name in (KILLED, TIMEOUT, SURVIVED, "equivalent")}
    return {
        **counts,
        "noticed": counts[KILLED] + counts[TIMEOUT],
        "all": len(results) - results.count(DEAD),
    }


def text_of(title: str, verdicts: Sequence[Verdict], dead: int) -> str:
    """The report, as lines."""
    lines = [title, "", f"{'':28}{'all':>6}{'noticed':>9}{'equivalent':>12}{'survived':>10}"]
    areas = dict.fromkeys([*(area[0] for area in AREAS), *(one.mutant.area for one in verdicts)])
    for name in [*areas, "all"]:
        counts = _counts([one for one in verdicts if name in (one.mutant.area, "all")])
        lines.append(
            f"{name:28}{counts['all']:6}{counts['noticed']:9}{counts['equivalent']:12}"
            f"{counts[SURVIVED]:10}"
        )
    counts = _counts(verdicts)
    decided = max(counts["all"] - counts["equivalent"], 1)
    seconds = sorted(one.told["cpu_s"] for one in verdicts) or [0.0]
    lines += [
        "",
        f"Noticed: {counts['noticed'] / decided:.1%} of {decided} (bar {KILLED_SHARE:.0%}), "
        f"{counts[TIMEOUT]} of them by their time; equivalent: {counts['equivalent']} "
        f"({counts['equivalent'] / max(counts['all'], 1):.1%}, at most {EQUIVALENT_SHARE:.0%}); "
        f"{dead} more did not start, and others were drawn for them.",
        f"Processor time: {sum(seconds):.0f} s, {seconds[len(seconds) // 2]:.1f} s in the median.",
    ]
    for one in verdicts:
        if one.result == SURVIVED:
            lines += ["", *_survivor(one)]
    return "\n".join(lines)


def _survivor(one: Verdict) -> list[str]:
    told = one.told
    return [
        f"SURVIVED {one.mutant.file}:{one.mutant.line} {one.mutant.function} "
        f"({told['chosen']} of {told['of']} tests, {told['ran']} ran, {told['cpu_s']} s)",
        f"  {one.mutant.operator}: {one.mutant.words}",
        f"  in: {one.mutant.statement}",
    ]
