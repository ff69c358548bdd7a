"""A simulated board that is served in real time, flown by HITL at the other end of its link."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig, is_flown_by_ticks
from simulation.autopilot.preset import Preset
from simulation.hitl.flight import HitlFlight, HitlPhase
from simulation.hitl.pilot import HitlPilot
from simulation.scenarios.scenario_file import load_scenario
from simulation.serving.real_time_flight import RealTimeFlight
from simulation.simulator.simulator import Simulator
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from tests.simulation.hitl.wires import plan

_RATE_HZ = 500


class StationLink:
    """A link with a HITL station at its other end. Time passes while the board waits."""

    name = address = "station"
    can_write = True

    def __init__(self, catalogue: Catalogue, folder: Path) -> None:
        whole = load_scenario("takeoff-hold-land")
        steps = [replace(s, seconds=10.0) if s.do == "hold" else s for s in whole.steps]
        scenario = replace(whole, steps=tuple(steps))
        self.now_s = 0.0
        self.steepest_deg = 0.0
        self._heard = bytearray()
        self._ticks = 0

        def make(flight: HitlFlight, simulator: Simulator) -> HitlPilot:
            return HitlPilot(scenario, catalogue, flight.sample, simulator)

        self.flight = HitlFlight(
            plan(rate_hz=_RATE_HZ, seed=1),
            catalogue,
            OriginalMetadataStore(folder),
            make_pilot=make,
        )
        self.flight.start(0.0)

    def read(self, timeout_s: float) -> bytes:
        """What the station says within that time."""
        end_s = self.now_s + max(timeout_s, 1e-6)  # no reading takes no time
        while (next_s := (self._ticks + 1) / _RATE_HZ) <= end_s:
            self.now_s = next_s
            self._ticks += 1
            said = self._tick()
            if said:
                return said
        self.now_s = end_s
        return b""

    def write(self, data: bytes) -> None:
        self._heard += data

    def close(self) -> None:
        return

    def _tick(self) -> bytes:
        if self._heard:
            self.flight.receive(bytes(self._heard), self.now_s)
            self._heard.clear()
        self.flight.tick(self.now_s)
        if self.flight.aircraft is not None:
            _, x, y, _ = self.flight.aircraft.output["true_quaternion"].tolist()
            tilt = np.degrees(np.arccos(1.0 - 2.0 * (x * x + y * y)))
            self.steepest_deg = max(self.steepest_deg, float(tilt))
        return self.flight.bytes_to_send()


def served(preset: Preset, catalogue: Catalogue, link: StationLink) -> RealTimeFlight:
    config = AutopilotConfig(preset)
    return RealTimeFlight(lambda: Autopilot(config, catalogue), link, lambda: link.now_s)


@pytest.mark.slow
@pytest.mark.long
def test_it_takes_off_holds_and_lands(preset: Preset, catalogue: Catalogue, tmp_path: Path) -> None:
    """Its outputs come with every tick of its sensor task, not with every loop of its modules."""
    link = StationLink(catalogue, tmp_path)
    flight = served(preset, catalogue, link)
    while link.flight.phase is not HitlPhase.DONE and link.now_s < 120.0:
        flight.run(link.now_s + 1.0)
    result = link.flight.result
    assert link.flight.phase is HitlPhase.DONE
    assert (result.problems, result.crashed) == ((), False)
    assert link.steepest_deg < 30.0
    assert result.commands / result.flown_s == pytest.approx(250.0, rel=0.02)
    assert flight.autopilot.now_s == pytest.approx(link.now_s, abs=0.05)
    assert not is_flown_by_ticks(flight.autopilot.board), "restored"


@pytest.mark.slow
def test_it_is_served_by_loops_again_while_time_does_not_run_as_the_clock(
    preset: Preset, catalogue: Catalogue, tmp_path: Path
) -> None:
    """A loop that waits for its ticks would keep its operator waiting as well."""
    link = StationLink(catalogue, tmp_path)
    flight = served(preset, catalogue, link)
    while link.flight.phase is not HitlPhase.FLYING:
        flight.run(link.now_s + 0.1)
    assert is_flown_by_ticks(flight.autopilot.board)
    flight.speed = 0.01
    before_s = link.now_s
    flight.catch_up()
    assert link.now_s == before_s
