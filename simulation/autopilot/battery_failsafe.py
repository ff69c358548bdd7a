"""The battery failsafe: an empty battery moves the mode switch (FlightModeSettings).

The rules are those of HandleBatteryFailsafe in LibrePilot's manualcontrol.c.
BatteryFailsafeSwitchPositions tells where to at a warning and at a critical alarm, -1 nowhere;
without one for critical that for a warning counts. An alarm worse than what has acted acts once the
battery has not been in that state for BatteryFailsafeDebounceTimer, so that the sag of a hard
manoeuvre ends no flight; after a recovery as long as that it acts at once. What has acted stays:
less thrust lets the voltage recover, and going back and forth would be worse than landing. The
pilot takes over by moving the switch; only a worse alarm overrules that.
"""

from simulation.autopilot.board import SimulatedBoard

_LEVELS = ("Warning", "Critical")


class BatteryFailsafe:
    """Decides which switch position counts; call `position` once per loop while armed, and
    `reset` while not."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._settings = board["FlightModeSettings"]
        self._alarms = board["SystemAlarms"]
        field = self._alarms.definition.field_named("Alarm")
        self._index = field.element_index("Battery")
        numbers = (field.option_number(level) for level in _LEVELS)
        self._level_of = {number: level for level, number in enumerate(numbers, 1)}
        self._acted = 0  # 0: nothing, 1: the warning, 2: the critical alarm
        self._is_overridden = False
        self._chosen = -1  # where the switch was when it acted
        self._since_us = 0
        self._alarms.subscribe(self._take_alarm)
        self._settings.subscribe(self._take_settings)
        self._take_alarm()
        self._take_settings()

    def reset(self, now_us: int) -> None:
        """It is not armed."""
        self._acted = 0
        self._is_overridden = False
        self._since_us = now_us

    def position(self, now_us: int, chosen: int) -> int:
        """The switch position that counts, given the pilot's."""
        if self._level == self._acted:
            self._since_us = now_us
        elif self._level > self._acted and now_us - self._since_us >= self._debounce_us:
            self._acted, self._chosen, self._is_overridden = self._level, chosen, False
        if self._acted == 0 or self._is_overridden:
            return chosen
        if chosen != self._chosen:
            self._is_overridden = True
            self._since_us = now_us
            return chosen
        return self._failsafe_position(chosen)

    def _failsafe_position(self, chosen: int) -> int:
        warning, critical = self._positions
        position = critical if self._acted == 2 and critical != -1 else warning
        return chosen if position == -1 else position

    def _take_alarm(self) -> None:
        """Error, which a battery without a sensor has, counts as nothing."""
        self._level = self._level_of.get(int(self._alarms.fields["Alarm"][self._index]), 0)

    def _take_settings(self) -> None:
        fields = self._settings.fields
        self._debounce_us = int(fields["BatteryFailsafeDebounceTimer"]) * 1000
        self._positions = fields["BatteryFailsafeSwitchPositions"].tolist()
