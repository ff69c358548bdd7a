"""ReceiverActivity: which channel of the receiver has moved, by which a pilot assigns sticks.

Watched while disarmed, assigned or not. A channel that has moved is forgotten after a while.
"""

from simulation.autopilot.board import ChangeFlag, SimulatedBoard

_MOVED_US = 10
"""A change of the pulse beyond this from one loop to the next is no noise."""
_REMEMBERED_US = 5_000_000
_NO_CHANNEL = 255


class ReceiverActivity:
    """Compares the pulses of GCSReceiver with those one loop before."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._source = board["GCSReceiver"]
        self._flight = board["FlightStatus"]
        self._activity = board["ReceiverActivity"]
        self._disarmed = self._flight.number("Armed", "Disarmed")
        self._group = self._activity.number("ActiveGroup", "GCS")
        self._no_group = self._activity.number("ActiveGroup", "None")
        self._pulses: list[int] | None = None
        self._moved_us = 0
        self._arrived = ChangeFlag(self._source, is_raised=False)
        self._activity.set(ActiveGroup=self._no_group, ActiveChannel=_NO_CHANNEL)

    def update(self, now_us: int) -> None:
        """Run once per loop of the autopilot."""
        moved = self._moved() if self._arrived.take_down() else 0
        if moved and self._flight.fields["Armed"] == self._disarmed:
            self._moved_us = now_us
            self._activity.set(ActiveGroup=self._group, ActiveChannel=moved)
        elif now_us - self._moved_us > _REMEMBERED_US:
            self._moved_us = now_us
            self._activity.set(ActiveGroup=self._no_group, ActiveChannel=_NO_CHANNEL)

    def _moved(self) -> int:
        """The last channel that has moved, from 1; 0 if none has."""
        before, self._pulses = self._pulses, self._source.fields["Channel"].tolist()
        if before is None or before == self._pulses:
            return 0
        moved = 0
        for i, (was, pulse) in enumerate(zip(before, self._pulses, strict=True)):
            if abs(pulse - was) > _MOVED_US:
                moved = i + 1
        return moved
