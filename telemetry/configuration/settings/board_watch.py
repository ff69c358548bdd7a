"""Board watch: which board answers, and has it started anew since it was last looked at?"""

from telemetry.base.board_store import board_key
from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.protocol.objects.firmware_description import OBJECT_NAME
from telemetry.protocol.session.reboot import RebootWatch

_STATISTICS = "SystemStats"


class BoardWatch:
    """Looks at an aircraft, cheaply enough for every tick."""

    def __init__(self, aircraft: Aircraft) -> None:
        self.serial = ""
        """The serial number of the board that answered last, in hexadecimal."""
        self._aircraft = aircraft
        self._identity_seen: object = None
        self._statistics_seen: object = None
        self._reboots = RebootWatch()

    def key(self, source: str) -> str:
        """What tells this board from others; for simulated ones, that is their address too."""
        return board_key(bytes.fromhex(self.serial), source)

    def look(self) -> None:
        """Learn who answers now."""
        stamp = self._aircraft.stamp(OBJECT_NAME)
        if stamp != self._identity_seen:
            self._identity_seen = stamp
            self.serial = self._aircraft.serial

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
