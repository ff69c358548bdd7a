"""The motor test: every reason to stop stops it, and nobody else can run it meanwhile."""

import pytest

from telemetry.configuration.actuator_test.prerequisites import why_not_calibrate
from telemetry.configuration.actuator_test.state_machine import LONGEST_RAISED_S, LONGEST_S, Phase
from telemetry.configuration.outputs.output import Output
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.telemetry.configuration.actuator_test.shop import REST, Shop

ME, OTHER = "one panel", "another panel"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def shop(catalogue: Catalogue) -> Shop:
    return Shop(catalogue)


@pytest.mark.slow
def test_one_motor_turns_while_held_and_rests_when_let_go(shop: Shop) -> None:
    shop.spin(ME, 3)
    assert shop.pulses() == (1000, 1000, 1090, *REST[3:])
    assert shop.metadata.flight_readonly
    shop.test.release(ME)
    shop.run(0.1)
    assert shop.pulses() == REST
    shop.run(1.0)
    assert shop.test.phase is Phase.READY
    assert "confirms" in shop.test.message
    shop.test.end(ME)
    shop.run(1.0)
    assert not shop.metadata.flight_readonly
    assert shop.test.phase is Phase.OFF


@pytest.mark.slow
def test_nothing_is_staged_or_stored(shop: Shop) -> None:
    before = shop.bench.board.values[shop.bench.named("ActuatorSettings").object_id, 0]
    shop.spin(ME, 1)
    shop.test.end(ME)
    shop.run(1.0)
    assert shop.bench.settings.staged() == ()
    assert shop.bench.stored("ActuatorSettings") is None
    assert shop.bench.board.values[shop.bench.named("ActuatorSettings").object_id, 0] == before


def test_held_on_it_goes_on_turning_for_ten_seconds_and_no_longer(shop: Shop) -> None:
    shop.spin(ME, 2)
    shop.run(LONGEST_S - 1.0)
    assert shop.pulses()[1] == 1090
    shop.run(1.5)
    assert shop.pulses() == REST
    assert not shop.test.spinning


def test_a_hung_window_stops_the_motor(shop: Shop) -> None:
    shop.spin(ME, 2)
    shop.is_watched = False
    shop.run(0.5)
    assert shop.pulses() == REST  # the worker's dead man
    shop.is_watched = True
    shop.run(1.0)
    assert shop.pulses() == REST  # and it does not start again by itself
    assert not shop.test.spinning


def test_arming_stops_it_and_gives_the_outputs_back(shop: Shop) -> None:
    shop.spin(ME, 1)
    shop.tell("FlightStatus", {"Armed": "Armed"})
    shop.run(1.0)
    assert shop.test.phase is Phase.OFF
    assert "armed" in shop.test.message
    assert shop.pulses() == REST
    assert not shop.metadata.flight_readonly


@pytest.mark.parametrize("severity", ["Critical", "Error"])
def test_an_actuator_alarm_stops_it(shop: Shop, severity: str) -> None:
    shop.spin(ME, 1)
    shop.tell("SystemAlarms", {"Alarm.Actuator": severity})
    shop.run(1.0)
    assert shop.test.phase is Phase.OFF
    assert shop.pulses() == REST


def test_a_warning_or_another_alarm_does_not(shop: Shop) -> None:
    shop.spin(ME, 1)
    shop.tell("SystemAlarms", {"Alarm.Actuator": "Warning", "Alarm.GPS": "Critical"})
    shop.run(1.0)
    assert shop.test.phase is Phase.SPINNING
    assert shop.pulses()[0] == 1090


def test_a_lost_link_ends_the_test_and_the_board_is_told_when_it_is_back(shop: Shop) -> None:
    shop.spin(ME, 1)
    shop.bench.vehicle.status = LinkStatus(LinkState.LOST)
    shop.run(0.1)
    assert shop.test.phase is Phase.OFF
    shop.run(2.0)
    assert shop.pulses() == REST


def test_a_station_that_crashes_has_the_outputs_given_back_at_its_return(
    catalogue: Catalogue,
) -> None:
    originals = OriginalMetadataStore()
    shop = Shop(catalogue, originals)
    shop.spin(ME, 4)
    shop.bench.connect()  # a new conversation, without a word from the old one
    shop.is_watched = False
    assert shop.metadata.flight_readonly
    shop.run(5.0)
    assert not shop.metadata.flight_readonly


