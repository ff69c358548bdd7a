"""Judge of gains: what a search asks, whoever answers."""

from collections.abc import Sequence
from typing import Protocol

from simulation.tuning.conditions import Condition
from simulation.tuning.flown_steps import FlownSteps
from simulation.tuning.gains import GainScale, GainSet
from simulation.tuning.linear_loop import Margins
from simulation.tuning.objectives import Figures
from simulation.tuning.uncertainty import Uncertainty


class GainJudge(Protocol):
    """Says what candidates are worth on an aircraft as uncertain as `uncertainty` says, each flown
    in all `conditions`. `scale` makes candidates, `present` are its gains, `flights` counts."""

    scale: GainScale
    present: GainSet
    conditions: Sequence[Condition]
    uncertainty: Uncertainty
    flights: int

    def margins(self, gains: GainSet) -> Margins:
        """Of each candidate, in the worst of the aircraft that were drawn."""

    def fly(self, gains: GainSet) -> FlownSteps:
        """Each candidate in all conditions of the search."""

    def figures(self, gains: GainSet) -> Figures:
        """Of each candidate: margins, and flown in all conditions of the search."""

    def figures_in(self, conditions: Sequence[Condition], gains: GainSet) -> Figures:
        """Of each candidate flown in other conditions, without margins."""
