"""The battery as onTimer of LibrePilot's flight/modules/Battery/battery.c sees it."""

from typing import Any

from simulation.autopilot.battery import Battery
from simulation.autopilot.board import SimulatedBoard

HALF_S = 500_000


class Bench:
    """A battery of three cells, warned of at 3.5 V and critical at 3.3 V a cell."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.output: Any = {
            "battery_count": 0,
            "battery_voltage": 12.0,
            "battery_current": 6.0,
            "battery_consumed_mah": 0.0,
        }
        self.state = board["FlightBatteryState"]
        self.battery = Battery(board, self.output)

    def severity_after(self, now_us: int, cell_v: float) -> str:
        """What it says of a new measurement."""
        self.output["battery_count"] += 1
        self.output["battery_voltage"] = 3.0 * cell_v
        self.battery.update(now_us)
        return self.battery.severity


def test_an_alarm_has_no_hysteresis(board: SimulatedBoard) -> None:
    """It comes and goes with each look; BatteryFailsafeDebounceTimer is there for that."""
    bench = Bench(board)
    volts = (3.31, 3.29, 3.301, 3.299, 3.51, 3.49)
    said = [bench.severity_after(i * HALF_S, cell_v) for i, cell_v in enumerate(volts)]
    assert said == ["Warning", "Critical", "Warning", "Critical", "OK", "Warning"]


def test_it_looks_twice_a_second(board: SimulatedBoard) -> None:
    """SAMPLE_PERIOD_MS: what is between two looks, such as a sag, nobody sees."""
    bench = Bench(board)
    assert bench.severity_after(0, 4.0) == "OK"
    assert bench.severity_after(100_000, 3.0) == "OK"
    assert bench.severity_after(400_000, 3.0) == "OK"
    assert bench.severity_after(500_000, 3.0) == "Critical"


def test_the_average_current_takes_two_seconds(board: SimulatedBoard) -> None:
    """A first-order lag of 0.5 s / (0.5 s + 2 s) a look: 63 % after 2.2 s."""
    bench = Bench(board)
    for i in range(5):
        bench.severity_after(i * HALF_S, 4.0)
    assert abs(float(bench.state.fields["AvgCurrent"]) - 6.0 * (1.0 - 0.8**5)) < 1e-4
