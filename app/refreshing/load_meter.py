"""Load meter of the window: whether it keeps up, by how late ticks come, and what it gives up.

First pictures are painted less often, then plots show less detail. Sticks, acknowledgements and
the recording are the business of other threads, and alarms keep their rate.
"""

from enum import IntEnum

WINDOW_S = 1.0
LATE, IN_TIME = 1.5, 1.25
"""Above the first, as a multiple of the time meant to pass between ticks, they come late; below
the second there is time to spare."""
LOADED_AFTER, EASED_AFTER = 2, 8
"""After so many late windows in a row less is shown, after so many with time to spare more."""


class Load(IntEnum):
    """How busy the window is, and what it has given up by then."""

    NORMAL = 0
    HIGH = 1
    """Views are refreshed at their least rates."""
    TOO_HIGH = 2
    """Plots show less detail too, and the strip says so."""


class LoadMeter:
    """Judges the ticks of each second; `load` goes up and down one step at a time.

    The longest gap of a second does not count: a page that takes long to open is no load.
    """

    def __init__(self, frame_s: float) -> None:
        self.load = Load.NORMAL
        self._frame_s = frame_s
        self._last_s: float | None = None
        self._gaps: list[float] = []
        self._late = self._eased = 0

    def rest(self) -> None:
        """Nothing moves and ticks are far apart: that is no load."""
        self.load = Load.NORMAL
        self._last_s = None
        self._gaps = []
        self._late = self._eased = 0

    def take(self, now: float) -> None:
        """A tick has come."""
        if self._last_s is not None:
            self._gaps.append(now - self._last_s)
        self._last_s = now
        if sum(self._gaps) >= WINDOW_S:
            usual = sorted(self._gaps)[:-1]
            self._gaps = []
            if usual:
                self._judge(sum(usual) / len(usual) / self._frame_s)

    def _judge(self, lateness: float) -> None:
        self._late = self._late + 1 if lateness > LATE else 0
        self._eased = self._eased + 1 if lateness < IN_TIME else 0
        if self._late >= LOADED_AFTER:
            self._late = 0
            self.load = Load(min(self.load + 1, Load.TOO_HIGH))
        elif self._eased >= EASED_AFTER:
            self._eased = 0
            self.load = Load(max(self.load - 1, Load.NORMAL))
