"""Objects that a page wants to see often while it is looked at, and only then."""

from collections.abc import Sequence

from telemetry.vehicle.metadata_loan import MetadataLoan, sent_every
from telemetry.vehicle.vehicle import Commands


class RateHold:
    """Has some objects sent at least every `period_ms`. Call `keep` while they are looked at and
    `give_back` when not; a link that comes back is asked again."""

    def __init__(self, commands: Commands, names: Sequence[str], period_ms: int) -> None:
        self._commands = commands
        self._names = tuple(names)
        self._period_ms = period_ms
        self._loans: list[MetadataLoan] = []

    def keep(self) -> None:
        """Borrow what is not borrowed yet. Costs nothing while it is."""
        if self._commands.refusal() is not None:
            self._loans.clear()  # they ended with the link, which gives them back itself
        elif not self._loans:
            change = sent_every(self._period_ms)
            self._loans = [self._commands.borrow_metadata(name, change) for name in self._names]

    def give_back(self) -> None:
        """No longer looked at. Giving back twice is fine."""
        while self._loans:
            self._loans.pop().give_back()
