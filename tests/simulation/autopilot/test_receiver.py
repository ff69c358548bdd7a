"""From pulses to stick positions."""

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.receiver import Channel, Receiver
from telemetry.objects.values import pack_values
from telemetry.vehicle.sticks import Sticks, channels_us


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
        receiver.update(position * 20_000)
        assert command.row["FlightModeSwitchPosition"] == position
    assert (command.row["Roll"], command.row["Pitch"], command.row["Yaw"]) == (1.0, -1.0, 0.0)
    assert command.row["Throttle"] == -1.0
    assert command.row["Channel"].tolist()[:5] == [1000, 2000, 1000, 1500, 1917]
    assert board["AccessoryDesired"].row["AccessoryVal"] == 1.0


def test_the_deadband_swallows_small_deflections(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    send(board, Sticks(roll=0.015, pitch=0.5))
    receiver.update(0)
    assert board["ManualControlCommand"].row["Roll"] == 0.0
    assert 0.48 < board["ManualControlCommand"].row["Pitch"] < 0.5


def test_a_stale_stream_sets_failsafe_values_and_says_so(board: SimulatedBoard) -> None:
    receiver = Receiver(board, timeout_us=500_000)
    command = board["ManualControlCommand"]
    send(board, Sticks(roll=1.0, throttle=0.6, flight_mode_position=1))
    receiver.update(0)
    assert command.row["Connected"] == 1
    board["FlightStatus"].set(Armed=2)
    receiver.update(480_000)
    assert command.row["Connected"] == 1
    receiver.update(500_000)
    assert command.row["Connected"] == 0
    assert (command.row["Roll"], command.row["Throttle"]) == (0.0, -1.0)
    assert command.row["FlightModeSwitchPosition"] == 4
    send(board, Sticks(flight_mode_position=1))
    receiver.update(520_000)
    assert command.row["Connected"] == 1
    assert command.row["FlightModeSwitchPosition"] == 1


def test_on_the_ground_silence_leaves_the_mode_alone(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    receiver.update(10_000_000)
    assert board["ManualControlCommand"].row["Connected"] == 0
    assert board["ManualControlCommand"].row["FlightModeSwitchPosition"] == 0


def test_channels_of_other_groups_mean_no_connection(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    settings = board["ManualControlSettings"]
    groups = settings.row["ChannelGroups"].copy()
    groups[0] = settings.number("ChannelGroups", "PPM")
    settings.set(ChannelGroups=groups)
    send(board, Sticks())
    receiver.update(0)
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
    receiver.update(0)
    assert board["ManualControlCommand"].row["Roll"] < -0.7


def test_a_pulse_far_outside_its_range_is_no_stick(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    pulses(board, *CENTRED)
    receiver.update(0)
    assert board["ManualControlCommand"].row["Connected"] == 1
    pulses(board, 1040, 2240, *CENTRED[2:])
    receiver.update(20_000)
    assert board["ManualControlCommand"].row["Connected"] == 1
    pulses(board, 1040, 2260, *CENTRED[2:])
    receiver.update(40_000)
    assert board["ManualControlCommand"].row["Connected"] == 0


def test_a_response_time_makes_the_stick_slow(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    change(board, "ResponseTime", "Roll", 200)
    rolls = []
    for i in range(100):
        pulses(board, 1040, 1500 if i < 10 else 2000, 2000, *CENTRED[3:])
        receiver.update(i * 20_000)
        rolls.append(float(board["ManualControlCommand"].row["Roll"]))
    assert board["ManualControlCommand"].row["Pitch"] == 1.0
    assert rolls[9] == 0.0
    assert rolls[10] < 0.2
    assert 0.5 < rolls[20] < 0.8
    assert rolls[99] > 0.99


def test_one_flight_mode_needs_no_switch(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    change(board, "ChannelGroups", "FlightMode", "None")
    pulses(board, *CENTRED)
    receiver.update(0)
    assert not receiver.is_assigned
    board["ManualControlSettings"].set(FlightModeNumber=1)
    pulses(board, *CENTRED)
    receiver.update(20_000)
    assert receiver.is_assigned
    assert board["ManualControlCommand"].row["Connected"] == 1
    assert board["ManualControlCommand"].row["FlightModeSwitchPosition"] == 0


def test_fewer_flight_modes_share_the_way_of_the_switch(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    board["ManualControlSettings"].set(FlightModeNumber=3)
    seen = []
    for i, pulse in enumerate((1000, 1300, 1400, 1600, 1700, 2000)):
        pulses(board, *CENTRED[:4], pulse, *CENTRED[5:])
        receiver.update(i * 20_000)
        seen.append(int(board["ManualControlCommand"].row["FlightModeSwitchPosition"]))
    assert seen == [0, 0, 1, 1, 2, 2]


def test_collective_pitch_sets_the_thrust_of_a_helicopter(board: SimulatedBoard) -> None:
    receiver = Receiver(board)
    system = board["SystemSettings"]
    system.set(ThrustControl=system.number("ThrustControl", "Collective"))
    pulses(board, *CENTRED)
    receiver.update(0)
    assert not receiver.is_assigned
    change(board, "ChannelGroups", "Collective", "GCS")
    change(board, "ChannelNumber", "Collective", 6)
    pulses(board, *CENTRED[:5], 2000, 1000)
    receiver.update(20_000)
    command = board["ManualControlCommand"].row
    assert (command["Collective"], command["Thrust"]) == (1.0, 1.0)
    assert command["Throttle"] == 0.0


def test_failsafe_values_hold_for_accessories_too(board: SimulatedBoard) -> None:
    receiver = Receiver(board, timeout_us=500_000)
    change(board, "FailsafeChannel", "Accessory0", -0.5)
    pulses(board, *CENTRED[:6], 2000)
    receiver.update(0)
    assert board["AccessoryDesired"].row["AccessoryVal"] == 1.0
    receiver.update(600_000)
    assert board["AccessoryDesired"].row["AccessoryVal"] == -0.5
