"""From pulses to stick positions."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.receiver import Receiver
from simulation.autopilot.receiver_settings import Channel
from telemetry.protocol.objects.values import pack_values
from telemetry.vehicle.sticks import Sticks, channels_us

Prepare = Callable[[SimulatedBoard], None]
CYCLE_US = 20_000
CHANGES_US = 11 * CYCLE_US
"""So long the input has to be good or bad until the connection changes."""


def follow(receiver: Receiver, from_us: int = 0, for_us: int = CHANGES_US) -> None:
    """Let the receiver's cycles run."""
    for now_us in range(from_us, from_us + for_us, CYCLE_US):
        receiver.update(now_us)


def send(board: SimulatedBoard, sticks: Sticks) -> None:
    source = board["GCSReceiver"].definition
    payload = pack_values(source, {"Channel": channels_us(sticks, mode_positions=6)})
    assert board.write(source.object_id, 0, payload)


def test_a_channel_scales_both_sides_of_neutral_and_reversed_ranges() -> None:
    channel = Channel(0, 1000, 1400, 2000)
    assert [channel.scale(us) for us in (900, 1000, 1200, 1400, 1700, 2100)] == [
        *(-1.0, -1.0, -0.5, 0.0, 0.5, 1.0)
    ]
    reversed_channel = Channel(0, 2000, 1500, 1000)
    assert reversed_channel.scale(2000) == -1.0
    assert reversed_channel.scale(1000) == 1.0


