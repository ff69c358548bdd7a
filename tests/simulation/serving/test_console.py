"""The operator's words: what is asked is done, what cannot be is said, nothing else is spoken."""

import json
from typing import Any

import pytest

from simulation.autopilot.autopilot import AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.serving.console import Console
from simulation.serving.real_time_flight import RealTimeFlight
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import LinkClosed
from telemetry.protocol.links.memory import pair
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.wire.decoder import FrameDecoder


class OperatedFlight:
    """An operator and a flight in one thread, with a clock that stands where it is put."""

    def __init__(self, preset: Preset, catalogue: Catalogue) -> None:
        self.now_s = 0.0
        self.hand, far = pair()
        near, self.station = pair()
        self.radio = FaultyLink(near, Faults(), self.clock)
        self.far = far
        console = Console(far, self.radio, self.clock)
        config = AutopilotConfig(preset)
        self.flight = RealTimeFlight(
            lambda: console.power_up(config, catalogue), self.radio, self.clock
        )
        self.console = console

    def clock(self) -> float:
        return self.now_s

    def ask(self, *lines: str) -> list[Any]:
        """Say lines, let the flight attend to them, and return its answers."""
        self.hand.write("".join(f"{line}\n" for line in lines).encode())
        self.console.attend(self.flight)
        return [json.loads(line) for line in self.hand.read(0.0).splitlines()]

    def world(self, member: str) -> Any:
        return self.flight.autopilot.simulator.world[member]


@pytest.fixture
def operated(preset: Preset, catalogue: Catalogue) -> OperatedFlight:
    return OperatedFlight(preset, catalogue)


def test_nothing_is_said_unasked(operated: OperatedFlight) -> None:
    assert operated.ask() == []
    assert operated.ask('{"speed": 2}') == []
    assert operated.flight.speed == 2.0


def test_a_report_tells_what_is(operated: OperatedFlight) -> None:
    operated.ask('{"speed": 0.5, "set": {"wind_north_mps": 3}, "link": {"loss": 0.25}}')
    operated.now_s = 0.2
    operated.flight.catch_up()
    (report,) = operated.ask('{"report": true}')
    assert report["speed"] == 0.5
    assert report["factor"] == pytest.approx(0.5, abs=0.11)
    assert report["values"] == {"wind_north_mps": 3.0, "battery_charge": pytest.approx(1.0)}
    assert report["link"]["loss"] == 0.25
    assert report["wind_north_mps"] > 0.0
    assert not report["has_crashed"]
    assert report["trouble"] == ""
    assert report["world"] == ""


def test_controls_outlive_the_aircraft(operated: OperatedFlight) -> None:
    operated.ask('{"set": {"wind_east_mps": -4}}')
    before = operated.flight.autopilot
    operated.ask('{"reset": true}')
    assert operated.flight.autopilot is not before
    assert operated.world("wind")[1] == -4.0


def test_what_happens_once_does_not_happen_to_the_next_aircraft(operated: OperatedFlight) -> None:
    operated.ask('{"set": {"battery_charge": 0.2, "gust_now": 1, "gust_north_mps": 6}}')
    assert operated.flight.autopilot.simulator.charge == pytest.approx(0.2)
    (report,) = operated.ask('{"reset": true, "report": true}')
    assert report["values"] == {"gust_north_mps": 6.0, "battery_charge": pytest.approx(1.0)}


