"""Wreck notice: what is said, where a served aircraft was started, when it flies no more.

Its board cannot say it: firmware has no alarm for it. An operator's console tells by its report;
without one, a station would see motors that are commanded and an aircraft that stays where it is.
"""

from collections.abc import Callable
from typing import Final

from simulation.autopilot.autopilot import PoweredAircraft
from simulation.serving.real_time_flight import RealTimeFlight

WRECKED: Final = (
    "The aircraft hit something too hard or turned over. Its motors stay off, which its board "
    "cannot know. Restart the board from a station to have a new aircraft at the start."
)


class WreckNotice:
    """Says it once of each aircraft; `attend` is for a `RealTimeFlight`."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told_of: PoweredAircraft | None = None

    def attend(self, flight: RealTimeFlight) -> None:
        """Look at the aircraft. What has ended by `flight.trouble` has been told already."""
        autopilot = flight.autopilot
        if autopilot is self._told_of or flight.trouble:
            return
        if autopilot.simulator.output["crashed"]:
            self._told_of = autopilot
            self._tell(WRECKED)
