"""What the simulated board sends by itself, and when, as flight/modules/Telemetry/telemetry.c does
(updateObject and processObjEvent) with the defaults of shared/uavobjectdefinition."""

from dataclasses import replace

import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.autopilot.preset import Preset
from simulation.autopilot.telemetry import Telemetry
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.events import ObjectReceived
from telemetry.protocol.session.session import Session

LOOP_US = 20_000
THROTTLED_MS = {
    **{"AirspeedSensor": 1000, "AirspeedState": 1000, "AltitudeHoldStatus": 1000},
    **{"AuxMagSensor": 10000, "BaroSensor": 1000, "CameraDesired": 1000, "DebugLogStatus": 1000},
    **{"EKFStateVariance": 10000, "FixedWingPathFollowerStatus": 500, "FlightPlanStatus": 2000},
    **{"GPSPositionSensor": 1000, "GPSSatellites": 10000, "GPSTime": 10000, "MagState": 1000},
    **{"GPSVelocitySensor": 1000, "MagSensor": 10000, "OPLinkReceiver": 1000, "PathDesired": 1000},
    **{"PathStatus": 1000, "PathSummary": 1000, "PIDStatus": 1000, "PoiLocation": 1000},
    **{"PositionState": 1000, "SystemIdentState": 1000, "VelocityDesired": 1000},
    **{"VelocityState": 1000, "VtolSelfTuningStats": 1000},
}
"""All with updatemode="throttled" there."""


def test_the_firmwares_throttled_objects_are_throttled(catalogue: Catalogue) -> None:
    ours = {
        definition.name: definition.flight_policy.period_ms
        for definition in catalogue.release(DEFAULT_RELEASE)
        if definition.flight_policy.mode is UpdateMode.THROTTLED
    }
    assert ours == THROTTLED_MS


class Sending:
    """Telemetry of a board on which only PathDesired is sent, in a time of its own."""

    def __init__(self, catalogue: Catalogue, preset: Preset, policy: UpdatePolicy) -> None:
        self.board = SimulatedBoard(catalogue, preset)
        for entry in self.board.objects():
            entry.metadata = replace(entry.metadata, flight=UpdatePolicy())
        self.entry: BoardObject = self.board["PathDesired"]
        self.entry.metadata = replace(self.entry.metadata, flight=policy)
        self.sent: list[tuple[int, float]] = []
        self.now_us = 0
        self._telemetry = Telemetry(self.board, self)

    def publish(self, object_id: int, instance: int, acked: bool) -> None:
        """See `Publisher`."""
        assert object_id == self.entry.definition.object_id
        self.sent.append((self.now_us // 1000, float(self.entry.row["StartingVelocity"])))

    def run(self, loops: int, *, writes: bool = True) -> None:
        """Each loop writes another value, or none does."""
        for _ in range(loops):
            self.now_us += LOOP_US
            if writes:
                self.entry.set(StartingVelocity=self.now_us / 1e3)
            self._telemetry.update(self.now_us)


THROTTLED = UpdatePolicy(UpdateMode.THROTTLED, 200)


def test_what_is_updated_all_the_time_is_sent_once_in_its_period(
    catalogue: Catalogue, preset: Preset
) -> None:
    sending = Sending(catalogue, preset, THROTTLED)
    sending.run(100)
    assert len(sending.sent) == pytest.approx(11, abs=1)
    assert sending.sent[0] == (20, 20.0), "the first update goes out at once"
    assert all(when == value for when, value in sending.sent), "each is the newest"


def test_what_was_updated_within_the_period_is_never_sent(
    catalogue: Catalogue, preset: Preset
) -> None:
    sending = Sending(catalogue, preset, THROTTLED)
    sending.run(2)
    sending.run(100, writes=False)
    assert sending.sent == [(20, 20.0)]


def test_on_change_it_would_be(catalogue: Catalogue, preset: Preset) -> None:
    """Negative control."""
    sending = Sending(catalogue, preset, UpdatePolicy(UpdateMode.ONCHANGE, 200))
    sending.run(2)
    sending.run(100, writes=False)
    assert sending.sent == [(20, 20.0), (40, 40.0)]


def test_a_period_shorter_than_a_loop_sends_once_in_a_loop(
    catalogue: Catalogue, preset: Preset
) -> None:
    """processPeriodicUpdates of flight/uavobjects/eventdispatcher.c skips what it has missed."""
    sending = Sending(catalogue, preset, UpdatePolicy(UpdateMode.PERIODIC, 2))
    sending.run(50)
    assert len(sending.sent) == 50


def _heard(
    catalogue: Catalogue, preset: Preset, seconds: float, *, tells_truth: bool = True
) -> dict[str, int]:
    """What a board sends by itself to a station that asks for nothing."""
    autopilot = Autopilot(AutopilotConfig(preset, tells_truth=tells_truth), catalogue)
    station = Session(Role.GCS, catalogue)
    count: dict[str, int] = {}
    for _ in range(round(seconds * 50)):
        autopilot.run_loop()
        for event in station.receive(autopilot.bytes_to_send(), autopilot.now_s):
            if isinstance(event, ObjectReceived):
                count[event.definition.name] = count.get(event.definition.name, 0) + 1
    return count


@pytest.mark.slow
def test_an_ar100b_on_the_ground_sends_what_is_updated_there(
    catalogue: Catalogue, preset: Preset
) -> None:
    count = _heard(catalogue, preset, 10.0)
    assert count["PositionState"] == pytest.approx(100, abs=3), "its preset asks for 100 ms"
    assert count["BaroSensor"] == pytest.approx(10, abs=1)
    assert count["GPSPositionSensor"] == pytest.approx(10, abs=1)
    unfitted = {"AirspeedSensor", "AirspeedState", "AuxMagSensor", "FixedWingPathFollowerStatus"}
    assert not (unfitted | {"FlightPlanStatus", "SystemIdentState"}) & set(count)


NOT_ON_A_REVOLUTION = {
    *("FaultSettings", "FlightPlanControl", "FlightPlanStatus", "I2CStats", "NedAccel"),
    *("MixerStatus", "OsdSettings", "WatchdogStatus", "HwSPRacingF3Settings", "PerfCounter"),
}
"""Left out of flight/targets/boards/revolution/firmware/UAVObjects.inc, initialised by no module of
its Makefile, or for diagnosis only (flight/make/common-defs.mk)."""
TRUTH = {"AttitudeSimulated", "GroundTruth"}


@pytest.mark.slow
@pytest.mark.parametrize("tells_truth", [False, True])
def test_it_sends_nothing_that_a_revolution_does_not(
    catalogue: Catalogue, preset: Preset, *, tells_truth: bool
) -> None:
    count = _heard(catalogue, preset, 12.0, tells_truth=tells_truth)
    assert not NOT_ON_A_REVOLUTION & set(count)
    assert (set(count) & TRUTH) == (TRUTH if tells_truth else set())
    board = SimulatedBoard(catalogue, preset, tells_truth=tells_truth)
    for name in NOT_ON_A_REVOLUTION:
        definition = catalogue.find(name, DEFAULT_RELEASE)
        assert board.read(definition.object_id, 0) is None, "and cannot be asked for it either"
