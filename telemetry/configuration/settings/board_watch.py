"""Board watch: has the board started anew since it was last looked at?"""

from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.protocol.session.reboot import RebootWatch

_STATISTICS = "SystemStats"


class BoardWatch:
    """Looks at an aircraft, cheaply enough for every tick."""

    def __init__(self, aircraft: Aircraft) -> None:
        self._aircraft = aircraft
        self._statistics_seen: object = None
        self._reboots = RebootWatch()

    def has_restarted(self) -> bool:
        """Whether the time since its start has fallen since the last call."""
        stamp = self._aircraft.stamp(_STATISTICS)
        if stamp == self._statistics_seen:
            return False
        self._statistics_seen = stamp
        sample = self._aircraft.sample(_STATISTICS)
        if sample is None:
            return False
        return self._reboots.has_rebooted(sample.definition, sample.row.tobytes())
