"""Lockstep comparison: a scenario flown by a firmware, beside the same by the embedded board."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig, PoweredAircraft
from simulation.hitl.lockstep.board import LockstepFirmware, hold_slow_errors
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.report import ScenarioReport
from telemetry.protocol.objects.catalogue import Catalogue

DIFFERENT: Final = 0.15
"""The share of the firmware's figure beyond which the embedded board's differs from it."""
_NO_SIZE: Final = 1e-9
_NOT_READY: Final = ("Attitude", "Stabilization")
_FIRST_ALARMS_S, _LONGEST_START_S = 1.0, 60.0


@dataclass(frozen=True, slots=True)
class LockstepComparison:
    """Two reports of one scenario, seed and aircraft: the firmware's, and the embedded board's."""

    firmware: LockstepFirmware
    flown: ScenarioReport
    embedded: ScenarioReport

    @property
    def shares(self) -> dict[str, float]:
        """By how much of the firmware's figure the embedded board's is off, by metric: infinitely
        much if that is 0, NaN where one of them was not measured."""
        ours = self.embedded.outcome.metrics
        return {
            name: _share(value, ours.get(name, math.nan))
            for name, value in self.flown.outcome.metrics.items()
        }

    @property
    def different(self) -> tuple[str, ...]:
        """The metrics that differ by more than DIFFERENT, or that one of them has not."""
        return tuple(name for name, share in self.shares.items() if not share <= DIFFERENT)

    def as_dict(self) -> dict[str, Any]:
        """What the report of the firmware's flight says besides, ready for JSON."""
        boards = self.firmware.boards
        board = boards[0] if boards else None
        return {
            "firmware": {
                "program": board.program_name if board is not None else None,
                "name": board.firmware if board is not None else None,
                "sensors_hz": board.sensors_hz if board is not None else None,
                "start_up_s": board.start_up_s if board is not None else None,
                "not_taken": list(board.not_taken) if board is not None else [],
                "failed": self.firmware.failure or None,
            },
            "embedded": {
                "passed": self.embedded.passed,
                "metrics": _finite(self.embedded.outcome.metrics),
                "difference": _finite(self.shares),
                "different": list(self.different),
            },
        }

    def as_lines(self) -> list[str]:
        """The same for people."""
        boards = self.firmware.boards
        lines = []
        if boards:
            board = boards[0]
            lines.append(
                f"flown by {board.firmware}, sensors at {board.sensors_hz:g} Hz, ready "
                f"{board.start_up_s:.1f} s after power-up"
            )
            if board.not_taken:
                lines.append(f"not on this firmware: {', '.join(board.not_taken)}")
        width = max(map(len, self.shares), default=0)
        lines.append(f"  {'':{width}}  {'firmware':>10}  {'embedded':>10}")
        ours = self.embedded.outcome.metrics
        for name, share in self.shares.items():
            values = self.flown.outcome.metrics[name], ours.get(name, math.nan)
            mark = "DIFFERS" if name in self.different else ""
            off = f"{100.0 * share:.0f} %" if math.isfinite(share) else ""
            numbers = f"{values[0]:>10.4g}  {values[1]:>10.4g}  {off:>6}"
            lines.append(f"  {name:{width}}  {numbers} {mark}".rstrip())
        verdict = "passed" if self.embedded.passed else "failed"
        lines.append(f"The embedded board {verdict} with the same seed.")
        lines.append(
            "One flight each, by other noise: figures differ by chance, too. Fly more seeds."
        )
        return lines


class EmbeddedBoard:
    """The embedded board in the place of a firmware: what flies by a board flies by this one. It
    starts as late as firmware, and until it is ready its sensors' slow errors stand still as they
    do for that (`LockstepBoard`), so that a seed means the same for both."""

    failure = ""

    def power_up(self, config: AutopilotConfig, catalogue: Catalogue) -> PoweredAircraft:
        """See `FlownFirmware`."""
        autopilot = Autopilot(replace(config, firmware=None, start="real"), catalogue)
        autopilot.run_loop()
        let_go = hold_slow_errors(autopilot.simulator)
        alarms = autopilot.board["SystemAlarms"]
        numbers = alarms.definition.field_named("Alarm")
        watched = [numbers.element_index(name) for name in _NOT_READY]
        while autopilot.now_s < _LONGEST_START_S and (
            autopilot.now_s < _FIRST_ALARMS_S
            or any(alarms.option("Alarm", number) != "OK" for number in watched)
        ):
            autopilot.run_loop()
        let_go()
        return autopilot


def embedded(experiment: Experiment) -> Experiment:
    """The same flight by the embedded board, of which nothing is kept."""
    return replace(
        experiment,
        firmware=EmbeddedBoard(),
        record=None,
        pace=None,
        track=None,
        path=None,
        sensors=None,
        made=[],
    )


def _share(theirs: float, ours: float) -> float:
    if not (math.isfinite(theirs) and math.isfinite(ours)):
        return math.nan
    if abs(theirs - ours) < _NO_SIZE:
        return 0.0
    return abs(theirs - ours) / abs(theirs) if abs(theirs) > _NO_SIZE else math.inf


def _finite(values: Mapping[str, float]) -> dict[str, float | None]:
    """JSON knows no infinities."""
    return {name: value if math.isfinite(value) else None for name, value in values.items()}
