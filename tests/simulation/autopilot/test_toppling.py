"""An aircraft that lies on its side is disarmed, and no alarm says so: firmware has none."""

from dataclasses import replace

import pytest

from telemetry.protocol.objects.values import pack_values
from tests.telemetry.flying.cockpit import Cockpit

ON_ITS_SIDE = {"q1": 0.7071, "q2": 0.7071, "q3": 0.0, "q4": 0.0, "Roll": 90.0}
STILL = {"North": 0.0, "East": 0.0, "Down": 0.0}


@pytest.mark.slow
def test_it_is_disarmed_and_its_stabilization_has_nothing_to_complain_of() -> None:
    """innerloop.c sets that alarm for loops that are late and for a gyro that is silent."""
    cockpit = Cockpit("ar100b")
    cockpit.arm()
    bench = cockpit.bench
    board = bench.autopilot.board
    for name, values in (("AttitudeState", ON_ITS_SIDE), ("VelocityState", STILL)):
        entry = board[name]
        board.set_metadata(entry, replace(entry.metadata, flight_readonly=True))
        payload = pack_values(entry.definition, values)
        assert board.write(entry.definition.object_id, 0, payload)
    bench.run(2.0)
    assert not bench.autopilot.arming.is_armed
    assert bench.value("SystemAlarms", "Alarm.Stabilization") == "OK"