def test_the_stations_sticks_arrive_as_they_were_meant(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    command = board["ManualControlCommand"]
    for position in range(6):
        send(board, Sticks(1.0, -1.0, 0.0, 0.0, position, arm=True))
        follow(receiver, position * CHANGES_US)
        assert command.row["FlightModeSwitchPosition"] == position
    assert (command.row["Roll"], command.row["Pitch"], command.row["Yaw"]) == (1.0, -1.0, 0.0)
    assert command.row["Throttle"] == -1.0
    assert command.row["Channel"].tolist()[:5] == [1000, 2000, 1000, 1500, 1917]
    assert board["AccessoryDesired"].row["AccessoryVal"] == 1.0


def test_the_deadband_swallows_small_deflections(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    send(board, Sticks(roll=0.015, pitch=0.5))
    follow(receiver)
    assert board["ManualControlCommand"].row["Roll"] == 0.0
    assert 0.48 < board["ManualControlCommand"].row["Pitch"] < 0.5


def test_a_stale_stream_sets_failsafe_values_and_says_so(board: SimulatedBoard) -> None:
    receiver = Receiver(board, timeout_us=300_000)
    command = board["ManualControlCommand"]
    send(board, Sticks(roll=1.0, throttle=0.6, flight_mode_position=1))
    follow(receiver)
    assert command.row["Connected"] == 1
    follow(receiver, CHANGES_US, 580_000)  # nothing came from 0.3 s to 0.6 s
    assert (command.row["Connected"], command.row["Roll"]) == (1, 1.0)
    follow(receiver, 800_000, CYCLE_US)
    assert command.row["Connected"] == 0
    assert (command.row["Roll"], command.row["Throttle"]) == (0.0, -1.0)
    assert command.row["FlightModeSwitchPosition"] == 4
    send(board, Sticks(flight_mode_position=1))
    follow(receiver, 820_000)
    assert command.row["Connected"] == 1
    assert command.row["FlightModeSwitchPosition"] == 1


def test_channels_of_other_groups_mean_no_connection(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    settings = board["ManualControlSettings"]
    groups = settings.row["ChannelGroups"].copy()
    groups[0] = settings.number("ChannelGroups", "PPM")
    settings.set(ChannelGroups=groups)
    send(board, Sticks())
    follow(receiver)
    assert board["ManualControlCommand"].row["Connected"] == 0


def pulses(board: SimulatedBoard, *channels: int) -> None:
    source = board["GCSReceiver"].definition
    values = [*channels, *[1500] * (8 - len(channels))]
    assert board.write(source.object_id, 0, pack_values(source, {"Channel": values}))


def change(board: SimulatedBoard, field: str, element: str, value: object) -> None:
    settings = board["ManualControlSettings"]
    index = settings.definition.field_named(field).element_index(element)
    number = settings.number(field, value) if isinstance(value, str) else value
    row = settings.row[field].copy()
    row[index] = number
    settings.set(**{field: row})


CENTRED = (1040, 1500, 1500, 1500, 1000, 1500, 1000)


def test_a_reversed_channel_turns_the_stick_round(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    change(board, "ChannelMin", "Roll", 2000)
    change(board, "ChannelMax", "Roll", 1000)
    pulses(board, 1040, 1900, *CENTRED[2:])
    follow(receiver)
    assert board["ManualControlCommand"].row["Roll"] < -0.7


def test_a_response_time_makes_the_stick_slow(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    change(board, "ResponseTime", "Roll", 200)
    rolls = []
    for i in range(120):
        pulses(board, 1040, 1500 if i < 20 else 2000, 2000, *CENTRED[3:])
        receiver.update(i * CYCLE_US)
        rolls.append(float(board["ManualControlCommand"].row["Roll"]))
    assert board["ManualControlCommand"].row["Pitch"] == 1.0
    assert rolls[19] == 0.0
    assert rolls[20] < 0.2
    assert 0.5 < rolls[30] < 0.8
    assert rolls[119] > 0.99


def test_collective_pitch_sets_the_thrust_of_a_helicopter(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    system = board["SystemSettings"]
    system.set(ThrustControl=system.number("ThrustControl", "Collective"))
    change(board, "ChannelGroups", "Collective", "GCS")
    change(board, "ChannelNumber", "Collective", 6)
    pulses(board, *CENTRED[:5], 2000, 1000)
    follow(receiver)
    command = board["ManualControlCommand"].row
    assert (command["Collective"], command["Thrust"]) == (1.0, 1.0)
    assert command["Throttle"] == 0.0


def test_a_supplied_command_leaves_a_warning_and_ends_with_its_station(
    board: SimulatedBoard,
) -> None:
    receiver = Receiver(board)
    command = board["ManualControlCommand"]
    board.set_metadata(command, replace(command.metadata, flight_readonly=True))
    command.row["Connected"] = 1
    pulses(board, *CENTRED)
    follow(receiver)
    assert severity(board) == "Warning"
    assert command.row["Connected"] == 1
    receiver.is_station_heard = False
    follow(receiver, CHANGES_US, CYCLE_US)
    assert not command.is_supplied


def test_what_stands_where_there_is_no_pulse(board: SimulatedBoard) -> None:
    """pios_rcvr.h: -1 timed out, -2 no such channel, -3 no driver for the receiver."""
    assign("Accessory1", 9)(board)
    assign("Accessory2", 1, "PPM")(board)
    receiver = Receiver(board)
    receiver.update(0)
    names = board["ManualControlSettings"].definition.field_named("ChannelGroups").element_names

    def shown() -> dict[str, int]:
        return dict(zip(names, board["ManualControlCommand"].row["Channel"].tolist(), strict=True))

    codes = {"Collective": 65534, "Accessory1": 65534, "Accessory2": 65533}
    assert shown() == shown() | codes | {"Throttle": 65535, "Accessory0": 65535}
    pulses(board, *CENTRED)
    receiver.update(CYCLE_US)
    assert shown() == shown() | codes | {"Throttle": 1040, "Accessory0": 1000}
    receiver.update(300_000)
    receiver.update(600_000)
    assert shown() == shown() | codes | {"Throttle": 65535, "Accessory0": 65535}


def test_pulses_are_shown_while_a_channel_is_missing(board: SimulatedBoard) -> None:
    """The set-up of the receiver finds channels by them."""
    change(board, "ChannelGroups", "Yaw", "None")
    receiver = Receiver(board)
    pulses(board, 1234, *CENTRED[1:])
    receiver.update(0)
    assert board["ManualControlCommand"].row["Channel"][0] == 1234


# The rows of "Receiver and failsafe" of design/firmware-rules.md; all of them from
# flight/modules/Receiver/receiver.c of LibrePilot.


def severity(board: SimulatedBoard) -> str:
    alarms = board["SystemAlarms"]
    index = alarms.definition.field_named("Alarm").element_index("Receiver")
    return alarms.option("Alarm", index)


def drive(board: SimulatedBoard) -> None:
    system = board["SystemSettings"]
    system.set(AirframeType=system.number("AirframeType", "GroundVehicleCar"))


def treat_as(board: SimulatedBoard, kind: str) -> None:
    system, follower = board["SystemSettings"], board["VtolPathFollowerSettings"]
    system.set(AirframeType=system.number("AirframeType", "Custom"))
    follower.set(TreatCustomCraftAs=follower.number("TreatCustomCraftAs", kind))


def lift_by_collective(board: SimulatedBoard) -> None:
    system = board["SystemSettings"]
    system.set(ThrustControl=system.number("ThrustControl", "Collective"))


def take_away(*names: str) -> Prepare:
    def prepare(board: SimulatedBoard) -> None:
        for name in names:
            change(board, "ChannelGroups", name, "None")

    return prepare


def have_modes(count: int) -> Prepare:
    return lambda board: board["ManualControlSettings"].set(FlightModeNumber=count)


NEEDED: list[tuple[str, tuple[Prepare, ...], bool]] = [
    ("as the board leaves the factory", (), True),
    ("yaw", (take_away("Yaw"),), False),
    ("throttle", (take_away("Throttle"),), False),
    ("roll", (take_away("Roll"),), False),
    ("pitch", (take_away("Pitch"),), False),
    ("a channel that the receiver lacks", (lambda b: change(b, "ChannelNumber", "Yaw", 9),), False),
    ("collective that lifts", (lift_by_collective,), False),
    ("collective that does not", (take_away("Collective"),), True),
    ("no flight mode", (have_modes(0),), False),
    ("seven flight modes", (have_modes(7),), False),
    ("six modes and no switch", (take_away("FlightMode"),), False),
    ("one mode and no switch", (have_modes(1), take_away("FlightMode")), True),
    ("a car without roll, pitch, switch", (drive, take_away("Roll", "Pitch", "FlightMode")), True),
    ("a car without yaw", (drive, take_away("Yaw")), False),
    ("custom, to drive", (lambda b: treat_as(b, "Ground"), take_away("Roll", "Pitch")), True),
    ("custom, to fly", (lambda b: treat_as(b, "VTOL"), take_away("Roll", "Pitch")), False),
]


@pytest.mark.parametrize(("row", "prepare", "is_fine"), NEEDED, ids=[row[0] for row in NEEDED])
def test_channels_that_are_needed(
    board: SimulatedBoard, row: str, prepare: tuple[Prepare, ...], is_fine: bool
) -> None:
    """ "Receiver Critical": what is missing keeps it from connecting, whatever arrives."""
    for change_board in prepare:
        change_board(board)
    receiver = Receiver(board)
    pulses(board, *CENTRED)
    follow(receiver)
    assert severity(board) == ("OK" if is_fine else "Critical"), row
    assert board["ManualControlCommand"].row["Connected"] == is_fine


def test_a_missing_channel_leaves_the_sticks_where_they_were(board: SimulatedBoard) -> None:
    """receiver.c goes on to the next cycle: no failsafe value is set, the alarm alone acts."""
    receiver = Receiver(board)
    pulses(board, 1040, 2000, *CENTRED[2:])
    follow(receiver)
    change(board, "ChannelGroups", "Yaw", "None")
    follow(receiver, CHANGES_US, CYCLE_US)
    command = board["ManualControlCommand"].row
    assert (command["Connected"], command["Roll"]) == (0, 1.0)


def assign(name: str, channel: int, group: str = "GCS") -> Prepare:
    def prepare(board: SimulatedBoard) -> None:
        change(board, "ChannelGroups", name, group)
        change(board, "ChannelNumber", name, channel)

    return prepare


def out_of_range(channel: int, pulse: int = 2260) -> tuple[int, ...]:
    return tuple(pulse if i + 1 == channel else us for i, us in enumerate((*CENTRED, 1500)))


VALID: list[tuple[str, tuple[Prepare, ...], tuple[int, ...], bool]] = [
    ("all in their ranges", (), CENTRED, True),
    ("249 us beyond", (), out_of_range(2, 2249), True),
    ("throttle", (), out_of_range(1), False),
    ("roll", (), out_of_range(2), False),
    ("pitch", (), out_of_range(3), False),
    ("yaw", (), out_of_range(4), False),
    ("roll of a car", (drive,), out_of_range(2), True),
    ("yaw of a car", (drive,), out_of_range(4), False),
    ("flight mode", (), out_of_range(5), True),
    ("accessory 0", (), out_of_range(7), False),
    ("accessory 0, not assigned", (take_away("Accessory0"),), out_of_range(7), True),
    ("accessory 3", (assign("Accessory3", 8),), out_of_range(8), False),
    ("collective", (assign("Collective", 8),), out_of_range(8), False),
    ("RSSI", (assign("Rssi", 8),), out_of_range(8), False),
    ("an accessory on another receiver", (assign("Accessory1", 1, "PPM"),), CENTRED, False),
]


@pytest.mark.parametrize(
    ("row", "prepare", "channels", "is_valid"), VALID, ids=[row[0] for row in VALID]
)
def test_input_that_is_valid(
    board: SimulatedBoard,
    row: str,
    prepare: tuple[Prepare, ...],
    channels: tuple[int, ...],
    is_valid: bool,
) -> None:
    for change_board in prepare:
        change_board(board)
    receiver = Receiver(board)
    pulses(board, *channels)
    follow(receiver)
    assert board["ManualControlCommand"].row["Connected"] == is_valid, row
    assert severity(board) == ("OK" if is_valid else "Warning")


def test_the_connection_changes_after_more_than_ten_cycles(board: SimulatedBoard) -> None:
    receiver = Receiver(board, timeout_us=10_000_000)
    command = board["ManualControlCommand"].row
    pulses(board, *CENTRED)
    follow(receiver, 0, 10 * CYCLE_US)
    assert command["Connected"] == 0
    follow(receiver, 10 * CYCLE_US, CYCLE_US)
    assert command["Connected"] == 1
    pulses(board, *out_of_range(2))
    follow(receiver, 11 * CYCLE_US, 10 * CYCLE_US)
    assert (command["Connected"], command["Roll"]) == (1, 0.0)
    follow(receiver, 21 * CYCLE_US, CYCLE_US)
    assert command["Connected"] == 0


def test_single_good_cycles_do_not_keep_a_bad_connection(board: SimulatedBoard) -> None:
    """The count of bad cycles begins anew only after more than ten good ones."""
    receiver = Receiver(board, timeout_us=10_000_000)
    command = board["ManualControlCommand"].row
    pulses(board, *CENTRED)
    follow(receiver)
    lost_after = None
    for i in range(30):
        pulses(board, *(CENTRED if i % 3 == 2 else out_of_range(2)))
        follow(receiver, (11 + i) * CYCLE_US, CYCLE_US)
        if lost_after is None and not command["Connected"]:
            lost_after = i
    assert lost_after == 15  # the eleventh bad one


def lose(board: SimulatedBoard) -> None:
    """A connection that was good and is not any more."""
    receiver = Receiver(board, timeout_us=CYCLE_US)
    pulses(board, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000)
    for i in range(11):
        pulses(board, *[2000 - i % 2] * 8)
        receiver.update(i * CYCLE_US)
    assert board["ManualControlCommand"].row["Connected"] == 1
    follow(receiver, CHANGES_US, CHANGES_US)
    assert board["ManualControlCommand"].row["Connected"] == 0


FAILSAFE_STICKS = {"Throttle": -0.75, "Roll": 0.25, "Pitch": -0.25, "Yaw": 0.5, "Collective": 0.125}


@pytest.mark.parametrize("armed", ["Disarmed", "Armed"])
@pytest.mark.parametrize("mode", ["Stabilized1", "Land", "ReturnToBase", "PathPlanner"])
def test_the_failsafe_sets_every_stick_in_every_mode(
    board: SimulatedBoard, mode: str, armed: str
) -> None:
    status = board["FlightStatus"]
    status.set(Armed=status.number("Armed", armed), FlightMode=status.number("FlightMode", mode))
    for name, value in FAILSAFE_STICKS.items():
        change(board, "FailsafeChannel", name, value)
    lose(board)
    command = board["ManualControlCommand"].row
    assert {name: command[name] for name in FAILSAFE_STICKS} == FAILSAFE_STICKS
    assert command["Thrust"] == FAILSAFE_STICKS["Throttle"]
    assert command["FlightModeSwitchPosition"] == 4
    assert severity(board) == "Warning"


def test_the_failsafe_of_a_car_leaves_its_throttle_in_the_middle(board: SimulatedBoard) -> None:
    drive(board)
    change(board, "FailsafeChannel", "Throttle", -0.75)
    lose(board)
    assert board["ManualControlCommand"].row["Throttle"] == 0.0
    assert board["ManualControlCommand"].row["Thrust"] == 0.0


@pytest.mark.parametrize("number", range(4))
def test_the_failsafe_sets_assigned_accessories(board: SimulatedBoard, number: int) -> None:
    for name in ("Accessory0", "Accessory1", "Accessory2", "Accessory3"):
        change(board, "FailsafeChannel", name, -0.5)
        assign(name, 8)(board)
    take_away(f"Accessory{(number + 1) % 4}")(board)
    lose(board)
    values = board["AccessoryDesired"].rows["AccessoryVal"]
    assert values[number] == -0.5
    assert values[(number + 1) % 4] == 0.0  # not assigned: nobody writes it


@pytest.mark.parametrize(
    ("positions", "failsafe", "expected"),
    [(6, 0, 0), (6, 4, 4), (6, -1, 5), (3, 3, 2), (6, 6, 5)],
)
def test_the_failsafe_moves_the_mode_switch_to_a_position_it_has(
    board: SimulatedBoard, positions: int, failsafe: int, expected: int
) -> None:
    """If not, the switch stays where it was: at its end."""
    board["ManualControlSettings"].set(
        FlightModeNumber=positions, FailsafeFlightModeSwitchPosition=failsafe
    )
    lose(board)
    assert board["ManualControlCommand"].row["FlightModeSwitchPosition"] == expected


@pytest.mark.parametrize(
    ("pulse", "throttle"), [(1000, -1.0), (1500, 0.0), (1505, 0.0), (1750, 0.49), (2000, 1.0)]
)
def test_the_throttle_of_a_car_is_two_sided_with_a_dead_band(
    board: SimulatedBoard, pulse: int, throttle: float
) -> None:
    drive(board)
    change(board, "ChannelNeutral", "Throttle", 1500)
    receiver = Receiver(board)
    pulses(board, pulse, *CENTRED[1:])
    follow(receiver)
    shown = float(board["ManualControlCommand"].row["Throttle"])
    assert shown == pytest.approx(throttle, abs=0.001)


def test_the_throttle_of_what_flies_has_no_dead_band(board: SimulatedBoard) -> None:
    change(board, "ChannelNeutral", "Throttle", 1500)
    receiver = Receiver(board)
    pulses(board, 1505, *CENTRED[1:])
    follow(receiver)
    assert board["ManualControlCommand"].row["Throttle"] == pytest.approx(0.01)


@pytest.mark.parametrize("count", range(1, 7))
@pytest.mark.parametrize("pulse", [1000, 1083, 1084, 1251, 1333, 1334, 1499, 1500, 1667, 2000])
def test_the_position_is_worked_out_in_whole_numbers(
    board: SimulatedBoard, count: int, pulse: int
) -> None:
    """int16(scaled x 256 + 256) x FlightModeNumber >> 9, clipped."""
    board["ManualControlSettings"].set(FlightModeNumber=count)
    receiver = Receiver(board)
    pulses(board, *CENTRED[:4], pulse, *CENTRED[5:])
    follow(receiver)
    turn = int((pulse - 1500) / 500 * 256) + 256
    expected = min(turn * count // 512, count - 1)
    assert board["ManualControlCommand"].row["FlightModeSwitchPosition"] == expected


@pytest.mark.parametrize(
    ("plain", "assisted", "first", "second"),
    [(2, 8, 8, 2), (10, 8, 10, 10), (0, 0, 2, 0), (0, 1, 2, 0)],
)
def test_assisted_positions_use_at_least_the_assisted_dead_band(
    board: SimulatedBoard, plain: int, assisted: int, first: int, second: int
) -> None:
    """Position 1 has GPS assistance, position 2 has none; in percent, at least 2 if assisted."""
    board["ManualControlSettings"].set(Deadband=plain, DeadbandAssistedControl=assisted)
    settings = board["StabilizationSettings"]
    assist = settings.row["FlightModeAssistMap"].copy()
    assist[0] = settings.number("FlightModeAssistMap", "GPSAssist")
    settings.set(FlightModeAssistMap=assist)
    receiver = Receiver(board)
    rolls = []
    for i, switch in enumerate((1000, 1250)):
        pulses(board, 1040, 1750, 1500, 1500, switch, *CENTRED[5:])
        follow(receiver, i * CHANGES_US)
        rolls.append(float(board["ManualControlCommand"].row["Roll"]))
    wanted = [(0.5 - d / 100) / (1 - d / 100) for d in (first, second)]
    assert rolls == pytest.approx(wanted, abs=1e-5)