def test_a_station_hears_that_the_aircraft_is_there_while_time_stands_still(
    operated: OperatedFlight, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoder = FrameDecoder()

    def frames_in(seconds: float) -> int:
        before = decoder.frames
        for _ in range(round(seconds / 0.02)):
            operated.now_s += 0.02
            operated.ask()
            operated.flight.catch_up()
            decoder.feed(operated.station.read(0.0))
        return decoder.frames - before

    operated.ask('{"speed": 0}')
    shot = operated.flight.autopilot.simulator.snapshot()
    assert frames_in(2.0) > 4 * 10
    assert operated.flight.autopilot.simulator.snapshot() == shot
    operated.ask('{"speed": 1}')
    repeated: list[float] = []
    monkeypatch.setattr(
        operated.flight, "repeat_telemetry", lambda: repeated.append(operated.now_s)
    )
    assert frames_in(1.0) > 50
    assert repeated == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "one JSON object"),
        ("[" * 60_000, "one JSON object"),
        ('{"speed": ' + "9" * 4000 + "}", "one JSON object"),
        ('{"speed": 1e999}', "speed must be a number"),
        ("[1]", "must be an object"),
        ('{"seed": 3}', "Unknown request: seed"),
        ('{"speed": -1}', "from 0 to 50"),
        ('{"speed": NaN}', "speed must be a number"),
        ('{"speed": true}', "speed must be a number"),
        ('{"set": {"wind": 3}}', "no control 'wind'"),
        ('{"set": {"wind_north_mps": 300}}', "wind_north_mps"),
        ('{"set": {"front.lost": 1}}', "front.lost is a fault of a sensor that looks at a world"),
        ('{"set": 5}', "set must be an object"),
        ('{"link": {"noise": 1}}', "no link fault 'noise'"),
        ('{"link": {"loss": 1.5}}', "loss must be a number from 0 to 1"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    operated: OperatedFlight, line: str, reason: str
) -> None:
    (answer,) = operated.ask(line)
    assert reason in answer["error"]
    assert operated.flight.speed == 1.0
    assert operated.radio.faults == Faults()
    assert not operated.world("wind").any()


def test_faults_of_sensors_that_look_are_passed_on_by_their_mount(
    operated: OperatedFlight,
) -> None:
    """They are the suite's own, see test_served_streams."""
    asked: list[tuple[str, str, float]] = []
    operated.console = Console(
        operated.far,
        operated.radio,
        operated.clock,
        lambda *words: asked.append(words),
        lambda: {"front.lost": 0.0},
    )
    (report,) = operated.ask('{"set": {"front.lost": 0.5}, "report": true}')
    assert asked == [("front", "lost", 0.5)]
    assert report["values"]["front.lost"] == 0.5
    assert report["sensor_faults"] == {"front.lost": 0.0}


def test_words_may_arrive_in_pieces(operated: OperatedFlight) -> None:
    operated.hand.write(b'{"spe')
    operated.console.attend(operated.flight)
    operated.hand.write(b'ed": 4}\n')
    operated.console.attend(operated.flight)
    assert operated.flight.speed == 4.0


def test_an_endless_line_is_dropped(operated: OperatedFlight) -> None:
    operated.hand.write(b"x" * 70_000)
    assert "without an end" in operated.ask()[0]["error"]


def test_the_flight_ends_with_its_operator(operated: OperatedFlight) -> None:
    operated.hand.close()
    with pytest.raises(LinkClosed):
        operated.console.attend(operated.flight)


def test_a_safe_boot_leaves_the_hardware_settings_out_once(operated: OperatedFlight) -> None:
    def modules() -> str:
        hardware = operated.flight.autopilot.board["HwSettings"]
        index = hardware.definition.field_named("OptionalModules").element_index("Battery")
        return hardware.option("OptionalModules", index)

    def fault() -> str:
        alarms = operated.flight.autopilot.board["SystemAlarms"]
        index = alarms.definition.field_named("Alarm").element_index("BootFault")
        return alarms.option("Alarm", index)

    assert modules() == "Enabled"
    assert operated.ask('{"reset": "safe"}') == []
    operated.flight.autopilot.run_loop()
    assert (modules(), fault()) == ("Disabled", "Critical")
    assert operated.flight.autopilot.board["MixerSettings"].option("Mixer1Type") == "Motor"
    operated.ask('{"reset": true}')
    operated.flight.autopilot.run_loop()
    assert (modules(), fault()) == ("Enabled", "OK")


def test_the_aircraft_is_held_and_put_down_by_the_operator(operated: OperatedFlight) -> None:
    operated.ask('{"set": {"bench_hold": 1, "bench_roll_deg": 90}}')
    operated.now_s = 0.2
    operated.flight.catch_up()
    assert operated.world("bench_held") == 1
    assert operated.flight.autopilot.simulator.output["true_position"][2] < -0.5
    operated.ask('{"reset": true}')
    assert operated.world("bench_held") == 1
    operated.ask('{"set": {"bench_hold": 0}}')
    assert operated.flight.autopilot.simulator.record["state"]["motion"][2] > -0.5
