"""The battery moves the mode switch once, after a debounce, and the pilot may move it back: as in
HandleBatteryFailsafe of LibrePilot's flight/modules/ManualControl/manualcontrol.c."""

import pytest

from simulation.autopilot.battery_failsafe import BatteryFailsafe
from simulation.autopilot.board import SimulatedBoard

HOLD, LAND, RETURN = 2, 4, 3


@pytest.fixture(autouse=True)
def debounced(board: SimulatedBoard) -> None:
    board["FlightModeSettings"].set(
        BatteryFailsafeSwitchPositions=(RETURN, LAND), BatteryFailsafeDebounceTimer=1000
    )


class Flight:
    """Time passes with an alarm and a switch position; `counts` is what comes out."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._alarms = board["SystemAlarms"]
        self._field = self._alarms.definition.field_named("Alarm")
        self.failsafe = BatteryFailsafe(board)
        self._now_us = 0

    def counts(self, severity: str, seconds: float, chosen: int = HOLD) -> int:
        index = self._field.element_index("Battery")
        self._alarms.row["Alarm"][index] = self._field.option_number(severity)
        self._alarms.announce()
        position = chosen
        for _ in range(round(seconds * 50)):
            position = self.failsafe.position(self._now_us, chosen)
            self._now_us += 20_000
        return position


def test_a_sag_shorter_than_the_debounce_does_nothing(board: SimulatedBoard) -> None:
    flight = Flight(board)
    for _ in range(5):
        assert flight.counts("Critical", 0.9) == HOLD
        assert flight.counts("OK", 0.5) == HOLD


def test_an_alarm_that_stays_acts(board: SimulatedBoard) -> None:
    flight = Flight(board)
    assert flight.counts("Critical", 1.1) == LAND


def test_a_longer_debounce_counts_from_its_change_on(board: SimulatedBoard) -> None:
    flight = Flight(board)
    board["FlightModeSettings"].set(BatteryFailsafeDebounceTimer=3000)
    assert flight.counts("Critical", 2.9) == HOLD
    assert flight.counts("Critical", 0.3) == LAND


def test_a_voltage_about_the_critical_threshold_still_acts_on_the_warning(
    board: SimulatedBoard,
) -> None:
    flight = Flight(board)
    positions = [flight.counts(s, 0.3) for s in ("Critical", "Warning") * 3]
    assert positions[-1] == RETURN


def test_it_stays_when_less_thrust_lets_the_voltage_recover(board: SimulatedBoard) -> None:
    flight = Flight(board)
    flight.counts("Critical", 1.1)
    assert flight.counts("OK", 10.0) == LAND


def test_a_worse_alarm_overrules(board: SimulatedBoard) -> None:
    flight = Flight(board)
    assert flight.counts("Warning", 1.1) == RETURN
    assert flight.counts("Critical", 1.1) == LAND
    assert flight.counts("Warning", 5.0) == LAND


def test_the_pilot_takes_over_by_moving_the_switch(board: SimulatedBoard) -> None:
    flight = Flight(board)
    flight.counts("Warning", 1.1)
    assert flight.counts("Warning", 5.0, chosen=0) == 0
    assert flight.counts("Critical", 1.1, chosen=0) == LAND, "but not against a worse alarm"


def test_the_next_flight_begins_anew(board: SimulatedBoard) -> None:
    flight = Flight(board)
    flight.counts("Critical", 1.1)
    flight.failsafe.reset(1_100_000)
    assert flight.counts("OK", 1.0) == HOLD


def test_minus_one_means_nowhere(board: SimulatedBoard) -> None:
    board["FlightModeSettings"].set(BatteryFailsafeSwitchPositions=(-1, -1))
    assert Flight(board).counts("Critical", 5.0) == HOLD


def test_without_a_position_for_critical_that_for_a_warning_counts(board: SimulatedBoard) -> None:
    """The case of BATTERYFAILSAFE_CRITICAL falls through."""
    board["FlightModeSettings"].set(BatteryFailsafeSwitchPositions=(RETURN, -1))
    assert Flight(board).counts("Critical", 1.1) == RETURN


def test_after_a_long_recovery_a_worse_alarm_acts_at_once(board: SimulatedBoard) -> None:
    """changeTimestamp is set only where the state is the one that acted."""
    flight = Flight(board)
    flight.counts("Warning", 1.1)
    assert flight.counts("OK", 5.0) == RETURN
    assert flight.counts("Critical", 0.1) == LAND
    steady = Flight(board)
    steady.counts("Warning", 6.1)
    assert steady.counts("Critical", 0.1) == RETURN


@pytest.mark.parametrize("severity", ["Error", "Uninitialised"])
def test_what_is_neither_warning_nor_critical_does_nothing(
    board: SimulatedBoard, severity: str
) -> None:
    assert Flight(board).counts(severity, 5.0) == HOLD
