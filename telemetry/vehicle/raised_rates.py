"""Objects sent more often while somebody looks: borrowed, and borrowed again when the link is back.

rates = RaisedRates(vehicle.commands)
rates.want(("GyroState", "RateDesired"), 40, now)     # every now and then, while looking
rates.give_back()
"""

from collections.abc import Iterable

from telemetry.vehicle.metadata_loan import MetadataLoan, sent_every
from telemetry.vehicle.vehicle import Commands

_AGAIN_S = 5.0


class RaisedRates:
    """Holds a loan per object."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands
        self._loans: dict[str, MetadataLoan] = {}
        self._next_s = 0.0

    @property
    def loans(self) -> tuple[MetadataLoan, ...]:
        """What is held, asked for, or was not given."""
        return tuple(self._loans.values())

    def want(self, names: Iterable[str], period_ms: int, now: float) -> None:
        """Have these sent every `period_ms`, and no others. What was refused or lost is asked for
        again after some seconds."""
        wanted = tuple(names)
        for name in [name for name in self._loans if name not in wanted]:
            self._loans.pop(name).give_back()
        if self._commands.refusal() is not None:
            return
        is_again = now >= self._next_s
        for name in wanted:
            loan = self._loans.get(name)
            if loan is None or (loan.state == "ended" and is_again):
                self._loans[name] = self._commands.borrow_metadata(name, sent_every(period_ms))
        if is_again:
            self._next_s = now + _AGAIN_S

    def give_back(self) -> None:
        """Nobody looks any more."""
        for loan in self._loans.values():
            loan.give_back()
        self._loans.clear()
