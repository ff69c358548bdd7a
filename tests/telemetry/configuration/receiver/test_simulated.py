"""The set-up of the simulator's receiver, with the sticks of its virtual transmitter."""

from dataclasses import replace

import pytest

from telemetry.configuration.receiver.backup import backup_store, take_backup
from telemetry.configuration.receiver.controls import COMMAND
from telemetry.configuration.receiver.state_machine import ReceiverSetup, ReceiverSetupStep
from telemetry.configuration.receiver.transmitter_layout import SteeredKind
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.update_rates import UpdateRates
from tests.flown_bench import FlownBench

_MOVES = {
    "Throttle": ("throttle", 0.0, 1.0),
    "Roll": ("roll", -1.0, 1.0),
    "Pitch": ("pitch", -1.0, 1.0),
    "Yaw": ("yaw", -1.0, 1.0),
    "FlightMode": ("flight_mode_position", 0, 5),
}


class Pilot:
    """Somebody at the virtual transmitter, with the page open."""

    def __init__(self) -> None:
        self.bench = FlownBench(load_catalogue())
        self.setup = ReceiverSetup(self.bench.vehicle, self.bench.clock, backup_store(None))
        self.bench.sticks = Sticks()
        UpdateRates(self.bench.vehicle.commands).want({COMMAND: 80}, 0.0)
        self.wait(1.0)

    def wait(self, seconds: float) -> None:
        end_s = self.bench.clock.now + seconds

        def is_over() -> bool:
            self.setup.poll()
            return self.bench.clock.now >= end_s

        self.bench.run(is_over)

    def put(self, name: str, share: float) -> None:
        """Put a control somewhere between its ends."""
        field, low, high = _MOVES[name]
        value = low + share * (high - low)
        whole = round(value) if name == "FlightMode" else value
        sticks = self.bench.sticks or Sticks()
        self.bench.sticks = replace(sticks, **{field: whole})

    def rest(self, name: str) -> float:
        return 0.0 if name in ("Throttle", "FlightMode") else 0.5


@pytest.mark.slow
def test_the_simulated_receiver_is_set_up_and_nothing_else_changes() -> None:
    pilot = Pilot()
    setup = pilot.setup
    before = take_backup(pilot.bench.settings)
    assert setup.begin(SteeredKind.AIR, 2), setup.message
    pilot.wait(2.0)
    while setup.step is ReceiverSetupStep.IDENTIFY:
        name = setup.current
        if name not in _MOVES:
            setup.skip()
            pilot.wait(0.1)
            continue
        for share in (0.8, 1.0, pilot.rest(name)):
            pilot.put(name, share)
            pilot.wait(0.3)
    pilot.wait(2.0)
    assert setup.step is ReceiverSetupStep.CENTRE, setup.message
    setup.accept()
    assert setup.step is ReceiverSetupStep.LIMITS, setup.message
    for name in _MOVES:
        for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, pilot.rest(name)):
            pilot.put(name, share)
            pilot.wait(0.4 if name == "FlightMode" else 0.2)
    setup.accept()
    assert setup.step is ReceiverSetupStep.CHECK, setup.message
    while setup.step is ReceiverSetupStep.CHECK:
        name = setup.current
        pilot.wait(0.2)
        pilot.put(name, 1.0)
        pilot.wait(0.6)
        pilot.put(name, pilot.rest(name))
    setup.save()
    pilot.wait(4.0)
    assert setup.step is ReceiverSetupStep.OFF, setup.message
    after = take_backup(pilot.bench.settings)
    changed = {
        path: value
        for name, paths in after.items()
        for path, value in paths.items()
        if value != before[name][path] and "Accessory" not in path
    }
    # The same channels and directions; ends as they were reached, throttle a little above rest.
    assert not [path for path in changed if "Groups" in path or "Number" in path]
    assert changed.get("ChannelMax.Roll", 2000) > changed.get("ChannelMin.Roll", 1000)
    assert after["FlightModeSettings"]["Arming"] == before["FlightModeSettings"]["Arming"]
