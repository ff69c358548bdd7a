"""What sticks ask for: expo, rates and angles of the bank, mode by mode."""

import pytest

from simulation.autopilot.arming import Arming
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.manual_control import ManualControl


def asked(board: SimulatedBoard, mode: str, stick: float, expo: int = 0) -> float:
    """StabilizationDesired.Roll for a roll stick in Stabilized1 with that mode on roll."""
    manual = ManualControl(board, Arming(board))
    settings = board["FlightModeSettings"]
    modes = settings.row["Stabilization1Settings"].copy()
    modes[0] = settings.number("Stabilization1Settings", mode)
    settings.set(Stabilization1Settings=modes)
    board["StabilizationBank"].set(
        StickExpo=(expo, 0, 0), ManualRate=(200, 200, 120), RollMax=40, PitchMax=40
    )
    board["ManualControlCommand"].set(Roll=stick, FlightModeSwitchPosition=0, Connected=1)
    manual.update(0, is_standing=True)
    return float(board["StabilizationDesired"].row["Roll"])


@pytest.mark.parametrize(
    ("mode", "full"),
    [
        ("Manual", 1.0),
        ("VirtualBar", 1.0),
        ("Attitude", 40.0),
        ("Rattitude", 40.0),
        ("SystemIdent", 40.0),
        ("Rate", 200.0),
        ("RateTrainer", 200.0),
        ("AxisLock", 200.0),
        ("WeakLeveling", 200.0),
        ("Acro+", 200.0),
    ],
)
def test_half_a_stick_asks_for_half_of_it(board: SimulatedBoard, mode: str, full: float) -> None:
    assert asked(board, mode, -0.5) == pytest.approx(-0.5 * full)


@pytest.mark.parametrize(("expo", "share"), [(0, 0.5), (50, 0.25), (100, 0.0625), (-50, 0.5**0.5)])
def test_expo_is_a_power_of_the_stick(board: SimulatedBoard, expo: int, share: float) -> None:
    assert asked(board, "Attitude", 0.5, expo) == pytest.approx(40.0 * share)
    assert asked(board, "Attitude", -0.5, expo) == pytest.approx(-40.0 * share)