def test_only_its_owner_runs_a_test(shop: Shop) -> None:
    shop.spin(ME, 1)
    assert not shop.test.begin(OTHER)
    assert "elsewhere" in shop.test.message
    assert not shop.test.hold(OTHER, 2)
    shop.test.release(OTHER)
    shop.test.end(OTHER)
    shop.run(0.2)
    assert shop.test.spinning == 1
    shop.test.end(ME)
    shop.run(1.0)
    assert shop.test.begin(OTHER)


def test_without_the_word_about_propellers_nothing_begins(shop: Shop) -> None:
    assert not shop.test.begin(ME)
    assert "propellers" in shop.test.message
    assert not shop.test.confirm_propellers("yes")
    assert not shop.test.begin(ME)
    assert shop.test.confirm_propellers("  Propellers   OFF ")
    assert shop.test.begin(ME)


@pytest.mark.parametrize(
    ("name", "values", "word"),
    [
        ("FlightStatus", {"Armed": "Armed"}, "armed"),
        ("SystemAlarms", {"Alarm.Actuator": "Critical"}, "alarm"),
        ("MixerSettings", {}, "No output is assigned"),
    ],
)
def test_what_stands_against_a_test_is_said(
    shop: Shop, name: str, values: dict[str, str], word: str
) -> None:
    shop.test.confirm_propellers("propellers off")
    shop.tell(name, values)
    shop.run(0.2)
    assert not shop.test.begin(ME)
    assert word in shop.test.message


def test_an_output_that_drives_nothing_is_not_moved(shop: Shop) -> None:
    shop.ready(ME)
    assert not shop.test.hold(ME, 9)
    shop.run(0.3)
    assert shop.pulses() == REST


def test_what_is_staged_has_no_say_in_a_test(shop: Shop) -> None:
    shop.bench.settings.stage("ActuatorSettings", "ChannelNeutral.0", 1800)
    shop.bench.settings.stage("ActuatorSettings", "ChannelMin.1", 1700)
    shop.spin(ME, 1)
    assert shop.pulses() == (1090, *REST[1:])


@pytest.mark.slow
def test_a_stop_that_the_board_does_not_confirm_is_called_doubtful(shop: Shop) -> None:
    shop.spin(ME, 1)
    stuck = shop.pulses()
    shop.bench.board.refused.add(shop.bench.named("ActuatorCommand").object_id)
    shop.test.release(ME)
    shop.run(4.0)
    assert shop.pulses() == stuck
    assert shop.test.is_stop_doubtful
    assert "battery" in shop.test.message
    assert not shop.test.hold(ME, 2)
    shop.bench.board.refused.clear()
    shop.run(4.0)
    assert shop.pulses() == REST
    assert shop.test.phase is Phase.READY


@pytest.mark.slow
def test_a_test_nobody_uses_ends_by_itself(shop: Shop) -> None:
    shop.ready(ME)
    shop.run(61.0)
    assert shop.test.phase is Phase.OFF
    assert not shop.metadata.flight_readonly


def test_leaving_the_station_stops_the_motor_first(shop: Shop) -> None:
    shop.spin(ME, 1)
    shop.bench.leave()
    assert shop.pulses() == REST
    assert not shop.metadata.flight_readonly


@pytest.mark.slow
def test_all_motors_are_raised_for_a_minute_at_most_and_servos_are_not(shop: Shop) -> None:
    shop.ready(ME)
    assert shop.test.raise_motors(ME), shop.test.message
    shop.run(LONGEST_RAISED_S - 2.0)
    assert shop.pulses() == (1900,) * 4 + REST[4:]
    assert not shop.test.hold(ME, 1), "one thing at a time"
    shop.run(3.0)
    assert shop.pulses() == REST


def test_a_hung_window_lowers_all_motors(shop: Shop) -> None:
    shop.ready(ME)
    assert shop.test.raise_motors(ME)
    shop.run(1.0)
    shop.is_watched = False
    shop.run(1.0)
    assert shop.pulses() == REST


def test_a_connected_battery_and_digital_controllers_are_refused(catalogue: Catalogue) -> None:
    shop = Shop(catalogue, more=("FlightBatteryState",))
    shop.ready(ME)
    shop.bench.put("FlightBatteryState", "Voltage", 11.1)
    shop.run(1.0)
    assert not shop.test.raise_motors(ME)
    assert "11.1 V" in shop.test.message
    assert "digital" in why_not_calibrate(
        shop.bench.settings, (Output(1, "Motor", 0, 0, 2000, mode="DShot"),)
    )
