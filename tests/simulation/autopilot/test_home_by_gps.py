"""Home by GPS: it is one fix, and heights count from it for good."""

import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.autopilot.storage import Storage
from telemetry.protocol.objects.catalogue import Catalogue

GROUND_M = 270.0
FIX_OFF_M = 3.05
"""What the GPS of seed 1 is off when home is set; one deviation of this receiver is 1.8 m."""


def idle(
    catalogue: Catalogue, preset: Preset, *, has_home: bool, minutes: float
) -> tuple[float, float]:
    """Home's altitude, and the height of an aircraft that has stood still, above the ground by
    what is true."""
    storage = Storage()
    if not has_home:
        storage.delete(catalogue.find("HomeLocation").object_id, 0)
    autopilot = Autopilot(AutopilotConfig(preset, storage=storage), catalogue)
    for _ in range(round(minutes * 60 * 50)):
        autopilot.run_loop()
    output = autopilot.simulator.output
    off_m = float(output["true_position"][2]) - float(output["position"][2])
    return float(autopilot.board["HomeLocation"].fields["Altitude"]), off_m


@pytest.mark.slow
def test_the_height_on_the_ground_is_what_the_fix_of_home_was_off(
    catalogue: Catalogue, preset: Preset
) -> None:
    """flight/modules/GPS/GPS.c: setHomeLocation takes Altitude + GeoidSeparation of the fix five
    seconds after the first good one; filterbaro.c ties the barometer to heights above that with
    BaroGPSOffsetCorrectionAlpha 0.99933, 300 s at 5 Hz. What the receiver's error still is then,
    it is with the true home, too."""
    known_m, off_m = idle(catalogue, preset, has_home=True, minutes=5.0)
    assert known_m == GROUND_M
    home_m, off_more_m = idle(catalogue, preset, has_home=False, minutes=5.0)
    assert home_m - GROUND_M == pytest.approx(FIX_OFF_M, abs=0.05)
    assert off_more_m - off_m == pytest.approx(-FIX_OFF_M, abs=0.1)
    # 1.8 m over 60 s, taken over in 300 s: three deviations.
    assert abs(off_m) < 2.3
