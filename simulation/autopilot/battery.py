"""Battery: what the power sensor measures, and what that means for the rest of the flight."""

from simulation.autopilot.board import SimulatedBoard
from simulation.records.members import Members

_PERIOD_US = 500_000  # SAMPLE_PERIOD_MS of LibrePilot's battery.c
_AVERAGE_S = 2.0  # there too
_AVIONICS_V = 5.0


class Battery:
    """Writes FlightBatteryState from the simulated power sensor."""

    def __init__(self, board: SimulatedBoard, output: Members) -> None:
        self._output = output
        self._state = board["FlightBatteryState"]
        self._settings = board["FlightBatterySettings"]
        self._settings.subscribe(self._reset_if_asked)
        self._count = -1
        self._next_us = 0
        self._peak_a = 0.0
        self._average_a = 0.0
        self._offset_mah = 0.0
        self._severity = "Uninitialised"

    @property
    def severity(self) -> str:
        """The battery alarm: by the voltage of a cell under load."""
        return self._severity

    @property
    def endurance_s(self) -> float:
        """How long the charge left lasts at the average current; 0 while no current flows."""
        left = float(self._settings.fields["Capacity"]) - self._consumed_mah()
        if self._average_a < 0.01 or left <= 0.0:
            return 0.0
        return left / 1000.0 / self._average_a * 3600.0

    def update(self, now_us: int) -> None:
        """Run more often than it samples; what the sensor measures in between nobody sees."""
        count = int(self._output["battery_count"])
        if count == self._count or now_us < self._next_us:
            return
        self._count = count
        self._next_us = now_us + _PERIOD_US
        self.measure(_PERIOD_US / 1e6)

    def measure(self, since_s: float) -> None:
        """Take over what the sensor measures now, so many seconds after the last time."""
        self._severity = self._judge()
        current = float(self._output["battery_current"])
        self._peak_a = max(self._peak_a, current)
        share = since_s / (since_s + _AVERAGE_S)
        self._average_a += (current - self._average_a) * share
        self._state.set(
            Voltage=self._output["battery_voltage"],
            Current=current,
            BoardSupplyVoltage=_AVIONICS_V,
            PeakCurrent=self._peak_a,
            AvgCurrent=self._average_a,
            ConsumedEnergy=self._consumed_mah(),
            EstimatedFlightTime=self.endurance_s,
            NbCells=self._cells(),
        )

    def _judge(self) -> str:
        """CellVoltageThresholds without a hysteresis, as onTimer of LibrePilot's battery.c has
        none: an alarm that comes and goes is debounced by who acts on it."""
        settings = self._settings.fields
        if int(settings["Capacity"]) == 0 and int(settings["NbCells"]) == 0:
            return "Uninitialised"
        volts = float(self._output["battery_voltage"]) / self._cells()
        warning, critical = settings["CellVoltageThresholds"].tolist()
        if volts < critical:
            return "Critical"
        return "Warning" if volts < warning else "OK"

    def _cells(self) -> int:
        """The configured number of cells, or the one the voltage suggests."""
        configured = int(self._settings.fields["NbCells"])
        return configured or max(1, round(float(self._output["battery_voltage"]) / 3.85))

    def _consumed_mah(self) -> float:
        return float(self._output["battery_consumed_mah"]) - self._offset_mah

    def _reset_if_asked(self) -> None:
        if not int(self._settings.fields["ResetConsumedEnergy"]):
            return
        self._offset_mah = float(self._output["battery_consumed_mah"])
        self._settings.set(ResetConsumedEnergy=0)
