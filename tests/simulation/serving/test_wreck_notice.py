"""Wreck notice: said once of each aircraft, and of none that can fly."""

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.serving.real_time_flight import RealTimeFlight
from simulation.serving.wreck_notice import WRECKED, WreckNotice
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.serving.test_real_time_flight import Sink


def test_a_wreck_is_told_of_once_and_the_next_aircraft_is_whole(
    preset: Preset, catalogue: Catalogue
) -> None:
    told: list[str] = []
    sink = Sink([])
    config = AutopilotConfig(preset)
    flight = RealTimeFlight(lambda: Autopilot(config, catalogue), sink, lambda: sink.now_s)
    notice = WreckNotice(told.append)
    notice.attend(flight)
    assert told == [], "control: it is whole"
    for _ in range(2):
        flight.autopilot.simulator.output["crashed"] = 1
        notice.attend(flight)
        notice.attend(flight)
        flight.reset()
        notice.attend(flight)
    assert told == [WRECKED, WRECKED]
