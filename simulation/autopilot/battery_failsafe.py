"""The battery failsafe: an empty battery moves the mode switch (FlightModeSettings).

BatteryFailsafeSwitchPositions tells where to at a warning and at a critical alarm, -1 nowhere.
The alarm must stand without a break for BatteryFailsafeDebounceTimer, so that the sag of a hard
manoeuvre ends no flight. Once it has acted it stays: less thrust lets the voltage recover, and
going back and forth would be worse than landing. The pilot takes over by moving the switch; only
a worse alarm overrules that.
"""

from simulation.autopilot.board import SimulatedBoard

_LEVELS = ("Warning", "Critical")


class BatteryFailsafe:
    """Decides which switch position counts; call `position` once per loop while armed."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._settings = board["FlightModeSettings"]
        self._alarms = board["SystemAlarms"]
        field = self._alarms.definition.field_named("Alarm")
        self._index = field.element_index("Battery")
        self._severities = [field.option_number(level) for level in _LEVELS]
        self._since_us: list[int | None] = [None, None]
        self._acted = 0  # how many levels have acted in this flight
        self._override: int | None = None
        self._chosen = -1  # where the switch was when it acted
        self._alarms.subscribe(self._take_alarm)
        self._settings.subscribe(self._take_settings)
        self._take_alarm()
        self._take_settings()

    def reset(self) -> None:
        """The flight is over."""
        self._since_us = [None, None]
        self._acted = 0
        self._override = None

    def position(self, now_us: int, chosen: int) -> int:
        """The switch position that counts, given the pilot's."""
        for level, least in enumerate(self._severities):
            since = self._since_us[level]
            if self._severity < least:
                self._since_us[level] = None
            elif since is None:
                self._since_us[level] = now_us
            elif now_us - since >= self._debounce_us and level >= self._acted:
                self._act(level, chosen)
        if chosen != self._chosen:
            self._override = None
        return chosen if self._override is None else self._override

    def _take_alarm(self) -> None:
        self._severity = int(self._alarms.fields["Alarm"][self._index])

    def _take_settings(self) -> None:
        self._debounce_us = int(self._settings.fields["BatteryFailsafeDebounceTimer"]) * 1000

    def _act(self, level: int, chosen: int) -> None:
        self._acted = level + 1
        override = int(self._settings.fields["BatteryFailsafeSwitchPositions"][level])
        if override >= 0:
            self._override, self._chosen = override, chosen
